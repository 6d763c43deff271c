// What each file of core/bindings/ adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace borel {

void bind_clock(nanobind::module_& m);
void bind_dealer(nanobind::module_& m);
void bind_sampler(nanobind::module_& m);
void bind_condition(nanobind::module_& m);
void bind_features(nanobind::module_& m);
void bind_rule_net(nanobind::module_& m);
void bind_policy_net(nanobind::module_& m);
void bind_trick_net(nanobind::module_& m);
void bind_solver(nanobind::module_& m);
void bind_single_dummy(nanobind::module_& m);
void bind_auctions(nanobind::module_& m);
void bind_qtable(nanobind::module_& m);
void bind_talking(nanobind::module_& m);

}  // namespace borel
