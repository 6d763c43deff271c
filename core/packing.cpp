#include "packing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace borel {

// At first there are no rows and all is kept.
Packing::Packing(std::vector<double> weights)
    : weights_(std::move(weights)), fixed_(weights_.size(), -1), others_(weights_.size()), price_(weights_),
      place_(weights_.size(), Place::upper), where_(weights_.size()) {
  for (int i = 0; i < columns(); ++i) others_[i] = where_[i] = i;
}

double Packing::value(int column) const {
  if (place_[column] == Place::basic) return std::clamp(amount_[where_[column]], 0.0, 1.0);
  return place_[column] == Place::upper ? 1.0 : 0.0;
}

void Packing::add(const Row& row) {
  int slack = columns() + static_cast<int>(rows_.size());
  if (free_slacks_.empty()) {
    rows_.push_back(row), place_.push_back(Place::basic), where_.push_back(0);
  } else {
    slack = free_slacks_.back(), free_slacks_.pop_back();
    rows_[slack - columns()] = row, place_[slack] = Place::basic;
  }
  std::vector<double> entries(others_.size());
  double amount = row.most;
  for (const int member : row.members) {
    if (place_[member] == Place::basic) {
      const auto& expressed = tableau_[where_[member]];
      for (std::size_t j = 0; j < entries.size(); ++j) entries[j] -= expressed[j];
      amount -= amount_[where_[member]];
    } else {
      entries[where_[member]] += 1;
      amount -= place_[member] == Place::upper;
    }
  }
  where_[slack] = static_cast<int>(tableau_.size());
  tableau_.push_back(std::move(entries));
  basic_.push_back(slack), amount_.push_back(amount);
}

void Packing::fix(int column, bool kept) {
  fixed_[column] = kept;
  const Place end = kept ? Place::upper : Place::lower;
  if (place_[column] != Place::basic && place_[column] != end) flip(where_[column]);
}

bool Packing::solve(const std::function<void()>& look) {
  const int most_steps = 200 + 20 * static_cast<int>(tableau_.size());
  for (int steps = 0; steps < most_steps; ++steps) {
    if (steps % 16 == 0) look();
    const int row = leaving_row();
    if (row < 0) return true;
    if (!step(row)) return false;
  }
  return true;
}

double Packing::upper_excess(int row) const {
  const int variable = basic_[row];
  if (is_slack(variable)) return 0;
  return std::max(0.0, amount_[row] - (fixed_[variable] == 0 ? 0.0 : 1.0));
}

// The row whose variable is furthest outside its range.
int Packing::leaving_row() const {
  int chosen = -1;
  double worst = 1e-7;
  for (int row = 0; row < static_cast<int>(basic_.size()); ++row) {
    const double least = !is_slack(basic_[row]) && fixed_[basic_[row]] == 1 ? 1.0 : 0.0;
    const double outside = std::max(least - amount_[row], upper_excess(row));
    if (outside > worst) worst = outside, chosen = row;
  }
  return chosen;
}

// One step: the row's variable goes to the end of its range, and what gives way is what costs least. Variables that
// would be passed on the way go to their other end (the long-step ratio test).
bool Packing::step(int row) {
  const int variable = basic_[row];
  const bool grows = upper_excess(row) == 0;
  double target = 0;
  if (!is_slack(variable)) target = fixed_[variable] >= 0 ? fixed_[variable] : (grows ? 0.0 : 1.0);
  double missing = std::abs(target - amount_[row]);
  candidates(row, grows);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const int position = found_[i].position;
    missing -= found_[i].size;
    if (is_boxed(others_[position]) && missing > SMALL) continue;
    for (std::size_t j = 0; j < i; ++j) flip(found_[j].position);
    pivot(row, position, target);
    return true;
  }
  return false;
}

// What may move so that the row's variable grows, or falls, in the order of what it costs.
void Packing::candidates(int row, bool grows) {
  found_.clear();
  const auto& entries = tableau_[row];
  for (int j = 0; j < static_cast<int>(others_.size()); ++j) {
    const double entry = grows ? -entries[j] : entries[j];
    const int variable = others_[j];
    if (std::abs(entry) < SMALL || (!is_slack(variable) && fixed_[variable] >= 0)) continue;
    if ((entry > 0) == (place_[variable] == Place::lower))
      found_.push_back({j, std::abs(price_[j] / entry), std::abs(entry)});
  }
  std::sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
    return a.ratio != b.ratio ? a.ratio < b.ratio : a.size != b.size ? a.size < b.size : a.position < b.position;
  });
}

// A variable outside the basis goes to the other end of its range.
void Packing::flip(int position) {
  Place& place = place_[others_[position]];
  const double change = place == Place::lower ? 1.0 : -1.0;
  place = place == Place::lower ? Place::upper : Place::lower;
  for (std::size_t row = 0; row < tableau_.size(); ++row) amount_[row] -= change * tableau_[row][position];
}

void Packing::pivot(int row, int position, double target) {
  const int leaving = basic_[row], entering = others_[position];
  auto& entries = tableau_[row];
  const double by = 1 / entries[position];
  const double change = (amount_[row] - target) * by;  // of what enters
  filled_.clear();
  for (int j = 0; j < static_cast<int>(entries.size()); ++j)
    if (j != position && entries[j] != 0) {
      if (std::abs(entries[j] *= by) < 1e-12) entries[j] = 0;
      else filled_.push_back(j);
    }
  entries[position] = by;
  for (std::size_t i = 0; i < tableau_.size(); ++i) {
    auto& other = tableau_[i];
    const double share = other[position];
    if (static_cast<int>(i) == row || share == 0) continue;
    amount_[i] -= share * change;
    for (const int j : filled_) other[j] -= share * entries[j];
    other[position] = -share * by;
  }
  const double price = price_[position];
  for (const int j : filled_) price_[j] -= price * entries[j];
  price_[position] = -price * by;
  const double before = place_[entering] == Place::upper ? 1.0 : 0.0;
  amount_[row] = before + change;
  basic_[row] = entering, others_[position] = leaving;
  place_[entering] = Place::basic, where_[entering] = row;
  place_[leaving] = target > 0.5 ? Place::upper : Place::lower, where_[leaving] = position;
}

void Packing::forget_loose() {
  for (int row = static_cast<int>(basic_.size()) - 1; row >= 0; --row)
    if (is_slack(basic_[row]) && amount_[row] > 1e-6) drop_row(row);
}

void Packing::drop_row(int row) {
  const int slack = basic_[row];
  rows_[slack - columns()] = Row{};
  free_slacks_.push_back(slack);
  const std::size_t last = basic_.size() - 1;
  std::swap(tableau_[row], tableau_[last]);
  basic_[row] = basic_[last], amount_[row] = amount_[last];
  where_[basic_[row]] = row;
  tableau_.pop_back(), basic_.pop_back(), amount_.pop_back();
}

double Packing::bound() const {
  std::vector<double> left = weights_;
  double total = 0;
  for (std::size_t j = 0; j < others_.size(); ++j) {
    if (!is_slack(others_[j]) || price_[j] >= 0) continue;
    const Row& row = rows_[others_[j] - columns()];
    total -= price_[j] * row.most;
    for (const int member : row.members) left[member] += price_[j];
  }
  for (int column = 0; column < columns(); ++column)
    if (fixed_[column] != 0) total += fixed_[column] == 1 ? left[column] : std::max(0.0, left[column]);
  return total;
}

}  // namespace borel
