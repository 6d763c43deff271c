// The card that begins the best plan: maximal achievable sets by squeaky-wheel ordering (Ginsberg 2001, section 7.2).
#pragma once

#include <utility>
#include <vector>

#include "achievable.h"

namespace borel {

struct SqueakyWheelOptions {
  int depth = 4;        // of the achievable sets; reached by deepening from 1 while there is time
  int rounds = 6;       // rebuilds of the set in a new order, at each depth
  std::uint64_t node_limit = 0;  // for each depth; 0 = none
  // First cards whose layouts won with all cards seen are known already: they need not be solved again.
  std::vector<std::pair<int, std::vector<int>>> known;
};

// What one card can play for.
struct CardPlan {
  int card = -1;
  std::vector<int> layouts;  // won by the best plan that was found
  double weight = 0;
  double double_dummy = 0;   // weight of the layouts that are won if every later choice is guessed right
};

struct SqueakyWheelResult {
  std::vector<CardPlan> plans;  // one for each card, best first
  int depth = 0;                // the depth that was finished; 0: there was only time for double dummy
  std::uint64_t nodes = 0;
};

// Declarer (or dummy) must be on play. `weights` are those of the game's layouts.
// `alive`: the layouts that are looked at; all of them if it is empty. `spare`: layouts that are taken into a set when
// they are like its members (Algorithm 7.1.7): the set then fits more than the sample. At most 256 of both together.
SqueakyWheelResult squeaky_wheel(SingleDummyGame& game, const std::vector<double>& weights,
                                 const SqueakyWheelOptions& options, StopSign* sign,
                                 const std::vector<int>& alive = {}, const std::vector<int>& spare = {});

}  // namespace borel
