// Exact single dummy and achievable sets against the enumeration of all plans, on tiny endings.
#include "single_dummy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "../achievable.h"
#include "../layout_set.h"
#include "../random.h"
#include "check.h"

using namespace borel;
using Set = LayoutSet<1>;

namespace {

// Every plan of declarer's, as the set of layouts in which it wins: chosen at declarer's nodes, combined at defenders'
// nodes from a plan for each card they may show. No pruning, no double dummy.
std::set<std::uint64_t> plans(SingleDummyGame& game, std::uint64_t alive, std::uint64_t all) {
  if (game.over()) return {game.won() ? all : all & ~alive};
  std::vector<int> moves;
  game.moves(moves);
  std::set<std::uint64_t> result;
  const bool defending = game.defender_to_play();
  if (defending) result.insert(all);
  for (const int move : moves) {
    std::uint64_t able = defending ? 0 : alive;
    for (int i = 0; defending && i < game.layouts(); ++i)
      if ((alive >> i & 1) && game.can_play(i, move)) able |= std::uint64_t{1} << i;
    if (able == 0) continue;
    game.play(move);
    const auto child = plans(game, able, all);
    game.undo();
    if (!defending) {
      result.insert(child.begin(), child.end());
      continue;
    }
    std::set<std::uint64_t> combined;
    for (const auto a : result)
      for (const auto b : child) combined.insert(a & b);
    result = std::move(combined);
  }
  return result;
}

Antichain<Set> reduced(const std::set<std::uint64_t>& plans) {
  Antichain<Set> value;
  for (const auto plan : plans) value.add(Set{{plan}});
  return value;
}

Antichain<Set> value_of(const SingleDummyResult& result) {
  Antichain<Set> value;
  for (const Line& line : result.lines) {
    Set set;
    for (const int layout : line.layouts) set.add(layout);
    value.add(set);
  }
  return value;
}

struct Ending {
  SingleDummyStart start;
  std::vector<HandMask> layouts;
};

Ending random_ending(Random& random, int size) {
  std::array<HandMask, 4> hands{};
  HandMask used = 0;
  // Few ranks and suits, so that suits have several cards and ranks interlock.
  const int suits = 1 + static_cast<int>(random.below(3));
  for (auto& hand : hands)
    while (count(hand) < size) {
      const int card = card_of(static_cast<int>(random.below(suits)), RANKS - 1 - static_cast<int>(random.below(13)));
      if (used & bit_of(card)) continue;
      used |= bit_of(card), hand |= bit_of(card);
    }
  Ending ending;
  SingleDummyStart& start = ending.start;
  start.declarer = static_cast<int>(random.below(4));
  start.seen = {hands[start.declarer], hands[partner_of(start.declarer)]};
  start.unseen = hands[(start.declarer + 1) & 3] | hands[(start.declarer + 3) & 3];
  start.strain = static_cast<int>(random.below(5));
  start.leader = static_cast<int>(random.below(4));
  start.needed = 1 + static_cast<int>(random.below(size));
  for (HandMask hand = start.unseen;; hand = (hand - 1) & start.unseen) {
    if (count(hand) == size) ending.layouts.push_back(hand);
    if (hand == 0) break;
  }
  return ending;
}

std::array<std::uint64_t, 32> nodes_with{};  // of all endings, by the switches that were on

std::array<std::uint64_t, 2> best_nodes{};  // of the best lines, without and with a table

// The heaviest line, with weights that are all different.
void check_best(SingleDummyGame& game, const Antichain<Set>& truth, std::uint64_t seed) {
  Random random(seed, 2);
  SingleDummyOptions best;
  best.best_only = true;
  for (int i = 0; i < game.layouts(); ++i) best.weights.push_back(1 + random.below(1000) / 1000.0);
  const auto weigh = [&](const auto& layouts) {
    double weight = 0;
    for (const int layout : layouts) weight += best.weights[layout];
    return weight;
  };
  double most = 0;
  for (const Set& set : truth.sets()) {
    std::vector<int> layouts;
    set.each([&](int layout) { layouts.push_back(layout); });
    most = std::max(most, weigh(layouts));
  }
  for (const bool table : {false, true}) {
    best.table = table;
    const SingleDummyResult found = solve_single_dummy(game, best);
    CHECK(found.lines.size() <= 1);
    double reached = 0;
    for (const Line& line : found.lines) {
      reached = weigh(line.layouts);
      Set set;
      for (const int layout : line.layouts) set.add(layout);
      CHECK(truth.covers(set));
      CHECK(game.over() || game.defender_to_play() || !line.cards.empty());
    }
    CHECK(std::abs(reached - most) < 1e-9);
    best_nodes[table] += found.nodes;
  }
  // A plan that must be heavier than the heaviest there is does not exist.
  best.least_weight = most + 0.001;
  if (!game.over()) CHECK(solve_single_dummy(game, best).lines.empty());
}

// What is kept from one depth to the next changes no answer; and where no depth was felt, none has a say.
void check_depths(SingleDummyGame& game, Random& random) {
  Achievable kept(game, {1, true, 0}, nullptr);
  for (int depth = 1; depth <= 6; ++depth) {
    kept.set_depth(depth);
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t wanted = random.next() & random.next() & Set::first(game.layouts()).words[0];
      std::vector<int> layouts;
      Set{{wanted}}.each([&](int layout) { layouts.push_back(layout); });
      const bool won = kept.check(layouts, -1);
      CHECK(won == Achievable(game, {depth, false, 0}, nullptr).check(layouts, -1));
      if (!kept.limited()) CHECK(won == Achievable(game, {64, true, 0}, nullptr).check(layouts, -1));
    }
  }
}

