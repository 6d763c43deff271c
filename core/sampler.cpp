#include "sampler.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace borel {

namespace {

constexpr std::uint64_t SUIT = (1ULL << 13) - 1;
constexpr std::uint64_t DECK = (1ULL << 52) - 1;
constexpr std::uint64_t EACH = 1ULL | (1ULL << 13) | (1ULL << 26) | (1ULL << 39);  // the deuce of every suit
constexpr int TRIES = 200'000;

double uniform(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1.0p-53; }

double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

int points_of_card(int card) { return std::max(0, card % 13 - 8); }

// The place of a random number in running sums; never a place of no weight, whatever the rounding.
std::size_t pick(const std::vector<double>& cumulative, Random& random) {
  const double target = uniform(random) * cumulative.back();
  const auto place = std::upper_bound(cumulative.begin(), cumulative.end(), target) - cumulative.begin();
  std::size_t i = std::min(static_cast<std::size_t>(place), cumulative.size() - 1);
  while (i > 0 && cumulative[i] == cumulative[i - 1]) --i;
  return i;
}

}  // namespace

int length_of(std::uint64_t cards, int suit) { return std::popcount((cards >> (13 * suit)) & SUIT); }

int hcp_of(std::uint64_t cards) {
  return std::popcount(cards & (EACH << 9)) + 2 * std::popcount(cards & (EACH << 10)) +
         3 * std::popcount(cards & (EACH << 11)) + 4 * std::popcount(cards & (EACH << 12));
}

int aces_of(std::uint64_t cards) { return std::popcount(cards & (EACH << 12)); }
int kings_of(std::uint64_t cards) { return std::popcount(cards & (EACH << 11)); }

bool HandLimits::admits(std::uint64_t hand) const {
  for (int suit = 0; suit < 4; ++suit) {
    const int length = length_of(hand, suit);
    if (length < shortest[suit] || length > longest[suit]) return false;
  }
  const int hcp = hcp_of(hand), aces = aces_of(hand), kings = kings_of(hand);
  return hcp >= fewest_hcp && hcp <= most_hcp && aces >= fewest_aces && aces <= most_aces && kings >= fewest_kings &&
         kings <= most_kings;
}

// ---- one suit

SuitWays::SuitWays(std::uint64_t free, const std::array<std::uint64_t, 3>& forbidden,
                   const std::array<int, 3>& shortest, const std::array<int, 3>& longest, int tracked)
    : size_(std::popcount(free)), points_(tracked ? hcp_of(free) : 0), tracked_(tracked) {
  const std::uint64_t anyones = free & ~(forbidden[0] | forbidden[1] | forbidden[2]);
  for (std::uint64_t left = free; left; left &= left - 1) {
    const int card = std::countr_zero(left);
    const bool plain = (anyones >> card & 1) && (!tracked || points_of_card(card) == 0);
    (plain ? plain_ : special_).push_back(card);
  }
  const int points_of_second = tracked > 1 ? points_ : 0;
  layers_.emplace_back(static_cast<std::size_t>((size_ + 1) * (size_ + 1) * (points_ + 1) * (points_of_second + 1)));
  const int n = static_cast<int>(plain_.size());
  for (int a = 0; a <= n; ++a)
    for (int b = 0; a + b <= n; ++b)
      layers_[0][index({{a, b}, {0, 0}})] = factorial(n) / (factorial(a) * factorial(b) * factorial(n - a - b));
  for (const int card : special_) add_card(card, forbidden);
  fitting_.assign(layers_.back().size(), 0.0);
  for (int a = shortest[0]; a <= std::min(longest[0], size_); ++a)
    for (int b = shortest[1]; b <= std::min(longest[1], size_ - a); ++b) {
      const int c = size_ - a - b;
      if (c < shortest[2] || c > longest[2]) continue;
      for (int p = 0; p <= points_; ++p)
        for (int q = 0; q <= points_of_second; ++q) {
          const Cell cell{{a, b}, {p, q}};
          const double ways = layers_.back()[index(cell)];
          if (ways == 0) continue;
          fitting_[index(cell)] = ways;
          ways_.push_back({cell, ways});
        }
    }
}

