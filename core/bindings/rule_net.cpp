#include "../rule_net.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Integers = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const std::int32_t, nb::shape<-1, 7>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Actions = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1>>;

void make(RuleNet* self, const Integers& program, const Numbers& numbers, const Nodes& nodes, const Integers& links,
          int features) {
  std::vector<RuleNode> made;
  for (std::size_t i = 0; i < nodes.shape(0); ++i) {
    made.push_back({nodes(i, 0), nodes(i, 1), nodes(i, 2), nodes(i, 3), nodes(i, 4), nodes(i, 5), nodes(i, 6)});
  }
  try {
    new (self) RuleNet({program.data(), program.data() + program.shape(0)},
                       {numbers.data(), numbers.data() + numbers.shape(0)}, std::move(made),
                       {links.data(), links.data() + links.shape(0)}, features);
  } catch (const std::invalid_argument& error) {
    throw nb::value_error(error.what());
  }
}

Actions choose(const RuleNet& net, const Rows& rows) {
  if (rows.shape(1) != static_cast<std::size_t>(net.features())) throw nb::value_error("rows of another width");
  const std::size_t count = rows.shape(0);
  auto* out = new std::int32_t[count];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  {
    nb::gil_scoped_release released;
    net.choose({rows.data(), count * rows.shape(1)}, {out, count});
  }
  return Actions(out, {count}, owner);
}

}  // namespace

void bind_rule_net(nb::module_& m) {
  nb::class_<RuleNet>(m, "RuleNet", "A decision net of bidding rules, flattened to tables of numbers.")
      .def("__init__", &make, "program"_a, "numbers"_a, "nodes"_a, "links"_a, "features"_a,
           "Conditions as a program with its numbers; nodes [n, 7] and their links, children after parents.")
      .def("choose", &choose, "rows"_a, "[n]: the action that each of [n, features] rows takes, -1 for none.");
}

}  // namespace borel
