// Achievable sets (Ginsberg 2001, section 7): can one plan win in all these layouts?
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "single_dummy_game.h"

namespace borel {

struct AchievableOptions {
  // How many of declarer's own choices are searched with the layouts kept apart; below, each layout is taken as seen
  // (double dummy). More is truer and slower.
  int depth = 3;
  bool table = true;
  std::uint64_t node_limit = 0;
};

// Asks about sets of one game's layouts; keeps what it learns from one set, and from one depth, to the next.
class Achievable {
 public:
  Achievable(SingleDummyGame& game, const AchievableOptions& options, StopSign* sign);
  ~Achievable();

  // From here on so many choices are searched, and nodes count anew against the limit.
  void set_depth(int depth);
  // Whether an answer since then hung on the depth: if not, a deeper search says the same.
  bool limited() const;

  // These layouts are won with all cards seen after `move`: they need not be solved again.
  void learn(int move, const std::vector<int>& layouts);
  // Whether some plan that begins with `move` (-1: with any) wins in every one of the layouts (at most 256).
  bool check(const std::vector<int>& layouts, int move);
  std::uint64_t nodes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace borel
