// The best line of an ending: the heaviest set of layouts that one plan wins, by conflicts.
//
// A conflict is a few layouts that no plan wins together; a plan gives up at least one of each. Conflicts that share the
// weight of their layouts out between them bound the best line from above, and what is left when no conflict can be
// found any more is a plan: a bound from below. Where the two do not meet, a layout is either kept or given up. This
// is how sets that cannot be satisfied together are handled in weighted constraint solving; there are no antichains.
#pragma once

#include "single_dummy.h"

namespace borel {

// With the options' weights, least weight and node limit; at most one line.
SingleDummyResult best_line(SingleDummyGame& game, const SingleDummyOptions& options, StopSign* sign);

}  // namespace borel
