#include "squeaky_wheel.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace borel {

namespace {

// "Situations that are either like s or like those already in A" (section 7.1): the first hidden hand has as many cards of
// each suit as some of them have, or a number between, and the best card of a suit where all of them agree on it.
class Likeness {
 public:
  Likeness(const SingleDummyGame& game, const std::vector<int>& layouts) : game_(game) {
    for (int suit = 0; suit < SUITS; ++suit)
      for (const int layout : layouts) {
        const int length = game.length(layout, suit), best = game.has_best(layout, suit);
        least_[suit] = {std::min(least_[suit].first, length), std::min(least_[suit].second, best)};
        most_[suit] = {std::max(most_[suit].first, length), std::max(most_[suit].second, best)};
      }
  }
  bool admits(int layout) const {
    for (int suit = 0; suit < SUITS; ++suit) {
      const int length = game_.length(layout, suit), best = game_.has_best(layout, suit);
      if (length < least_[suit].first || length > most_[suit].first) return false;
      if (best < least_[suit].second || best > most_[suit].second) return false;
    }
    return true;
  }

 private:
  const SingleDummyGame& game_;
  std::array<std::pair<int, int>, SUITS> least_{{{RANKS, 1}, {RANKS, 1}, {RANKS, 1}, {RANKS, 1}}}, most_{};
};

class Wheel {
 public:
  Wheel(SingleDummyGame& game, const std::vector<double>& weights, const SqueakyWheelOptions& options, StopSign* sign,
        const std::vector<int>& alive, const std::vector<int>& spare)
      : game_(game), weights_(weights), options_(options), sign_(sign), alive_(alive), spare_(spare) {
    if (alive_.empty()) {
      alive_.resize(game.layouts());
      std::iota(alive_.begin(), alive_.end(), 0);
    }
  }

  SqueakyWheelResult run() {
    const int played = game_.played();
    start();
    try {
      Achievable ask(game_, {1, true, options_.node_limit}, sign_);
      for (const CardPlan& possible : possible_) ask.learn(possible.card, possible.layouts);
      for (int depth = 1; depth <= options_.depth; ++depth) {
        ask.set_depth(depth);
        deepen(ask);
        result_.depth = depth;
        result_.nodes = ask.nodes();
        if (settled() || !ask.limited()) break;
      }
    } catch (const Stopped&) {
      // What was finished stands; a depth that was broken off has left the plans of the depth before.
      game_.rewind(played);
    }
    sort(result_.plans);
    return result_;
  }

 private:
  // Each card's layouts that are won double dummy: no plan can win more.
  void start() {
    std::vector<int> moves;
    game_.moves(moves);
    for (const int move : moves) {
      CardPlan plan;
      plan.card = move;
      plan.layouts = winners(move, alive_);
      if (!spare_.empty()) spare_won_[move] = winners(move, spare_);
      plan.weight = plan.double_dummy = weigh(plan.layouts) + (spare_.empty() ? 0 : weigh(spare_won_[move]));
      result_.plans.push_back(plan);
    }
    possible_ = result_.plans;
    sort(possible_);
  }

  // Of these layouts those that are won with all cards seen after one of declarer's cards.
  std::vector<int> winners(int move, const std::vector<int>& layouts) {
    std::vector<int> won;
    const auto known = std::find_if(options_.known.begin(), options_.known.end(), [&](const auto& k) { return k.first == move; });
    if (known != options_.known.end()) {
      const std::unordered_set<int> makes(known->second.begin(), known->second.end());
      std::copy_if(layouts.begin(), layouts.end(), std::back_inserter(won), [&](int layout) { return makes.contains(layout); });
      return won;
    }
    game_.play(move);
    std::copy_if(layouts.begin(), layouts.end(), std::back_inserter(won), [&](int layout) { return game_.wins(layout); });
    game_.undo();
    return won;
  }

  void deepen(Achievable& ask) {
    std::vector<CardPlan> plans;
    double best = 0;
    for (const CardPlan& possible : possible_) {
      CardPlan plan = possible;
      plan.layouts.clear();
      plan.weight = 0;
      if (possible.double_dummy > best - 1e-9) plan = best_plan(ask, possible);  // as good counts: it may score more
      best = std::max(best, plan.weight);
      plans.push_back(plan);
    }
    result_.plans = plans;
  }

