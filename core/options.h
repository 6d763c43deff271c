// Every idea of the search has a switch, so that tests can show "same answer, fewer nodes".
#pragma once

#include <cstdint>

namespace borel {

enum class TableKind : int {
  none = 0,
  exact = 1,      // an ordinary transposition table: one entry, one position
  partition = 2,  // sets of positions: only the ranks that mattered
};

struct SolverOptions {
  bool merge_equals = true;   // one card stands for its equals
  bool order_moves = true;    // likely winners first
  bool sure_tricks = true;    // count top tricks of the side on lead
  bool later_tricks = true;   // count tricks that the other side must get
  bool rank_cut = true;       // skip small cards once one of them has failed for reasons other than rank
  bool best_move_cache = true;  // try first the card that was good in a similar position
  TableKind table = TableKind::partition;
  std::uint64_t node_limit = 0;  // 0 = no limit

  bool all_on() const {
    return merge_equals && order_moves && sure_tricks && later_tricks && rank_cut && best_move_cache &&
           table == TableKind::partition;
  }
};

// The same switches as constants: the search instantiated with these pays nothing for being switchable.
struct EverythingOn {
  static constexpr bool merge_equals = true;
  static constexpr bool order_moves = true;
  static constexpr bool sure_tricks = true;
  static constexpr bool later_tricks = true;
  static constexpr bool rank_cut = true;
  static constexpr bool best_move_cache = true;
  static constexpr TableKind table = TableKind::partition;
};

}  // namespace borel
