#include "../condition.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Row = std::tuple<int, int, std::int64_t, std::int64_t, std::int64_t>;
using Masks = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, 4>>;
using Numbers = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1>>;
using Values = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1>>;
using GivenMasks = nb::ndarray<const std::uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

const std::vector<std::string> OPERATIONS = {
    "NUMBER",   "FEATURE", "SHAPE",   "HAS_CARD", "POINTS",   "TRICKS", "VARIABLE",     "NEGATE",   "NOT",
    "AS_TRUTH", "LOOK_UP", "STEPS",   "EQUAL",    "UNEQUAL",  "LESS",   "AT_MOST",      "GREATER",  "AT_LEAST",
    "ADD",      "SUBTRACT", "MULTIPLY", "DIVIDE", "MODULO",   "JUMP",   "SKIP_IF_ZERO", "AND_SKIP", "OR_SKIP"};

void make_condition(Condition* self, const std::vector<std::vector<Row>>& rows, const std::vector<nb::bytes>& shapes,
                    std::vector<PointScale> scales, std::vector<NumberTable> tables) {
  std::vector<Program> programs;
  for (const auto& lines : rows) {
    Program& program = programs.emplace_back();
    for (const auto& [op, seat, x, y, z] : lines) {
      if (op < 0 || op >= static_cast<int>(OPERATIONS.size())) throw std::invalid_argument("unknown operation");
      program.push_back({static_cast<Op>(op), seat, x, y, z});
    }
  }
  std::vector<ShapeSet> sets;
  for (const nb::bytes& bytes : shapes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
    sets.emplace_back(data, data + bytes.size());
  }
  new (self) Condition(std::move(programs), std::move(sets), std::move(scales), std::move(tables));
}

template <class Array, class T>
Array to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array(kept->data(), shape, owner);
}

std::tuple<Masks, Numbers, std::uint64_t> search_deals(const Condition& condition, std::size_t wanted, std::uint64_t seed, std::uint64_t first,
                       std::uint64_t tries, const Hands& predealt, unsigned threads) {
  if (!is_partial_deal(predealt)) throw nb::value_error("the predealt cards are not a partial deal");
  Found found;
  {
    nb::gil_scoped_release released;
    found = find_deals(condition, predealt, {seed, first, tries, wanted, threads});
  }
  const std::size_t count = found.hands.size();
  return {to_numpy<Masks>(std::move(found.hands), {count, 4}),
          to_numpy<Numbers>(std::move(found.numbers), {count}), found.next};
}

Values evaluate(const Condition& condition, const GivenMasks& deals) {
  std::vector<std::int64_t> values(deals.shape(0));
  {
    nb::gil_scoped_release released;
    Evaluator evaluator(condition);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = evaluator.value({deals(i, 0), deals(i, 1), deals(i, 2), deals(i, 3)});
  }
  const std::size_t count = values.size();
  return to_numpy<Values>(std::move(values), {count});
}

}  // namespace

void bind_condition(nb::module_& m) {
  m.def(
      "condition_operations", [] { return OPERATIONS; },
      "The operations of compiled conditions, in the order of their numbers.");
  m.attr("CONDITION_STACK") = Condition::STACK;
  m.attr("CONDITION_VARIABLES") = Condition::VARIABLES;
  nb::class_<Condition>(m, "Condition", "A compiled condition on a deal; borel.dealing makes them from text.")
      .def("__init__", &make_condition, "programs"_a, "shapes"_a, "scales"_a, "tables"_a);
  m.def("search_deals", &search_deals, "condition"_a, "wanted"_a, "seed"_a, "first"_a, "tries"_a,
        "predealt"_a = Hands{}, "threads"_a = 1,
        "Deals [m, 4] of a seed that satisfy a condition, their numbers [m], and the next number to look at.");
  m.def("evaluate_condition", &evaluate, "condition"_a, "deals"_a, "The condition's value for each deal [n, 4].");
}

}  // namespace borel
