#include "../hand_features.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

const char* spelling(Arguments arguments) {
  switch (arguments) {
    case Arguments::NONE: return "";
    case Arguments::SUIT_OR_HAND: return "A";
    case Arguments::SUIT: return "S";
    case Arguments::TRUMP_SUIT: return "TS";
    case Arguments::TRUMP_SUIT_OR_HAND: return "TA";
    case Arguments::STRAIN_SUIT_OR_HAND: return "T*A";
    case Arguments::TWO_SUITS: return "2S";
    case Arguments::SUIT_LENGTH: return "SN";
  }
  return "";
}

using Codes = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using HandMasks = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<nb::numpy, std::int16_t, nb::shape<-1, -1>>;

std::vector<Feature> checked(const Codes& codes) {
  std::vector<Feature> features;
  for (std::size_t i = 0; i < codes.shape(0); ++i) {
    const Feature feature{codes(i, 0), codes(i, 1), codes(i, 2)};
    if (!is_valid(feature)) throw nb::value_error("not the code of a feature");
    features.push_back(feature);
  }
  return features;
}

Values features(const HandMasks& hands, const Codes& codes) {
  const std::vector<Feature> wanted = checked(codes);
  const std::size_t count = hands.shape(0);
  auto* out = new std::int16_t[count * wanted.size()];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::int16_t*>(p); });
  {
    nb::gil_scoped_release released;
    compute_features({hands.data(), count}, wanted, out);
  }
  return Values(out, {count, wanted.size()}, owner);
}

}  // namespace

void bind_features(nb::module_& m) {
  m.def(
      "feature_classes",
      [] {
        std::vector<std::tuple<std::string, std::string, int>> classes;
        for (const FeatureClass& c : feature_classes()) classes.emplace_back(c.name, spelling(c.arguments), c.scale);
        return classes;
      },
      "Name, arguments (BIDI's letters) and scale of every feature class, in the order of their codes.");
  m.def("features", &features, "hands"_a, "codes"_a,
        "Values [n, k] of k features, each coded (class, first, second), for n hands given as 52-bit sets.");
}

}  // namespace borel