void SuitWays::add_card(int card, const std::array<std::uint64_t, 3>& forbidden) {
  std::array<bool, 3> allowed;
  for (int hand = 0; hand < 3; ++hand) allowed[hand] = !(forbidden[hand] >> card & 1);
  const std::vector<double>& before = layers_.back();
  std::vector<double> after(before.size(), 0.0);
  const int dealt = static_cast<int>(plain_.size() + layers_.size());
  const int points_of_second = tracked_ > 1 ? points_ : 0;
  for (int a = 0; a <= dealt; ++a)
    for (int b = 0; a + b <= dealt; ++b)
      for (int p = 0; p <= points_; ++p)
        for (int q = 0; q <= points_of_second; ++q) {
          const Cell cell{{a, b}, {p, q}};
          double ways = 0;
          for (int hand = 0; hand < 3; ++hand) {
            if (!allowed[hand] || (hand == 2 && a + b == dealt)) continue;
            const Cell from = without(cell, card, hand);
            if (inside(from)) ways += before[index(from)];
          }
          after[index(cell)] = ways;
        }
  layers_.push_back(std::move(after));
  allowed_.push_back(allowed);
}

SuitWays::Cell SuitWays::without(Cell cell, int card, int hand) const {
  if (hand < 2) {
    --cell.cards[hand];
    if (hand < tracked_) cell.points[hand] -= points_of_card(card);
  }
  return cell;
}

bool SuitWays::inside(const Cell& cell) const {
  const auto [a, b] = cell.cards;
  const auto [p, q] = cell.points;
  return a >= 0 && b >= 0 && a + b <= size_ && p >= 0 && q >= 0 && p <= points_ && q <= (tracked_ > 1 ? points_ : 0);
}

std::size_t SuitWays::index(const Cell& cell) const {
  const int points_of_second = tracked_ > 1 ? points_ : 0;
  const int hands = cell.cards[0] * (size_ + 1) + cell.cards[1];
  return static_cast<std::size_t>((hands * (points_ + 1) + cell.points[0]) * (points_of_second + 1) + cell.points[1]);
}

double SuitWays::count(const Cell& cell) const { return inside(cell) ? fitting_[index(cell)] : 0.0; }

void SuitWays::deal(const Cell& cell, std::array<std::uint64_t, 3>& hands, Random& random) const {
  // The special cards, last added first: each goes to a hand in proportion to the ways that remain.
  Cell now = cell;
  for (std::size_t k = special_.size(); k-- > 0;) {
    const int dealt = static_cast<int>(plain_.size() + k) + 1;
    double ways[3];
    for (int hand = 0; hand < 3; ++hand) {
      const Cell from = without(now, special_[k], hand);
      const bool possible = allowed_[k][hand] && !(hand == 2 && now.cards[0] + now.cards[1] == dealt) && inside(from);
      ways[hand] = possible ? layers_[k][index(from)] : 0.0;
    }
    double target = uniform(random) * (ways[0] + ways[1] + ways[2]);
    int hand = 0;
    while (hand < 2 && (ways[hand] == 0 || target >= ways[hand])) target -= ways[hand++];
    while (ways[hand] == 0) --hand;  // rounding may run past the end
    now = without(now, special_[k], hand);
    hands[hand] |= 1ULL << special_[k];
  }
  // The plain cards: as many as are left to each hand, any of them.
  int rest[13];
  std::copy(plain_.begin(), plain_.end(), rest);
  int left = static_cast<int>(plain_.size());
  for (int hand = 0; hand < 2; ++hand)
    for (int k = now.cards[hand]; k > 0; --k) {
      const auto chosen = random.below(static_cast<std::uint32_t>(left));
      hands[hand] |= 1ULL << rest[chosen];
      rest[chosen] = rest[--left];
    }
  while (left > 0) hands[2] |= 1ULL << rest[--left];
}

// ---- two suits

PairWays::PairWays(const SuitWays& first, const SuitWays& second, const std::array<int, 3>& quota, int tracked)
    : first_(&first), second_(&second), quota_(quota), points_(first.points() + second.points()), tracked_(tracked) {
  const int points_of_second = tracked > 1 ? points_ : 0;
  counts_.assign(static_cast<std::size_t>((quota[0] + 1) * (quota[1] + 1) * (points_ + 1) * (points_of_second + 1)), 0.0);
  const int size = first.size() + second.size();
  for (const auto& one : first.ways())
    for (const auto& two : second.ways()) {
      const int a = one.cell.cards[0] + two.cell.cards[0], b = one.cell.cards[1] + two.cell.cards[1];
      if (a > quota[0] || b > quota[1] || size - a - b > quota[2]) continue;
      const SuitWays::Cell cell{{a, b}, {one.cell.points[0] + two.cell.points[0], one.cell.points[1] + two.cell.points[1]}};
      counts_[index(cell)] += one.count * two.count;
    }
}

