#include "single_dummy.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "layout_set.h"

namespace borel {

namespace {

// Alpha-beta in the lattice. A value is kept in full form: layouts that are no longer possible at a node count as won
// there (section 5, item 5), so meets and joins are plain set operations wherever they happen in the tree.
template <int Words>
class LatticeSearch {
 public:
  static constexpr std::size_t TABLE_SIZE = 2'000'000;
  using Set = LayoutSet<Words>;
  using Value = Antichain<Set>;

  LatticeSearch(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign)
      : game_(game), options_(options), sign_(sign), all_(Set::first(game.layouts())), weights_(options.weights) {
    if (weights_.empty()) weights_.assign(game.layouts(), 1.0);
  }

  SingleDummyResult run() {
    least_ = options_.least_weight;
    if (!options_.best_only || game_.over()) return run_once();
    const double most = weigh(winners(all_));
    for (const double part : {0.999, 0.95, 0.85, 0.7, 0.5, 0.3, 0.1}) {
      least_ = std::max(options_.least_weight, part * most);
      table_.clear();  // its values are without the light lines; what was asked about whole sets stays true
      SingleDummyResult result = run_once();
      if (!result.lines.empty()) return result;
    }
    least_ = options_.least_weight;
    table_.clear();
    return run_once();
  }

 private:
  SingleDummyResult run_once() {
    SingleDummyResult result;
    std::vector<std::pair<int, Value>> choices;  // declarer's first cards with what each can play for
    Value value;
    if (game_.over() || game_.defender_to_play()) {
      value = search(all_, Value{}, Value{all_}).value;
    } else {
      std::vector<int> moves;
      game_.moves(moves);
      for (const int move : moves) {
        game_.play(move);
        choices.emplace_back(move, search(all_, Value{}, Value{all_}).value);
        game_.undo();
        value = value.join(choices.back().second);
      }
    }
    for (const Set& set : value.sets()) result.lines.push_back(line(set, choices));
    result.nodes = nodes_;
    return result;
  }

  struct Found {
    Value value;
    bool exact = true;  // false when a bound from above ended the search early
  };
  struct Key {
    std::uint64_t position;
    Set alive;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.position ^ key.alive.hash(); }
  };

  Line line(const Set& set, const std::vector<std::pair<int, Value>>& choices) const {
    Line line;
    set.each([&](int layout) { line.layouts.push_back(layout); });
    for (const auto& [move, value] : choices)
      if (value.covers(set)) line.cards.push_back(move);
    return line;
  }

  // A plan wins no more than any set on its way, so a light set is of no use to a heavy line.
  bool light(const Set& set) const {
    return least_ > 0 && weigh(set) < least_;
  }
  double weigh(const Set& set) const {
    double weight = 0;
    set.each([&](int layout) { weight += weights_[layout]; });
    return weight;
  }
  Value heavy(Value value) const {
    if (least_ > 0) value.drop([&](const Set& set) { return light(set); });
    return value;
  }

  Set winners(const Set& alive) {
    Set wins;
    alive.each([&](int layout) {
      if (game_.wins(layout)) wins.add(layout);
    });
    return wins;
  }

  void count_node() {
    if (options_.node_limit && nodes_ >= options_.node_limit) throw Stopped(Stopped::Why::node_limit);
    if ((++nodes_ & 255) == 0 && sign_) sign_->look();
  }

  Found search(const Set& alive, const Value& alpha, const Value& beta) {
    count_node();
    if (game_.over()) return {Value{game_.won() ? all_ : all_.minus(alive)}, true};
    // No plan wins more than what is won with all cards seen.
    const Set wins = winners(alive);
    const Set most = wins | all_.minus(alive);
    if (light(most)) return {Value{}, true};
    if (wins.count() <= 1) return {Value{most}, true};
    if (options_.shallow_pruning && alpha.covers(most)) return {Value{most}, false};
    const Key key{game_.key(), wins};
    if (options_.table)
      if (const auto known = table_.find(key); known != table_.end()) return {known->second.mapped(with(all_.minus(alive))), true};
    if (options_.ask_first && all_won(wins)) return {Value{most}, true};
    Found found = game_.defender_to_play() ? defend(wins, most, alpha, beta) : declare(wins, most, alpha, beta);
    if (options_.table && found.exact && table_.size() < TABLE_SIZE) table_.emplace(key, trim(found.value, wins));
    return found;
  }

  static Value trim(const Value& value, const Set& most) { return value.meet(Value{most}); }
  // In the table a value speaks of the layouts that can be won; those no longer possible are added for each node.
  static auto with(const Set& impossible) {
    return [impossible](const Set& set) { return set | impossible; };
  }

