#include "best_line.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "layout_set.h"
#include "one_plan.h"

namespace borel {

namespace {

constexpr int ANY_CARD = -1;  // a defender is on play
constexpr double CLOSE = 1e-9;

template <int Words>
class BestLine {
 public:
  using Set = LayoutSet<Words>;

  BestLine(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign)
      : game_(game), options_(options), sign_(sign), weights_(options.weights), most_(options.least_weight) {
    if (weights_.empty()) weights_.assign(game.layouts(), 1.0);
    heaviest_first_.resize(game.layouts());
    std::iota(heaviest_first_.begin(), heaviest_first_.end(), 0);
    std::stable_sort(heaviest_first_.begin(), heaviest_first_.end(), [&](int a, int b) { return weights_[a] > weights_[b]; });
  }

  SingleDummyResult run() {
    std::vector<std::pair<int, Set>> cards = first_cards();
    std::stable_sort(cards.begin(), cards.end(), [&](const auto& a, const auto& b) { return weigh(a.second) > weigh(b.second); });
    for (const auto& [card, makes] : cards) {
      conflicts_.clear();
      after(card, [&] { branch(makes, Set{}, true); });
    }
    SingleDummyResult result;
    if (!best_.empty()) result.lines.push_back(line(cards));
    result.nodes = nodes_;
    return result;
  }

 private:
  // A bound from above for the plans that win all of some layouts and none but `open` ones.
  struct Bound {
    double upper;
    Set kept;               // what one plan wins, if the bound was not cut short
    std::vector<int> hits;  // conflicts that each layout is in
  };

  template <class Act>
  void after(int card, Act&& act) {
    if (card == ANY_CARD) return act();
    game_.play(card);
    act();
    game_.undo();
  }

  // Declarer's cards with the layouts that each wins with all cards seen.
  std::vector<std::pair<int, Set>> first_cards() {
    std::vector<int> moves{ANY_CARD};
    if (!game_.defender_to_play()) game_.moves(moves);
    std::vector<std::pair<int, Set>> cards;
    for (const int move : moves) {
      Set makes;
      after(move, [&] {
        for (int layout = 0; layout < game_.layouts(); ++layout)
          if (game_.wins(layout)) makes.add(layout);
      });
      cards.emplace_back(move, makes);
    }
    return cards;
  }

  Line line(const std::vector<std::pair<int, Set>>& cards) {
    Line line;
    best_.each([&](int layout) { line.layouts.push_back(layout); });
    for (const auto& [card, makes] : cards)
      if (card != ANY_CARD && best_.within(makes)) {
        bool won = false;
        after(card, [&] { won = together(best_); });
        if (won) line.cards.push_back(card);
      }
    return line;
  }

  bool together(const Set& wanted) {
    Set conflict;
    return together(wanted, conflict);
  }
  bool together(const Set& wanted, Set& conflict) {
    return game_.over() ? game_.won() : plan_.wins(wanted, conflict);
  }

  double weigh(const Set& set) const {
    double weight = 0;
    set.each([&](int layout) { weight += weights_[layout]; });
    return weight;
  }

  // The best plan that wins all of `forced` and some of the other `open` layouts, if it is better than what is known.
  void branch(Set open, const Set& forced, bool first = false) {
    give_up(open, forced);
    if (weigh(open) <= most_ + CLOSE) return;
    const Bound bound = bounded(open, forced);
    if (bound.upper <= most_ + CLOSE) return;
    const Set found = keep(extended(bound.kept, open));
    // What was left out squeaks once (section 7.2): it is looked at first.
    if (first && bound.upper > most_ + CLOSE) keep(extended(extended(forced, open.minus(found)), found));
    if (bound.upper <= most_ + CLOSE) return;
    const int layout = most_disputed(open.minus(forced), bound);
    if (layout < 0) return;
    Set with = forced, without = open;
    with.add(layout), without.remove(layout);
    branch(open, with);
    branch(without, forced);
  }

  // What is in conflict with forced layouts alone: it has no weight to share with other conflicts.
  void give_up(Set& open, const Set& forced) const {
    for (const Set& conflict : conflicts_)
      if (const Set rest = conflict.minus(forced); rest.count() == 1) open = open.minus(rest);
  }

