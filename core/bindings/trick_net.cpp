#include "../trick_net.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Matrix = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const float, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Deals = nb::ndarray<const std::uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, double, nb::shape<-1>>;

template <typename Array>
std::vector<float> floats(const Array& array) {
  return {array.data(), array.data() + array.size()};
}

void make(TrickNet* self, const Matrix& w0, const Vector& b0, const Matrix& w1, const Vector& b1, const Matrix& w2,
          const Vector& b2) {
  try {
    new (self) TrickNet(floats(w0), floats(b0), floats(w1), floats(b1), floats(w2), floats(b2));
  } catch (const std::invalid_argument& error) {
    throw nb::value_error(error.what());
  }
}

Numbers estimate(const TrickNet& net, const Deals& deals, int declarer, const std::array<int, 4>& suits) {
  unsigned seen = 0;
  for (const int suit : suits)
    if (suit >= 0 && suit < 4) seen |= 1u << suit;
  if (declarer < 0 || declarer > 3 || seen != 15) throw nb::value_error("a declarer 0..3 and the four suits once each");
  const std::size_t count = deals.shape(0);
  auto* out = new double[count];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  {
    nb::gil_scoped_release released;
    net.estimate({deals.data(), 4 * count}, declarer, suits, {out, count});
  }
  return Numbers(out, {count}, owner);
}

}  // namespace

void bind_trick_net(nb::module_& m) {
  nb::class_<TrickNet>(m, "TrickNet", "A small network that estimates declarer's tricks double dummy.")
      .def("__init__", &make, "w0"_a, "b0"_a, "w1"_a, "b1"_a, "w2"_a, "b2"_a, "Weights as [inputs, outputs].")
      .def("estimate", &estimate, "deals"_a, "declarer"_a, "suits"_a,
           "[n]: the tricks estimated for [n, 4] deals, suits in the order that the network looks at them.");
}

}  // namespace borel
