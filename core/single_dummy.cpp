#include "single_dummy.h"

#include <algorithm>
#include <array>
#include <bit>
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
  static constexpr int STEPS = 25;
  static constexpr int BYTES = 8 * Words;
  using Set = LayoutSet<Words>;
  using Value = Antichain<Set>;

  LatticeSearch(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign)
      : game_(game), options_(options), sign_(sign), all_(Set::first(game.layouts())), weights_(options.weights) {
    if (weights_.empty()) weights_.assign(game.layouts(), 1.0);
    for (int byte = 0; byte < BYTES; ++byte)
      for (int bits = 1; bits < 256; ++bits) {
        const int layout = 8 * byte + std::countr_zero(static_cast<unsigned>(bits));
        byte_weights_[byte][bits] = byte_weights_[byte][bits & (bits - 1)] + (layout < game.layouts() ? weights_[layout] : 0.0);
      }
  }

  SingleDummyResult run() {
    if (!options_.best_only || game_.over()) return run_once(options_.least_weight);
    // A line within a step of what is won with all cards seen is looked for, then within two, and so on. Each failure is
    // quick, for little may be given up, and what it proved stays in the table; the last step has little slack.
    const double most = weigh(winners(all_)), step = most / STEPS;
    for (int i = 1; i < STEPS; ++i) {
      SingleDummyResult result = run_once(std::max(options_.least_weight, most - i * step));
      if (!result.lines.empty() || options_.least_weight >= most - i * step) return result;
    }
    return run_once(options_.least_weight);
  }

 private:
  SingleDummyResult run_once(double least) {
    SingleDummyResult result;
    std::vector<std::pair<int, Value>> choices;  // declarer's first cards with what each can play for
    Value value;
    if (game_.over() || game_.defender_to_play()) {
      value = search(all_, Value{}, Value{all_}, least).value;
    } else {
      std::vector<int> moves = ordered_moves(all_);
      for (const int move : moves) {
        game_.play(move);
        choices.emplace_back(move, search(all_, Value{}, Value{all_}, least).value);
        game_.undo();
        value = value.join(choices.back().second);
        if (options_.best_only)  // from here on only what is as good
          for (const Set& set : value.sets()) least = std::max(least, weigh(set) * (1 - 1e-9));
      }
      drop_light(value, all_, least);
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

  double weigh(const Set& set) const {
    double weight = 0;
    for (int w = 0; w < Words; ++w)
      for (int i = 0; i < 8 && set.words[w] >> 8 * i != 0; ++i) weight += byte_weights_[8 * w + i][set.words[w] >> 8 * i & 255];
    return weight;
  }
  // A plan wins no more than any set on its way, so what is too light among the layouts that matter is of no use.
  void drop_light(Value& value, const Set& among, double need) const {
    if (need > 0) value.drop([&](const Set& set) { return weigh(set & among) < need; });
  }
  // Large values take long to combine, so time is looked at.
  template <class Change>
  void add_all(Value& to, const Value& from, Change&& change) {
    for (const Set& set : from.sets()) {
      if (sign_ && to.sets().size() > 64) sign_->look();
      to.add(change(set));
    }
  }
  // The meet without what is too light.
  Value heavy_meet(const Value& left, const Value& right, const Set& among, double need) {
    Value result;
    for (const Set& a : left.sets())
      for (const Set& b : right.sets()) {
        if (sign_ && result.sets().size() > 64) sign_->look();
        if (const Set both = a & b; need <= 0 || weigh(both & among) >= need) result.add(both);
      }
    return result;
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

  // All maximal sets that win at least `need` of the weight of the layouts that are alive here.
  Found search(const Set& alive, const Value& alpha, const Value& beta, double need) {
    count_node();
    if (game_.over()) return {Value{game_.won() ? all_ : all_.minus(alive)}, true};
    // No plan wins more than what is won with all cards seen.
    const Set wins = winners(alive);
    const Set most = wins | all_.minus(alive);
    if (need > 0 && weigh(wins) < need) return {Value{}, true};
    if (wins.count() <= 1) return {Value{most}, true};
    if (options_.shallow_pruning && alpha.covers(most)) return {Value{most}, false};
    const Key key{game_.key(), wins};
    if (options_.table)
      if (const auto known = table_.find(key); known != table_.end() && known->second.need <= need)
        return {widened(known->second.value, all_.minus(alive)), true};
    if (options_.ask_first && all_won(wins)) return {Value{most}, true};
    Found found = game_.defender_to_play() ? defend(wins, most, alpha, beta, need) : declare(wins, most, alpha, beta, need);
    if (options_.table && found.exact) remember(key, {trim(found.value, wins), need});
    return found;
  }

  // What is known down to a certain weight.
  struct Known {
    Value value;
    double need;
  };
  void remember(const Key& key, Known known) {
    if (const auto old = table_.find(key); old != table_.end())
      old->second = std::move(known);
    else if (table_.size() < TABLE_SIZE)
      table_.emplace(key, std::move(known));
  }

  // In the table a value speaks of the layouts that can be won; those no longer possible are added for each node.
  Value trim(const Value& value, const Set& most) {
    Value result;
    add_all(result, value, [&](const Set& set) { return set & most; });
    return result;
  }
  Value widened(const Value& value, const Set& impossible) {
    Value result;
    add_all(result, value, [&](const Set& set) { return set | impossible; });
    return result;
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

  // With a weight to be reached, bounds of nodes far above are worth less than combining them costs.
  Found declare(const Set& alive, const Set& most, const Value& alpha, const Value& beta, double need) {
    const std::vector<int> moves = ordered_moves(alive);
    Found found{Value{}, true};
    for (const int move : moves) {
      const Value bound = options_.deep_pruning && need <= 0 ? alpha.join(found.value) : found.value;
      game_.play(move);
      const Found child = search(alive, bound, beta, need);
      game_.undo();
      found.exact &= child.exact;
      add_all(found.value, child.value, [&](const Set& set) { return set & most; });
      drop_light(found.value, alive, need);
      if (found.value.covers(most)) return {Value{most}, true};  // nothing can be better
      if (options_.shallow_pruning && beta.below(found.value)) return {found.value, false};
    }
    return found;
  }

  Found defend(const Set& alive, const Set& most, const Value& alpha, const Value& beta, double need) {
    std::vector<int> moves;
    game_.moves(moves);
    Found found{Value{most}, true};
    for (const auto& [able, move] : by_size(alive, moves)) {
      const Value bound = options_.deep_pruning && need <= 0 ? beta.meet(found.value) : found.value;
      // What the child must win, if elsewhere as much is won as still can be.
      double elsewhere = 0;
      for (const Set& set : found.value.sets()) elsewhere = std::max(elsewhere, weigh((set & alive).minus(able)));
      game_.play(move);
      const Found child = search(able, alpha, bound, need - elsewhere);
      game_.undo();
      found.exact &= child.exact;
      found.value = heavy_meet(found.value, child.value, alive, need);
      if (found.value.sets().empty()) return found;
      if (options_.shallow_pruning && found.value.below(alpha)) return {found.value, false};
    }
    return found;
  }

  // A defender's cards with the layouts that have them, the most common first: they say most about the rest.
  std::vector<std::pair<Set, int>> by_size(const Set& alive, const std::vector<int>& moves) const {
    std::vector<std::pair<Set, int>> result;
    for (const int move : moves)
      if (const Set able = able_to(alive, move); !able.empty()) result.emplace_back(able, move);
    if (options_.order_moves)
      std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first.count() > b.first.count(); });
    return result;
  }

  SingleDummyGame& game_;
  const SingleDummyOptions& options_;
  StopSign* sign_;
  Set all_;
  std::vector<double> weights_;
  std::vector<std::array<double, 256>> byte_weights_{BYTES};  // of eight layouts at a time
  struct Answers {
    std::vector<Set> won, lost;
  };
  std::uint64_t nodes_ = 0;
  int refuter_ = -1;
  std::unordered_map<Key, Known, KeyHash> table_;
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
