// The best line of an ending: the heaviest set of layouts that one plan wins, by conflicts.
//
// A conflict is a few layouts that no plan wins together; a plan gives up at least one of each. Pairs in conflict are
// widened to cliques, of which a plan wins one. The linear program over all that is known (packing.h) bounds the best line
// from above; what it keeps is tested for new conflicts, and what is left when none is found any more is a plan: a bound
// from below. Where the two do not meet, a layout is either kept or given up. This is the implicit hitting set method of
// weighted constraint solving; there are no antichains.
#pragma once

#include "single_dummy.h"

namespace borel {

// With the options' weights, least weight and node limit; at most one line. At the deadline nothing is thrown: the result
// says that it was stopped, the best line found and the bound.
SingleDummyResult best_line(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign);

}  // namespace borel
