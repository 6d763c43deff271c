#include "best_line.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "first_choice.h"
#include "layout_set.h"
#include "one_plan.h"
#include "quantum.h"

namespace borel {

namespace {

constexpr int ANY_CARD = -1;  // a defender is on play

template <int Words>
class BestLine {
 public:
  using Set = LayoutSet<Words>;
  using Choice = FirstChoice<Set>;

  BestLine(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign)
      : game_(game), options_(options), sign_(sign), weights_(options.weights), most_(options.least_weight) {
    if (weights_.empty()) weights_.assign(game.layouts(), 1.0);
    quantum_ = quantum_of(weights_);
  }

  SingleDummyResult run() {
    SingleDummyResult result;
    const int played = game_.played();
    result.stopped = true;
    result.upper = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    try {
      first_cards();
      for (result.upper = most_; Choice* choice = most_promising();) after(choice->card, [&] { advance(*choice); });
      result.stopped = false;
      find_other_cards();
    } catch (const Stopped& stopped) {
      if (stopped.why != Stopped::Why::deadline) throw;
      game_.rewind(played);
    }
    result.upper = std::max(result.upper, most_);
    for (const Choice& choice : choices_)
      if (is_better(choice.upper)) result.upper = std::max(result.upper, choice.upper);
    if (!best_.empty()) {
      result.lines.push_back({{}, best_cards_});
      best_.each([&](int layout) { result.lines[0].layouts.push_back(layout); });
    }
    result.nodes = nodes_;
    return result;
  }

 private:
  template <class Act>
  void after(int card, Act&& act) {
    if (card == ANY_CARD) return act();
    game_.play(card);
    act();
    game_.undo();
  }

  // Declarer's cards with the layouts that each wins with all cards seen.
  void first_cards() {
    std::vector<int> moves{ANY_CARD};
    if (!game_.defender_to_play()) game_.moves(moves);
    for (const int move : moves) {
      Set makes;
      after(move, [&] {
        for (int layout = 0; layout < game_.layouts(); ++layout)
          if (game_.wins(layout)) makes.add(layout);
      });
      choices_.emplace_back(move, makes, weights_);
    }
  }

  // The first card with the highest bound from above: whatever the best line is, it must be looked at.
  Choice* most_promising() {
    Choice* chosen = nullptr;
    for (Choice& choice : choices_)
      if (is_better(choice.upper) && (!chosen || choice.upper > chosen->upper)) chosen = &choice;
    return chosen;
  }

  // Plans weigh a whole number of quanta, so that a bound between two numbers is as good as the lower one.
  bool is_better(double upper) const {
    const double next = quantum_ > 0 ? quantum_ * (std::floor(most_ / quantum_ + 1e-2) + 1 - 1e-2) : most_ + 1e-9;
    return upper > next;
  }

  // One round of conflicts, or if that finds nothing new, the end of it by branching.
  void advance(Choice& choice) {
    const Outcome outcome = round(choice, choice.packing);
    choice.upper = std::min(choice.upper, outcome == Outcome::hopeless ? most_ : choice.packing.bound());
    if (outcome != Outcome::stuck || !is_better(choice.upper)) return;
    branch(choice, choice.packing);
    choice.upper = std::min(choice.upper, most_);
  }

  enum class Outcome { hopeless, progress, stuck };

  // What the program keeps is tested, which gives new conflicts and a plan; then it is solved with these.
  Outcome round(Choice& choice, Packing& packing) {
    const std::vector<double> values = choice.values(packing);
    Set kept = choice.above(values, 0.01), conflict;
    bool fresh = false;
    for (; !together(choice, kept, conflict); conflict = Set{}) {
      conflict = smallest(choice, conflict, values);
      fresh |= choice.learn(conflict, values, [&](int a, int b) { return clash(choice, a, b); });
      const int given_up = choice.least_kept(conflict, values, packing);
      if (given_up < 0) return Outcome::hopeless;
      kept.remove(given_up);
    }
    keep(extended(choice, kept, choice.order(values)), choice.card);
    choice.tested = true;
    return solve(choice, packing) ? (fresh ? Outcome::progress : Outcome::stuck) : Outcome::hopeless;
  }

