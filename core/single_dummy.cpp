#include "single_dummy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <unordered_map>

#include "best_line.h"
#include "layout_set.h"
#include "one_plan.h"

namespace borel {

namespace {

// Alpha-beta in the lattice. A value is kept in full form: layouts that are no longer possible at a node count as won
// there (section 5, item 5), so meets and joins are plain set operations wherever they happen in the tree.
template <int Words>
class LatticeSearch {
 public:
  static constexpr std::size_t TABLE_BYTES = std::size_t{512} << 20;
  static constexpr std::size_t ASKED_BYTES = std::size_t{256} << 20;
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
    SingleDummyResult result;
    const double least = options_.least_weight;
    std::vector<std::pair<int, Value>> choices;  // declarer's first cards with what each can play for
    Value value;
    if (game_.over() || game_.defender_to_play()) {
      value = search(all_, winners(all_), Value{}, Value{all_}, least).value;
    } else {
      for (const auto& [move, wins] : ordered_moves(all_)) {
        game_.play(move);
        choices.emplace_back(move, search(all_, wins, Value{}, Value{all_}, least).value);
        game_.undo();
        value = value.join(choices.back().second);
      }
      drop_light(value, all_, least);
    }
    for (const Set& set : value.sets()) result.lines.push_back(line(set, choices));
    result.nodes = nodes_;
    return result;
  }

 private:
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

  // The sets of a value, reduced in the order of the lattice.
  class Reduced {
   public:
    explicit Reduced(const LatticeSearch& search) : search_(search) {}
    // Most sets are told apart by one of their words: a word of each lies together with the others' and is looked at first.
    void add(const Set& set) {
      if (search_.sign_ && sets_.size() > 64) search_.sign_->look();  // large values take long to combine
      const std::uint64_t probe = set.words[word_];
      for (std::size_t i = 0; i < sets_.size(); ++i)
        if (!(probe & ~probes_[i]) && set.within(sets_[i])) return;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        if (!(probes_[i] & ~probe) && sets_[i].within(set)) continue;
        if (kept != i) sets_[kept] = sets_[i], probes_[kept] = probes_[i];
        ++kept;
      }
      sets_.resize(kept), probes_.resize(kept);
      sets_.push_back(set), probes_.push_back(probe);
      if (Words > 1 && sets_.size() == next_choice_) choose_word();
    }
    Value value() const { return Value(sets_); }

   private:
    // The word with the most different values among a few of the sets; chosen again when there are many more.
    void choose_word() {
      next_choice_ *= 8;
      std::size_t most = 0;
      for (int w = 0; w < Words; ++w) {
        std::array<std::uint64_t, SAMPLED> values{};
        for (std::size_t i = 0; i < SAMPLED; ++i) values[i] = sets_[i * sets_.size() / SAMPLED].words[w];
        std::sort(values.begin(), values.end());
        const auto different = static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
        if (different > most) most = different, word_ = w;
      }
      for (std::size_t i = 0; i < sets_.size(); ++i) probes_[i] = sets_[i].words[word_];
    }

    static constexpr std::size_t SAMPLED = 32;
    const LatticeSearch& search_;
    std::vector<Set> sets_;
    std::vector<std::uint64_t> probes_;
    int word_ = 0;
    std::size_t next_choice_ = SAMPLED;
  };

  // The meet without what is too light.
  Value heavy_meet(const Value& left, const Value& right, const Set& among, double need) const {
    Reduced result(*this);
    for (const Set& a : left.sets())
      for (const Set& b : right.sets())
        if (const Set both = a & b; need <= 0 || weigh(both & among) >= need) result.add(both);
    return result.value();
  }

  // Those that are won with all cards seen. A position is met again and again, and its layouts are known.
  Set winners(const Set& alive) {
    if (asked_.size() >= ASKED_BYTES / (2 * sizeof(Set))) asked_.clear();
    Asked fresh;
    Asked& known = options_.table ? asked_[game_.key()] : fresh;
    alive.minus(known.layouts).each([&](int layout) {
      if (game_.wins(layout)) known.won.add(layout);
    });
    known.layouts = known.layouts | alive;
    return known.won & alive;
  }

  void count_node() {
    if (options_.node_limit && nodes_ >= options_.node_limit) throw Stopped(Stopped::Why::node_limit);
    if ((++nodes_ & 255) == 0 && sign_) sign_->look();
  }

