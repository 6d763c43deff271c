#include "../auctions.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Calls = nb::ndarray<const std::uint8_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Lengths = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Hands = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Vulnerable = nb::ndarray<const bool, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

void check(const Calls& calls, const Lengths& lengths) {
  if (lengths.shape(0) != calls.shape(0)) throw nb::value_error("as many lengths as auctions");
  for (std::size_t i = 0; i < lengths.shape(0); ++i) {
    if (lengths(i) < 0 || static_cast<std::size_t>(lengths(i)) > calls.shape(1)) {
      throw nb::value_error("an auction longer than its row");
    }
  }
}

std::span<const std::uint8_t> row(const Calls& calls, const Lengths& lengths, std::size_t i) {
  return {calls.data() + i * calls.shape(1), static_cast<std::size_t>(lengths(i))};
}

template <typename T, typename... Sizes>
auto owned(T* data, Sizes... sizes) {
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, {static_cast<std::size_t>(sizes)...}, owner);
}

nb::ndarray<nb::numpy, float> observations(const Hands& hands, const Calls& calls, const Lengths& lengths,
                                           const Vulnerable& vulnerable) {
  check(calls, lengths);
  const std::size_t count = calls.shape(0);
  if (hands.shape(0) != count || vulnerable.shape(0) != count) throw nb::value_error("as many hands as auctions");
  auto* out = new float[count * OBSERVATION];
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      observe(hands(i), row(calls, lengths, i), vulnerable(i, 0), vulnerable(i, 1), out + i * OBSERVATION);
    }
  }
  return owned(out, count, OBSERVATION);
}

// [n, 38]: which calls are legal; none after the end, nor after an illegal auction.
nb::ndarray<nb::numpy, bool> legal(const Calls& calls, const Lengths& lengths) {
  check(calls, lengths);
  const std::size_t count = calls.shape(0);
  auto* out = new bool[count * CALLS];
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      const AuctionState state = state_after(row(calls, lengths, i));
      for (int call = 0; call < CALLS; ++call) out[i * CALLS + call] = state.length >= 0 && state.is_legal(call);
    }
  }
  return owned(out, count, CALLS);
}

// [n, 4]: 1 if over, 0 if not, -1 if illegal; the bid 0..34 or -1; declarer in turns after the dealer; doubled 0..2.
nb::ndarray<nb::numpy, std::int8_t> contracts(const Calls& calls, const Lengths& lengths) {
  check(calls, lengths);
  const std::size_t count = calls.shape(0);
  auto* out = new std::int8_t[count * 4];
  {
    nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) {
      const AuctionState state = state_after(row(calls, lengths, i));
      const Contract contract = contract_of(state);
      const int over = state.length < 0 ? -1 : state.is_over() ? 1 : 0;
      const int values[4] = {over, contract.bid, contract.declarer, contract.doubled};
      std::copy(values, values + 4, out + i * 4);
    }
  }
  return owned(out, count, 4);
}

}  // namespace

void bind_auctions(nb::module_& m) {
  m.def("observations", &observations, "hands"_a, "calls"_a, "lengths"_a, "vulnerable"_a,
        "[n, 480]: what the seat to call sees; `vulnerable` is ours, theirs.");
  m.def("legal_calls", &legal, "calls"_a, "lengths"_a, "[n, 38]: which calls are legal after each auction.");
  m.def("contracts", &contracts, "calls"_a, "lengths"_a,
        "[n, 4]: over (1, 0, or -1 for an illegal auction), bid 0..34 or -1, declarer after dealer, doubled.");
}

}  // namespace borel