void check_ending(const Ending& ending) {
  SingleDummyGame game(ending.start, ending.layouts, 16);
  if (game.layouts() > 64) return;
  const std::uint64_t all = Set::first(game.layouts()).words[0];
  const Antichain<Set> truth = reduced(plans(game, all, all));
  for (int bits = 0; bits < 32; ++bits) {  // every combination of the switches
    SingleDummyOptions options;
    options.shallow_pruning = bits & 1, options.deep_pruning = bits & 2, options.table = bits & 4;
    options.ask_first = bits & 8, options.order_moves = bits & 16;
    const SingleDummyResult found = solve_single_dummy(game, options);
    CHECK(value_of(found) == truth);
    nodes_with[bits] += found.nodes;
  }
  check_best(game, truth, all);
  Achievable ask(game, {64, true, 0}, nullptr);
  Random random(all, 1);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t wanted = random.next() & random.next() & all;
    std::vector<int> layouts;
    Set{{wanted}}.each([&](int layout) { layouts.push_back(layout); });
    CHECK(ask.check(layouts, -1) == (wanted == 0 || truth.covers(Set{{wanted}})));
  }
  check_depths(game, random);
}

void lattice_laws() {
  Random random(7, 7);
  const auto value = [&] {
    Antichain<Set> v;
    for (int i = 0, n = static_cast<int>(random.below(4)); i <= n; ++i) v.add(Set{{random.below(64)}});
    return v;
  };
  for (int i = 0; i < 2000; ++i) {
    const auto a = value(), b = value(), c = value();
    CHECK(a.join(b) == b.join(a) && a.meet(b) == b.meet(a));
    CHECK(a.join(a.meet(b)) == a && a.meet(a.join(b)) == a);  // absorption
    CHECK(a.meet(b.join(c)) == a.meet(b).join(a.meet(c)));    // distributivity
    CHECK(a.join(b.meet(c)) == a.join(b).meet(a.join(c)));
    CHECK(a.meet(b).below(a) && a.below(a.join(b)));
  }
}

}  // namespace

int main() {
  lattice_laws();
  for (int i = 0; i < 300; ++i) {
    Random random(2001, i);
    check_ending(random_ending(random, 1 + i % 3));
  }
  // No switch is without effect; ordering and asking first pay in larger endings than these.
  CHECK(nodes_with[1 | 2 | 4] < nodes_with[0]);
  CHECK(nodes_with[1 | 2 | 4] <= nodes_with[1 | 4]);
  CHECK(nodes_with[1 | 2 | 4 | 16] != nodes_with[1 | 2 | 4]);
  CHECK(nodes_with[1 | 2 | 4 | 8] != nodes_with[1 | 2 | 4]);
  CHECK(best_nodes[1] < best_nodes[0]);
  return borel_test::finish("single_dummy_test");
}