  // Whether one plan wins in all of these layouts, each of which is won with all cards seen. A value of zero or one, so a
  // plain search (section 7.1); what is known of a set is known of its parts, or of those that contain it.
  bool all_won(const Set& wanted) {
    count_node();
    if (wanted.count() <= 1) return true;
    Answers& answers = asked_[game_.key()];
    for (const Set& set : answers.won)
      if (wanted.within(set)) return true;
    for (const Set& set : answers.lost)
      if (set.within(wanted)) return false;
    const bool won = game_.defender_to_play() ? all_defended(wanted) : some_card_wins(wanted);
    auto& known = won ? asked_[game_.key()].won : asked_[game_.key()].lost;
    if (known.size() < 64) known.push_back(wanted);
    return won;
  }

  bool some_card_wins(const Set& wanted) {
    std::vector<int> moves;
    game_.moves(moves);
    for (const int move : moves) {
      game_.play(move);
      const bool won = game_.over() ? game_.won() : none_lost(wanted) && all_won(wanted);
      game_.undo();
      if (won) return true;
    }
    return false;
  }

  bool all_defended(const Set& wanted) {
    std::vector<int> moves;
    game_.moves(moves);
    for (const int move : moves) {
      const Set able = able_to(wanted, move);
      if (able.empty()) continue;
      game_.play(move);
      const bool won = game_.over() ? game_.won() : all_won(able);
      game_.undo();
      if (!won) return false;
    }
    return true;
  }

  // With all cards seen; the layout that refuted last is asked first.
  bool none_lost(const Set& wanted) {
    if (refuter_ >= 0 && wanted.has(refuter_) && !game_.wins(refuter_)) return false;
    bool lost = false;
    wanted.each([&](int layout) {
      if (!lost && !game_.wins(layout)) lost = true, refuter_ = layout;
    });
    return !lost;
  }

  Set able_to(const Set& alive, int move) const {
    Set able;
    alive.each([&](int layout) {
      if (game_.can_play(layout, move)) able.add(layout);
    });
    return able;
  }

  // Declarer's cards, those first that win most with all cards seen.
  std::vector<int> ordered_moves(const Set& alive) {
    std::vector<int> moves;
    game_.moves(moves);
    if (!options_.order_moves || moves.size() < 2) return moves;
    std::vector<std::pair<int, int>> counted;
    for (const int move : moves) {
      game_.play(move);
      counted.emplace_back(-winners(alive).count(), move);
      game_.undo();
    }
    std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = counted[i].second;
    return moves;
  }

  Found declare(const Set& alive, const Set& most, const Value& alpha, const Value& beta) {
    const std::vector<int> moves = ordered_moves(alive);
    Found found{Value{}, true};
    for (const int move : moves) {
      const Value bound = options_.deep_pruning ? alpha.join(found.value) : found.value;
      game_.play(move);
      const Found child = search(alive, bound, beta);
      game_.undo();
      found.exact &= child.exact;
      found.value = found.value.join(trim(child.value, most));
      if (found.value.covers(most)) return {Value{most}, true};  // nothing can be better
      if (options_.shallow_pruning && beta.below(found.value)) return {found.value, false};
    }
    return found;
  }

  Found defend(const Set& alive, const Set& most, const Value& alpha, const Value& beta) {
    std::vector<int> moves;
    game_.moves(moves);
    Found found{Value{most}, true};
    for (const int move : moves) {
      const Set able = able_to(alive, move);
      if (able.empty()) continue;
      const Value bound = options_.deep_pruning ? beta.meet(found.value) : found.value;
      game_.play(move);
      const Found child = search(able, alpha, bound);
      game_.undo();
      found.exact &= child.exact;
      found.value = heavy(found.value.meet(child.value));
      if (found.value.sets().empty()) return found;
      if (options_.shallow_pruning && found.value.below(alpha)) return {found.value, false};
    }
    return found;
  }

  SingleDummyGame& game_;
  const SingleDummyOptions& options_;
  StopSign* sign_;
  Set all_;
  std::vector<double> weights_;
  struct Answers {
    std::vector<Set> won, lost;
  };
  std::uint64_t nodes_ = 0;
  double least_ = 0;
  int refuter_ = -1;
  std::unordered_map<Key, Value, KeyHash> table_;
  std::unordered_map<std::uint64_t, Answers> asked_;
};

}  // namespace

SingleDummyResult solve_single_dummy(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign) {
  const int n = game.layouts();
  game.solver().set_stop_sign(sign);
  if (n <= 64) return LatticeSearch<1>(game, options, sign).run();
  if (n <= 256) return LatticeSearch<4>(game, options, sign).run();
  if (n <= 1024) return LatticeSearch<16>(game, options, sign).run();
  if (n <= 4096) return LatticeSearch<64>(game, options, sign).run();
  throw std::invalid_argument("more than 4096 different layouts of the hidden cards");
}

}  // namespace borel