std::size_t PairWays::index(const SuitWays::Cell& cell) const {
  const int points_of_second = tracked_ > 1 ? points_ : 0;
  const int hands = cell.cards[0] * (quota_[1] + 1) + cell.cards[1];
  return static_cast<std::size_t>((hands * (points_ + 1) + cell.points[0]) * (points_of_second + 1) + cell.points[1]);
}

SuitWays::Cell PairWays::cell(std::size_t index) const {
  const int points_of_second = tracked_ > 1 ? points_ : 0;
  int rest = static_cast<int>(index);
  SuitWays::Cell cell{};
  cell.points[1] = rest % (points_of_second + 1);
  rest /= points_of_second + 1;
  cell.points[0] = rest % (points_ + 1);
  rest /= points_ + 1;
  cell.cards[1] = rest % (quota_[1] + 1);
  cell.cards[0] = rest / (quota_[1] + 1);
  return cell;
}

void PairWays::deal(const SuitWays::Cell& cell, std::array<std::uint64_t, 3>& hands, Random& random) const {
  const auto rest_of = [&](const SuitWays::Cell& one) {
    return SuitWays::Cell{{cell.cards[0] - one.cards[0], cell.cards[1] - one.cards[1]},
                          {cell.points[0] - one.points[0], cell.points[1] - one.points[1]}};
  };
  double target = uniform(random) * counts_[index(cell)];
  const SuitWays::Way* chosen = nullptr;
  for (const auto& way : first_->ways()) {
    const double ways = way.count * second_->count(rest_of(way.cell));
    if (ways == 0) continue;
    chosen = &way;
    if ((target -= ways) < 0) break;
  }
  first_->deal(chosen->cell, hands, random);
  second_->deal(rest_of(chosen->cell), hands, random);
}

// ---- the whole deal

DirectedDealer::DirectedDealer(const Hands& fixed, const Hands& forbidden, const Limits& limits)
    : fixed_(fixed), limits_(limits) {
  const std::uint64_t placed = fixed[0] | fixed[1] | fixed[2] | fixed[3];
  const std::uint64_t free = DECK & ~placed;
  free_points_ = hcp_of(free);
  order_slots(limits);
  for (int seat = 0; seat < 4; ++seat)
    if (std::popcount(fixed[seat]) == 13 && !limits[seat].admits(fixed[seat])) return;
  for (int suit = 0; suit < 4; ++suit) {
    std::array<std::uint64_t, 3> banned{};
    std::array<int, 3> shortest{}, longest{};
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      const int seat = slots_[slot], held = length_of(fixed[seat], suit);
      banned[slot] = forbidden[seat];
      shortest[slot] = std::max(0, limits[seat].shortest[suit] - held);
      longest[slot] = limits[seat].longest[suit] - held;
    }
    suits_.emplace_back(free & (SUIT << (13 * suit)), banned, shortest, longest, tracked_);
  }
  pairs_.emplace_back(suits_[0], suits_[1], quota_, tracked_);
  pairs_.emplace_back(suits_[2], suits_[3], quota_, tracked_);
  join();
}

// The hidden seats, with what they still get; those whose points the limits touch come first.
void DirectedDealer::order_slots(const Limits& limits) {
  std::vector<int> limited, others;
  for (int seat = 0; seat < 4; ++seat) {
    if (std::popcount(fixed_[seat]) == 13) continue;
    const int held = hcp_of(fixed_[seat]);
    const bool touched = limits[seat].fewest_hcp > held || limits[seat].most_hcp < std::min(37, held + free_points_);
    (touched ? limited : others).push_back(seat);
  }
  for (int seat = 0; seat < 4; ++seat) honours_limited_ |= limits[seat].count_honours();
  tracked_ = std::min<int>(2, static_cast<int>(limited.size()));
  third_limited_ = limited.size() == 3;
  slots_ = limited;
  slots_.insert(slots_.end(), others.begin(), others.end());
  if (slots_.size() > 3) throw std::invalid_argument("one hand at least must be known");
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const int seat = slots_[slot], held = hcp_of(fixed_[seat]);
    quota_[slot] = 13 - std::popcount(fixed_[seat]);
    fewest_[slot] = limits[seat].fewest_hcp - held;
    most_[slot] = limits[seat].most_hcp - held;
  }
}

