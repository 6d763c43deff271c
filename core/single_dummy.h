// Single dummy, exactly: what declarer can play for, as an antichain of sets of layouts.
#pragma once

#include <cstdint>
#include <vector>

#include "single_dummy_game.h"

namespace borel {

struct SingleDummyOptions {
  bool shallow_pruning = true;  // section 6.2: a bound of the node just above
  bool deep_pruning = true;     // section 6.3: bounds of all nodes above, sound because the lattice is distributive
  bool table = true;            // remember values of (position, layouts)
  bool ask_first = true;        // whether one plan wins all that can be won, before anything else: often it does
  bool order_moves = true;      // declarer's cards that can win most first
  std::uint64_t node_limit = 0;  // 0 = none
  // Lines whose layouts weigh less than this are not looked for: with the weight of a line already known, what is left is
  // the best line and its rivals, found far sooner than the whole antichain. 0 = all lines.
  double least_weight = 0;
  // The heaviest line alone, found by conflicts (best_line.h) instead of antichains: far sooner.
  bool best_only = false;
  std::vector<double> weights;  // of the game's layouts; empty = all alike
};

// One thing that declarer can play for: the layouts it wins, and the cards that begin such a plan.
struct Line {
  std::vector<int> layouts;  // numbers of the game's layouts
  std::vector<int> cards;    // declarer's first cards that lead to it; empty when a defender is on play
};

struct SingleDummyResult {
  std::vector<Line> lines;
  std::uint64_t nodes = 0;
  // Of the best line alone: when the time was over the line is the best that was found, and none is heavier than this.
  bool stopped = false;
  double upper = 0;
};

// At most 12928 different layouts (16 hidden cards have 12870); throws std::invalid_argument for more, and Stopped at the node limit.
SingleDummyResult solve_single_dummy(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign = nullptr);

}  // namespace borel
