#include "../dealer.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {

using Masks = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, 4>>;

void bind_dealer(nb::module_& m) {
  m.def(
      "deal",
      [](std::size_t count, std::uint64_t seed, std::uint64_t first, const Hands& predealt) {
        if (!is_partial_deal(predealt)) throw nb::value_error("the predealt cards are not a partial deal");
        auto* out = new std::uint64_t[count * 4];
        nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
        {
          nb::gil_scoped_release released;
          for (std::size_t i = 0; i < count; ++i) {
            Random random(seed, first + i);
            const Hands hands = deal_rest(predealt, random);
            for (int seat = 0; seat < 4; ++seat) out[4 * i + seat] = hands[seat];
          }
        }
        return Masks(out, {count, 4}, owner);
      },
      "count"_a, "seed"_a, "first"_a = 0, "predealt"_a = Hands{},
      "Deals numbered first, first + 1, ... of a seed, as [count, 4] 52-bit sets N E S W; predealt cards stay.");
}

}  // namespace borel