  Bound bounded(const Set& open, const Set& forced) {
    Bound bound{weigh(open), open, std::vector<int>(weights_.size())};
    std::vector<double> left = weights_;  // of each layout's weight, not yet given to a conflict
    forced.each([&](int layout) { left[layout] = std::numeric_limits<double>::infinity(); });
    for (std::size_t i = 0; i < conflicts_.size() && bound.upper > most_ + CLOSE; ++i)
      if (conflicts_[i].within(bound.kept)) share_out(conflicts_[i], left, bound);
    for (Set conflict; bound.upper > most_ + CLOSE && !together(bound.kept, conflict); conflict = Set{}) {
      const Set small = smallest(conflict, left);
      share_out(small, left, bound);
      conflicts_.insert(std::upper_bound(conflicts_.begin(), conflicts_.end(), small, smaller), small);
    }
    return bound;
  }

  static bool smaller(const Set& a, const Set& b) { return a.count() < b.count(); }

  // One of these layouts must be given up: the bound falls by the lightest of what is left of them.
  void share_out(const Set& conflict, std::vector<double>& left, Bound& bound) {
    double least = std::numeric_limits<double>::infinity();
    conflict.each([&](int layout) { least = std::min(least, left[layout]); });
    bound.upper -= least;
    if (least == std::numeric_limits<double>::infinity()) return;  // all are forced: there is no such plan
    conflict.each([&](int layout) {
      left[layout] -= least, ++bound.hits[layout];
      if (left[layout] <= CLOSE * weights_[layout]) bound.kept.remove(layout);
    });
  }

  // A part of the conflict from which nothing can be taken away, the lightest being tried first.
  Set smallest(Set conflict, const std::vector<double>& left) {
    std::vector<int> order;
    conflict.each([&](int layout) { order.push_back(layout); });
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return left[a] < left[b]; });
    for (const int layout : order) {
      if (!conflict.has(layout) || conflict.count() <= 2) continue;
      Set part = conflict, found;
      part.remove(layout);
      if (!together(part, found)) conflict = found;
    }
    return conflict;
  }

  // A set that one plan wins with as much of the rest as goes with it, heavy layouts first (Algorithm 7.1.4 by halves).
  Set extended(const Set& kept, const Set& rest) {
    std::vector<int> order;
    for (const int layout : heaviest_first_)
      if (rest.has(layout) && !kept.has(layout)) order.push_back(layout);
    Set result = kept;
    extend(result, order, 0, order.size());
    return result;
  }
  void extend(Set& kept, const std::vector<int>& order, std::size_t from, std::size_t to) {
    if (from == to) return;
    Set wanted = kept;
    for (std::size_t i = from; i < to; ++i) wanted.add(order[i]);
    const bool clashes = std::any_of(conflicts_.begin(), conflicts_.end(), [&](const Set& c) { return c.within(wanted); });
    if (!clashes && together(wanted)) return void(kept = wanted);
    if (to - from == 1) return;
    const std::size_t middle = from + (to - from) / 2;
    extend(kept, order, from, middle);
    extend(kept, order, middle, to);
  }

  Set keep(const Set& found) {
    if (const double weight = weigh(found); weight > most_ + CLOSE) most_ = weight, best_ = found;
    return found;
  }

  int most_disputed(const Set& among, const Bound& bound) const {
    int chosen = -1;
    double most = 0;
    among.each([&](int layout) {
      if (const double dispute = bound.hits[layout] * weights_[layout]; dispute > most) most = dispute, chosen = layout;
    });
    return chosen;
  }

  void count_node() {
    if (options_.node_limit && nodes_ >= options_.node_limit) throw Stopped(Stopped::Why::node_limit);
    if ((++nodes_ & 255) == 0 && sign_) sign_->look();
  }

  SingleDummyGame& game_;
  const SingleDummyOptions& options_;
  StopSign* sign_;
  std::vector<double> weights_;
  std::vector<int> heaviest_first_;
  double most_;  // the weight of the best plan so far
  Set best_;
  std::vector<Set> conflicts_;  // after the first card that is looked at; the smallest first, which say most
  std::uint64_t nodes_ = 0;
  OnePlan<Set> plan_{game_, [this] { count_node(); }, options_.table};
};

}  // namespace

SingleDummyResult best_line(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign) {
  const int n = game.layouts();
  if (n <= 64) return BestLine<1>(game, options, sign).run();
  if (n <= 256) return BestLine<4>(game, options, sign).run();
  if (n <= 512) return BestLine<8>(game, options, sign).run();
  if (n <= 1024) return BestLine<16>(game, options, sign).run();
  if (n <= 1536) return BestLine<24>(game, options, sign).run();
  if (n <= 2048) return BestLine<32>(game, options, sign).run();
  if (n <= 2816) return BestLine<44>(game, options, sign).run();
  if (n <= 12928) return BestLine<202>(game, options, sign).run();
  throw std::invalid_argument("more than 12928 different layouts of the hidden cards");
}

}  // namespace borel