  // Build, see what squeaks, move it forward, build again; the best set counts.
  CardPlan best_plan(Achievable& ask, const CardPlan& possible) {
    // The plan of the depth before comes first: it mostly stands, and then only the others are asked about.
    std::vector<int> order = possible.layouts;
    const auto before = std::find_if(result_.plans.begin(), result_.plans.end(), [&](const CardPlan& p) { return p.card == possible.card; });
    const std::unordered_set<int> planned(before->layouts.begin(), before->layouts.end());
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return planned.contains(a) != planned.contains(b) ? planned.contains(a) : weights_[a] > weights_[b];
    });
    CardPlan best = possible;
    best.layouts.clear();
    best.weight = 0;
    for (int round = 0; round < options_.rounds; ++round) {
      std::vector<int> kept, left;
      extend(ask, possible.card, order, 0, order.size(), kept, left);
      if (weigh(kept) > best.weight) best.layouts = kept, best.weight = weigh(kept);
      if (left.empty()) break;
      // The heaviest of what squeaked comes first now; what was kept keeps its order behind it.
      std::stable_sort(left.begin(), left.end(), [&](int a, int b) { return weights_[a] > weights_[b]; });
      const std::size_t forward = 1 + left.size() / 2;
      std::vector<int> next(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(std::min(forward, left.size())));
      std::erase_if(kept, [&](int layout) { return std::find(order.begin(), order.end(), layout) == order.end(); });
      next.insert(next.end(), kept.begin(), kept.end());
      next.insert(next.end(), left.begin() + static_cast<std::ptrdiff_t>(next.size() - kept.size()), left.end());
      if (next == order) break;
      order = next;
    }
    return best;
  }

  // Algorithm 7.1.4 by halves: the same set as adding one layout after another, for whatever can be added to a set can be
  // added to any part of it. With spare layouts, Algorithm 7.1.7: the general union is tried where the union is achievable.
  void extend(Achievable& ask, int card, const std::vector<int>& order, std::size_t from, std::size_t to,
              std::vector<int>& kept, std::vector<int>& left) {
    if (from == to) return;
    std::vector<int> wanted = kept;
    wanted.insert(wanted.end(), order.begin() + static_cast<std::ptrdiff_t>(from),
                  order.begin() + static_cast<std::ptrdiff_t>(to));
    if (ask.check(wanted, card)) {
      kept = wanted;
      generalise(ask, card, kept);
    } else if (to - from == 1) {
      left.push_back(order[from]);
    } else {
      const std::size_t middle = from + (to - from) / 2;
      extend(ask, card, order, from, middle, kept, left);
      extend(ask, card, order, middle, to, kept, left);
    }
  }

  void generalise(Achievable& ask, int card, std::vector<int>& kept) {
    const auto spare = spare_won_.find(card);
    if (spare == spare_won_.end()) return;
    const Likeness like(game_, kept);
    std::vector<int> more = kept;
    for (const int layout : spare->second)
      if (like.admits(layout) && std::find(kept.begin(), kept.end(), layout) == kept.end()) more.push_back(layout);
    if (more.size() > kept.size() && ask.check(more, card)) kept = more;
  }

  // No deeper search can change the choice: the best plan wins all that any card could.
  bool settled() const {
    const auto best = std::max_element(result_.plans.begin(), result_.plans.end(),
                                       [](const CardPlan& a, const CardPlan& b) { return a.weight < b.weight; });
    return best == result_.plans.end() || best->weight <= 0 || result_.plans.size() == 1;
  }

  double weigh(const std::vector<int>& layouts) const {
    double weight = 0;
    for (const int layout : layouts) weight += weights_[layout];
    return weight;
  }
  static void sort(std::vector<CardPlan>& plans) {
    std::stable_sort(plans.begin(), plans.end(), [](const CardPlan& a, const CardPlan& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.double_dummy > b.double_dummy;
    });
  }

  SingleDummyGame& game_;
  const std::vector<double>& weights_;
  const SqueakyWheelOptions& options_;
  StopSign* sign_;
  std::vector<int> alive_, spare_;
  std::unordered_map<int, std::vector<int>> spare_won_;  // by declarer's first card
  std::vector<CardPlan> possible_;
  SqueakyWheelResult result_;
};

}  // namespace

SqueakyWheelResult squeaky_wheel(SingleDummyGame& game, const std::vector<double>& weights,
                                 const SqueakyWheelOptions& options, StopSign* sign, const std::vector<int>& alive,
                                 const std::vector<int>& spare) {
  if (game.over() || game.defender_to_play()) throw std::invalid_argument("declarer must be on play");
  if (static_cast<int>(weights.size()) != game.layouts()) throw std::invalid_argument("one weight for each layout");
  game.solver().set_stop_sign(sign);
  return Wheel(game, weights, options, sign, alive, spare).run();
}

}  // namespace borel
