// A declarer of a given kind against the best defence: in which layouts does it win?
#pragma once

#include <cstdint>
#include <vector>

#include "squeaky_wheel.h"

namespace borel {

struct PlayOutOptions {
  bool plans = true;   // by achievable sets; else by the average of layouts solved double dummy
  int sample = 40;     // layouts that a decision looks at, drawn anew for each
  int spare = 0;       // further layouts, which a set takes in when they are like its members
  SqueakyWheelOptions wheel;
  std::uint64_t seed = 0;
};

// Declarer sees what declarer sees and decides card by card; in every layout the defenders know declarer's choices
// beforehand and choose what beats him. Returns the layouts that he wins.
std::vector<int> play_out(SingleDummyGame& game, const std::vector<double>& weights, const PlayOutOptions& options,
                          StopSign* sign = nullptr);

}  // namespace borel