// With the first hand's points in the right half given: the range of the second hand's that the limits allow, and the ways.
double DirectedDealer::right_ways(const SuitWays::Cell& left, int first_points, int* low, int* high) const {
  const PairWays& right = pairs_[1];
  const int first_total = left.points[0] + first_points;
  *low = 0;
  *high = tracked_ > 1 ? right.points() : 0;
  if (tracked_ > 0 && (first_total < fewest_[0] || first_total > most_[0])) return 0;
  if (tracked_ > 1) {
    int least = fewest_[1], greatest = most_[1];
    if (third_limited_) {  // third = all - first - second
      least = std::max(least, free_points_ - first_total - most_[2]);
      greatest = std::min(greatest, free_points_ - first_total - fewest_[2]);
    }
    *low = std::max(*low, least - left.points[1]);
    *high = std::min(*high, greatest - left.points[1]);
  }
  if (*low > *high) return 0;
  const std::size_t row =
      right.index({{quota_[0] - left.cards[0], quota_[1] - left.cards[1]}, {first_points, 0}});
  return sums_[row + static_cast<std::size_t>(*high)] - (*low ? sums_[row + static_cast<std::size_t>(*low) - 1] : 0.0);
}

void DirectedDealer::join() {
  const PairWays& right = pairs_[1];
  const std::size_t row = tracked_ > 1 ? static_cast<std::size_t>(right.points()) + 1 : 1;
  sums_ = right.counts();
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (i % row) sums_[i] += sums_[i - 1];
  double total = 0;
  for (std::size_t i = 0; i < pairs_[0].counts().size(); ++i) {
    if (pairs_[0].counts()[i] == 0) continue;
    const auto cell = pairs_[0].cell(i);
    double ways = 0;
    for (int p = 0, low, high; p <= (tracked_ ? right.points() : 0); ++p) ways += right_ways(cell, p, &low, &high);
    if (ways <= 0) continue;
    cells_.push_back(i);
    cumulative_.push_back(total += ways * pairs_[0].counts()[i]);
  }
}

Hands DirectedDealer::draw(Random& random) const {
  for (int i = 0; i < TRIES; ++i) {
    const Hands hands = draw_once(random);
    if (!honours_limited_ || admits(hands)) return hands;
  }
  throw std::invalid_argument("no layout found with so many aces and kings");
}

Hands DirectedDealer::draw_once(Random& random) const {
  const auto left = pairs_[0].cell(cells_[pick(cumulative_, random)]);
  const PairWays& right = pairs_[1];
  const int points = tracked_ ? right.points() : 0;
  double total = 0;
  int low = 0, high = 0;
  for (int p = 0; p <= points; ++p) total += right_ways(left, p, &low, &high);
  double target = uniform(random) * total;
  SuitWays::Cell chosen{{quota_[0] - left.cards[0], quota_[1] - left.cards[1]}, {0, 0}};
  for (int p = 0; p <= points; ++p) {
    const double ways = right_ways(left, p, &low, &high);
    if (ways <= 0) continue;
    for (int q = low; q <= high; ++q) {
      const SuitWays::Cell cell{{chosen.cards[0], chosen.cards[1]}, {p, q}};
      const double count = right.counts()[right.index(cell)];
      if (count == 0) continue;
      chosen = cell;
      if ((target -= count) < 0) break;
    }
    if (target < 0) break;
  }
  std::array<std::uint64_t, 3> dealt{};
  pairs_[0].deal(left, dealt, random);
  right.deal(chosen, dealt, random);
  Hands hands = fixed_;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) hands[slots_[slot]] |= dealt[slot];
  return hands;
}

bool DirectedDealer::admits(const Hands& hands) const {
  for (int seat = 0; seat < 4; ++seat)
    if (!limits_[seat].admits(hands[seat])) return false;
  return true;
}

// ---- a union of cases

LayoutDealer::LayoutDealer(const Hands& fixed, const Hands& forbidden, const std::vector<Limits>& cases) {
  std::uint64_t seen = 0;
  for (const auto hand : fixed) {
    if (std::popcount(hand) > 13 || (seen & hand)) throw std::invalid_argument("a card held twice, or more than 13");
    seen |= hand;
  }
  double total = 0;
  for (const auto& limits : cases) {
    DirectedDealer dealer(fixed, forbidden, limits);
    counts_.push_back(dealer.count());
    if (dealer.count() <= 0) continue;
    dealers_.push_back(std::move(dealer));
    cumulative_.push_back(total += dealers_.back().count());
  }
}

Hands LayoutDealer::draw(Random& random) const {
  if (dealers_.empty()) throw std::invalid_argument("no layout fits the limits");
  if (dealers_.size() == 1) return dealers_[0].draw(random);
  while (true) {
    const Hands hands = dealers_[pick(cumulative_, random)].draw(random);
    const auto within = std::count_if(dealers_.begin(), dealers_.end(), [&](const auto& d) { return d.admits(hands); });
    if (within <= 1 || random.below(static_cast<std::uint32_t>(within)) == 0) return hands;
  }
}

}  // namespace borel
