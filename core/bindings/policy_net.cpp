#include "../policy_net.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings.h"
#include "owned.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Matrix = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const float, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

void make(PolicyNet* self, const std::vector<std::pair<Matrix, Vector>>& layers) {
  std::vector<PolicyNet::Layer> kept;
  for (const auto& [weights, biases] : layers)
    kept.push_back({{weights.data(), weights.data() + weights.size()}, {biases.data(), biases.data() + biases.size()}});
  try {
    new (self) PolicyNet(std::move(kept));
  } catch (const std::invalid_argument& error) {
    throw nb::value_error(error.what());
  }
}

auto logits(const PolicyNet& net, const Matrix& rows) {
  if (rows.shape(1) != net.inputs()) throw nb::value_error("rows of another size than the network's inputs");
  const std::size_t count = rows.shape(0), size = count * net.outputs();
  auto* out = new float[size];
  {
    nb::gil_scoped_release released;
    net.logits({rows.data(), rows.size()}, {out, size});
  }
  return owned(out, count, net.outputs());
}

}  // namespace

void bind_policy_net(nb::module_& m) {
  nb::class_<PolicyNet>(m, "PolicyNet", "A policy network for acting in bulk, fast rather than to the last digit.")
      .def("__init__", &make, "layers"_a, "Weights [inputs, outputs] and biases of each layer.")
      .def("logits", &logits, "rows"_a, "[n, outputs] for [n, inputs], of which few should be other than zero.");
}

}  // namespace borel