  bool solve(Choice& choice, Packing& packing) {
    packing.forget_loose();
    while (packing.solve([this] { look(); }) && is_better(packing.bound()))
      if (!choice.add_broken_rows(packing)) return true;
    return false;
  }

  // A layout of which a part is kept is kept or given up.
  void branch(Choice& choice, const Packing& packing) {
    const int column = choice.most_divided(packing);
    if (column < 0) return;
    for (const bool kept : {true, false}) {
      Packing part = packing;
      part.fix(column, kept);
      Outcome outcome = solve(choice, part) ? Outcome::progress : Outcome::hopeless;
      while (outcome == Outcome::progress) outcome = round(choice, part);
      if (outcome == Outcome::stuck && is_better(part.bound())) branch(choice, part);
    }
  }

  bool clash(Choice& choice, int a, int b) {
    if (choice.go[a].has(b)) return false;
    Set pair, conflict;
    pair.add(a), pair.add(b);
    if (together(choice, pair, conflict)) return false;
    return choice.clash[a].add(b), choice.clash[b].add(a), true;
  }

  bool together(Choice& choice, const Set& wanted, Set& conflict) {
    const bool won = game_.over() ? game_.won() : plan_.wins(wanted, conflict);
    if (won) choice.learn_plan(wanted);
    return won;
  }

  double weigh(const Set& set) const {
    double weight = 0;
    set.each([&](int layout) { weight += weights_[layout]; });
    return weight;
  }

  // A part of the conflict from which nothing can be taken away; what is hardly kept is tried first.
  Set smallest(Choice& choice, Set conflict, const std::vector<double>& values) {
    std::vector<int> order;
    conflict.each([&](int layout) { order.push_back(layout); });
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
    for (const int layout : order) {
      if (!conflict.has(layout) || conflict.count() <= 2) continue;
      Set part = conflict, found;
      part.remove(layout);
      if (!together(choice, part, found)) conflict = found;
    }
    return conflict;
  }

  // A set that one plan wins with as much of the rest as goes with it, in this order (Algorithm 7.1.4 by halves).
  Set extended(Choice& choice, const Set& kept, const std::vector<int>& order) {
    Set result = kept;
    std::vector<int> rest;
    for (const int layout : order)
      if (!kept.has(layout) && !choice.forbids(kept, layout)) rest.push_back(layout);
    extend(choice, result, rest, 0, rest.size());
    return result;
  }
  void extend(Choice& choice, Set& kept, const std::vector<int>& order, std::size_t from, std::size_t to) {
    if (from == to) return;
    Set wanted = kept, conflict;
    for (std::size_t i = from; i < to; ++i) wanted.add(order[i]);
    if (!choice.forbids(wanted) && together(choice, wanted, conflict)) return void(kept = wanted);
    if (to - from == 1) return;
    const std::size_t middle = from + (to - from) / 2;
    extend(choice, kept, order, from, middle);
    extend(choice, kept, order, middle, to);
  }

  void keep(const Set& found, int card) {
    const double weight = weigh(found);
    if (weight <= most_ + 1e-9) return;
    most_ = weight, best_ = found, best_cards_.clear();
    if (card != ANY_CARD) best_cards_.push_back(card);
  }

  // Other first cards that the best plan can begin with.
  void find_other_cards() {
    if (best_cards_.empty()) return;
    std::vector<int> cards;
    for (Choice& choice : choices_) {
      bool won = choice.card == best_cards_[0];
      if (!won && best_.within(choice.makes)) after(choice.card, [&] { won = wins_best(choice); });
      if (won) cards.push_back(choice.card);
    }
    best_cards_ = cards;
  }
  bool wins_best(Choice& choice) {
    Set conflict;
    return together(choice, best_, conflict);
  }

  void look() {
    if (sign_) sign_->look();
  }
  void count_node() {
    if (options_.node_limit && nodes_ >= options_.node_limit) throw Stopped(Stopped::Why::node_limit);
    if ((++nodes_ & 255) == 0) look();
  }

  SingleDummyGame& game_;
  const SingleDummyOptions& options_;
  StopSign* sign_;
  std::vector<double> weights_;
  double quantum_ = 0;
  double most_;  // the weight of the best plan so far
  Set best_;
  std::vector<int> best_cards_;  // that its plan begins with; none when a defender is on play
  std::vector<Choice> choices_;
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
