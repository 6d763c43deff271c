// The zero-window search: can NS take at least `target` more tricks?
#pragma once

#include "later_tricks.h"
#include "moves.h"
#include "options.h"
#include "partition_table.h"
#include "position.h"
#include "solver.h"

namespace borel {

// What a search works on. The table stays valid while owners and strain stay the same.
struct SearchState {
  explicit SearchState(std::size_t table_bytes) : table(table_bytes) {}

  Position position;
  Owners owners{};  // of all cards of the deal, bit = card
  PartitionTable table;
  BestMoves best_moves;
  std::uint64_t nodes = 0;
  std::uint64_t trick_nodes = 0;
  std::uint64_t node_limit = UINT64_MAX;
  std::uint64_t next_check = 0;
  StopSign* stop_sign = nullptr;
};

template <bool Trumps, class Switches>
class Search {
 public:
  Search(SearchState& state, const Switches& switches) : s_(state), on_(switches) {}

  // With `leader` about to lead.
  bool from_trick(int leader, int target, Lanes& ranks) { return lead(leader, target, ranks); }

  // With `trick` on the table and `seat`, who plays to it at `place` 1 to 3, on play.
  bool from_card(int place, int seat, int target, const Trick& trick, Lanes& ranks);

 private:
  // Each returns whether NS reach `target`, and in `ranks` the cards whose rank the answer rests on: it is the same
  // in every position of the same shape with the same owners of all cards down to the lowest of these in each suit.
  bool lead(int leader, int target, Lanes& ranks);
  template <int Place>
  bool play(int seat, int target, const Trick& trick, const Hopeless& hopeless, Lanes& ranks);
  template <int Place>
  bool try_card(int seat, Lanes card, int target, const Trick& trick, Lanes& ranks);
  // The last trick plays itself.
  bool last_trick(int leader, int target, Lanes& ranks) const;
  // Now and then: is it time to stop?
  void look_around();

  Owners relative_owners() const;

  SearchState& s_;
  [[no_unique_address]] const Switches on_;
};

}  // namespace borel
