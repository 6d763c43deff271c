// Directed dealing for Python: limits in, layouts out, in batches, with the GIL released.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "../sampler.h"
#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {

namespace {

using Masks = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, 4>>;
using Numbers = nb::ndarray<nb::numpy, std::int8_t, nb::shape<-1, 7>>;
using HandsIn = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::device::cpu>;
using CasesIn = nb::ndarray<const std::int8_t, nb::shape<-1, 4, 14>, nb::c_contig, nb::device::cpu>;

std::vector<Limits> read_cases(const CasesIn& numbers) {
  std::vector<Limits> cases(numbers.shape(0));
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (std::size_t seat = 0; seat < 4; ++seat) {
      HandLimits& limits = cases[i][seat];
      for (std::size_t suit = 0; suit < 4; ++suit) {
        limits.shortest[suit] = numbers(i, seat, suit);
        limits.longest[suit] = numbers(i, seat, 4 + suit);
      }
      limits.fewest_hcp = numbers(i, seat, 8);
      limits.most_hcp = numbers(i, seat, 9);
      limits.fewest_aces = numbers(i, seat, 10);
      limits.most_aces = numbers(i, seat, 11);
      limits.fewest_kings = numbers(i, seat, 12);
      limits.most_kings = numbers(i, seat, 13);
    }
  return cases;
}

Masks draw(const LayoutDealer& dealer, std::size_t count, std::uint64_t seed, std::uint64_t first) {
  auto* out = new std::uint64_t[count * 4];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      Random random(seed, first + i);
      const Hands hands = dealer.draw(random);
      for (int seat = 0; seat < 4; ++seat) out[4 * i + seat] = hands[seat];
    }
  }
  return Masks(out, {count, 4}, owner);
}

Numbers hand_numbers(const HandsIn& hands) {
  const std::size_t count = hands.shape(0);
  auto* out = new std::int8_t[count * 7];
  nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::int8_t*>(p); });
  for (std::size_t i = 0; i < count; ++i) {
    for (int suit = 0; suit < 4; ++suit) out[7 * i + suit] = static_cast<std::int8_t>(length_of(hands(i), suit));
    out[7 * i + 4] = static_cast<std::int8_t>(hcp_of(hands(i)));
    out[7 * i + 5] = static_cast<std::int8_t>(aces_of(hands(i)));
    out[7 * i + 6] = static_cast<std::int8_t>(kings_of(hands(i)));
  }
  return Numbers(out, {count, 7}, owner);
}

}  // namespace

void bind_sampler(nb::module_& m) {
  nb::class_<LayoutDealer>(m, "LayoutDealer",
                           "Deals the cards not yet placed: every layout that fits some case is equally likely.")
      .def(
          "__init__",
          [](LayoutDealer* self, const Hands& fixed, const Hands& forbidden, const CasesIn& cases) {
            const auto limits = read_cases(cases);
            nb::gil_scoped_release released;
            new (self) LayoutDealer(fixed, forbidden, limits);
          },
          "fixed"_a, "forbidden"_a, "cases"_a,
          "fixed, forbidden: cards that N E S W surely have, or surely lack; one hand at least is complete.\n"
          "cases: int8[k, 4, 14], for each seat shortest and longest C D H S, then fewest and most points, aces, kings.")
      .def("counts", [](const LayoutDealer& self) { return self.counts(); },
           "The number of layouts that fit each case, limits on aces and kings left out (exact up to rounding).")
      .def("draw", &draw, "count"_a, "seed"_a, "first"_a = 0,
           "Layouts numbered first, first + 1, ... of a seed, as uint64[count, 4]; ValueError where none fits.");
  m.def("hand_numbers", &hand_numbers, "hands"_a, "int8[n, 7]: length in C D H S, high-card points, aces and kings of each hand.");
}

}  // namespace borel
