// The extension module borel._core. Each concept of the core binds itself in a file of its own beside this one;
// core/bindings/ is the only folder that includes nanobind.
#include "bindings.h"

NB_MODULE(_core, m) {
  m.doc() = "Borel's compiled core: numbers in, numbers out, in batches, with the GIL released.";
  borel::bind_clock(m);
  borel::bind_dealer(m);
  borel::bind_sampler(m);
  borel::bind_condition(m);
  borel::bind_features(m);
  borel::bind_rule_net(m);
  borel::bind_policy_net(m);
  borel::bind_trick_net(m);
  borel::bind_solver(m);
  borel::bind_single_dummy(m);
  borel::bind_auctions(m);
  borel::bind_qtable(m);
  borel::bind_talking(m);
}