  // All maximal sets that win at least `need` of the weight of the layouts that are alive here, of which `wins` are won
  // with all cards seen: no plan wins more.
  Found search(const Set& alive, const Set& wins, const Value& alpha, const Value& beta, double need) {
    count_node();
    if (game_.over()) return {Value{game_.won() ? all_ : all_.minus(alive)}, true};
    const Set most = wins | all_.minus(alive);
    if (need > 0 && weigh(wins) < need) return {Value{}, true};
    if (wins.count() <= 1) return {Value{most}, true};
    if (options_.shallow_pruning && alpha.covers(most)) return {Value{most}, false};
    const Key key{game_.key(), wins};
    const bool tabled = options_.table;
    if (tabled)
      if (const auto known = table_.find(key);
          known != table_.end() && known->second.need <= need)
        return {changed(known->second.value, [&](const Set& set) { return set | all_.minus(alive); }), true};
    if (options_.ask_first && one_plan_.wins(wins)) return {Value{most}, true};
    Found found = game_.defender_to_play() ? defend(wins, most, alpha, beta, need) : declare(wins, most, alpha, beta, need);
    // In the table a value speaks of the layouts that can be won; those no longer possible are added for each node.
    if (tabled && found.exact)
      remember(key, {changed(found.value, [&](const Set& set) { return set & wins; }), need});
    return found;
  }

  // The layouts of a position that were solved with all cards seen, and those of them that are won.
  struct Asked {
    Set layouts, won;
  };

  // What is known down to a certain weight.
  struct Known {
    Value value;
    double need;
  };
  void remember(const Key& key, Known known) {
    if (const auto old = table_.find(key); old != table_.end())
      old->second = std::move(known);
    else if (table_.size() < TABLE_BYTES / (2 * sizeof(Key) + sizeof(Known)))
      table_.emplace(key, std::move(known));
  }

  template <class Change>
  static Value changed(const Value& value, Change&& change) {
    std::vector<Set> sets;
    for (const Set& set : value.sets()) sets.push_back(change(set));
    return Value(std::move(sets));
  }

  Set able_to(const Set& alive, int move) const {
    Set able;
    alive.each([&](int layout) {
      if (game_.can_play(layout, move)) able.add(layout);
    });
    return able;
  }

  // Declarer's cards with what each wins with all cards seen, those first that win most.
  std::vector<std::pair<int, Set>> ordered_moves(const Set& alive) {
    std::vector<int> moves;
    game_.moves(moves);
    std::vector<std::pair<int, Set>> result;
    for (const int move : moves) {
      game_.play(move);
      result.emplace_back(move, winners(alive));
      game_.undo();
    }
    if (options_.order_moves)
      std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.second.count() > b.second.count(); });
    return result;
  }

  // With a weight to be reached, bounds of nodes far above are worth less than combining costs.
  bool deep(double need) const { return options_.deep_pruning && need <= 0; }

  Found declare(const Set& alive, const Set& most, const Value& alpha, const Value& beta, double need) {
    Found found{Value{}, true};
    Reduced choices(*this);
    for (const auto& [move, wins] : ordered_moves(alive)) {
      const Value bound = deep(need) ? alpha.join(found.value) : found.value;
      game_.play(move);
      const Found child = search(alive, wins, bound, beta, need);
      game_.undo();
      found.exact &= child.exact;
      for (const Set& set : child.value.sets()) choices.add(set & most);
      found.value = choices.value();
      drop_light(found.value, alive, need);
      if (found.value.covers(most)) return {Value{most}, true};  // nothing can be better
      if (options_.shallow_pruning && beta.below(found.value)) return {found.value, false};
    }
    return found;
  }

  Found defend(const Set& alive, const Set& most, const Value& alpha, const Value& beta, double need) {
    Found found{Value{most}, true};
    std::vector<int> moves;
    game_.moves(moves);
    for (const auto& [able, move] : by_size(alive, moves)) {
      const Value bound = deep(need) ? beta.meet(found.value) : found.value;
      // What the child must win, if elsewhere as much is won as still can be.
      double elsewhere = 0;
      for (const Set& set : found.value.sets()) elsewhere = std::max(elsewhere, weigh((set & alive).minus(able)));
      game_.play(move);
      const Found child = search(able, able, alpha, bound, need - elsewhere);
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
  std::uint64_t nodes_ = 0;
  std::unordered_map<Key, Known, KeyHash> table_;
  std::unordered_map<std::uint64_t, Asked> asked_;
  OnePlan<Set> one_plan_{game_, [this] { count_node(); }, options_.table};
};

}  // namespace

SingleDummyResult solve_single_dummy(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign) {
  const int n = game.layouts();
  game.solver().set_stop_sign(sign);
  if (options.best_only && !game.over()) return best_line(game, options, sign);
  if (n <= 64) return LatticeSearch<1>(game, options, sign).run();
  if (n <= 256) return LatticeSearch<4>(game, options, sign).run();
  if (n <= 1024) return LatticeSearch<16>(game, options, sign).run();
  if (n <= 2048) return LatticeSearch<32>(game, options, sign).run();
  if (n <= 4096) return LatticeSearch<64>(game, options, sign).run();
  if (n <= 12928) return LatticeSearch<202>(game, options, sign).run();
  throw std::invalid_argument("more than 12928 different layouts of the hidden cards");
}

}  // namespace borel
