#include "../qtable.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bindings.h"
#include "owned.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Shapes = nb::ndarray<const std::uint8_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Openings = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Classes = nb::ndarray<const std::uint32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const float, nb::shape<38, 14>, nb::c_contig, nb::device::cpu>;
using Hands = nb::ndarray<const std::uint16_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Tricks = nb::ndarray<const std::uint8_t, nb::shape<-1, 2, 5>, nb::c_contig, nb::device::cpu>;
using Theirs = nb::ndarray<const std::uint8_t, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;
using Lessons = nb::ndarray<const std::uint8_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

template <typename T, typename Array>
std::vector<T> copied(const Array& array) {
  return {array.data(), array.data() + array.size()};
}

void make(QTable* self, const Shapes& shapes, const Openings& openings, const Classes& opener, const Classes& responder,
          const Scores& scores, const std::vector<float>& q0, int width) {
  QRules rules{{}, copied<std::uint8_t>(openings), copied<std::uint32_t>(opener), copied<std::uint32_t>(responder),
               copied<float>(scores), q0, width};
  for (std::size_t i = 0; i < shapes.shape(0); ++i)
    rules.shapes.push_back({shapes(i, 0), shapes(i, 1), shapes(i, 2), shapes(i, 3)});
  try {
    new (self) QTable(std::move(rules));
  } catch (const std::invalid_argument& error) {
    throw nb::value_error(error.what());
  }
}

QDeals deals_of(const QTable& table, const Hands& hands, const Tricks& tricks, const Theirs& theirs) {
  if (hands.shape(0) != tricks.shape(0) || (theirs.size() != 0 && hands.shape(0) != theirs.shape(0)))
    throw nb::value_error("as many results as deals");
  const QDeals deals{{hands.data(), hands.size()}, {tricks.data(), tricks.size()}, {theirs.data(), theirs.size()}};
  if (std::any_of(deals.hands.begin(), deals.hands.end(), [&](auto hand) { return hand >= table.hands(); }))
    throw nb::value_error("a hand that the table does not know");
  const auto impossible = [](auto tricks) { return tricks > 13; };
  if (std::any_of(deals.tricks.begin(), deals.tricks.end(), impossible) ||
      std::any_of(deals.theirs.begin(), deals.theirs.end(), impossible))
    throw nb::value_error("more than 13 tricks");
  return deals;
}

double learn(QTable& table, const Hands& hands, const Tricks& tricks, const Theirs& theirs, std::uint64_t count,
             const QLearning& how, std::uint64_t seed, std::uint64_t stream) {
  const QDeals deals = deals_of(table, hands, tricks, theirs);
  Random random(seed, stream);
  nb::gil_scoped_release released;
  return table.learn(deals, count, how, random);
}

std::uint64_t teach(QTable& table, const Hands& hands, const Tricks& tricks, const Theirs& theirs, const Lessons& bid,
                    const QLearning& how) {
  const QDeals deals = deals_of(table, hands, tricks, theirs);
  if (bid.shape(0) != deals.size() || bid.shape(1) != static_cast<std::size_t>(table.calls()))
    throw nb::value_error("as many calls of each deal as an auction has");
  nb::gil_scoped_release released;
  return table.teach(deals, {bid.data(), bid.size()}, how);
}

auto evaluate(const QTable& table, const Hands& hands, const Tricks& tricks, const Theirs& theirs) {
  const QDeals deals = deals_of(table, hands, tricks, theirs);
  const std::size_t count = deals.size() * RENAMINGS;
  auto* scores = new float[count];
  auto* bid = new std::uint8_t[count * table.calls()];
  {
    nb::gil_scoped_release released;
    table.evaluate(deals, {scores, count}, {bid, count * table.calls()});
  }
  return std::make_pair(owned(scores, deals.size(), RENAMINGS), owned(bid, deals.size(), RENAMINGS, table.calls()));
}

auto dump(const QTable& table) {
  auto* keys = new std::uint64_t[table.rows()];
  auto* values = new float[table.rows() * table.width()];
  for (std::size_t row = 0; row < table.rows(); ++row) {
    keys[row] = table.key(row);
    std::copy_n(table.values(row), table.width(), values + row * table.width());
  }
  return std::make_pair(owned(keys, table.rows()), owned(values, table.rows(), table.width()));
}

void load(QTable& table, const Keys& keys, const Values& values) {
  if (values.shape(0) != keys.shape(0) || values.shape(1) != static_cast<std::size_t>(table.width()))
    throw nb::value_error("a row of values for each key");
  for (std::size_t row = 0; row < keys.shape(0); ++row) {
    if (keys(row) == 0) throw nb::value_error("a key that is 0");
    std::copy_n(values.data() + row * table.width(), table.width(), table.add(keys(row)));
  }
}

void inherit(QTable& table, const QTable& parent, const Classes& opener, const Classes& responder) {
  try {
    table.inherit(parent, copied<std::uint32_t>(opener), copied<std::uint32_t>(responder));
  } catch (const std::invalid_argument& error) {
    throw nb::value_error(error.what());
  }
}

void bind_learning(nb::module_& m) {
  nb::enum_<QChoice>(m, "QChoice", "How a learner chooses its call.")
      .value("GREEDY", QChoice::GREEDY)
      .value("BOLTZMANN", QChoice::BOLTZMANN)
      .value("ROULETTE", QChoice::ROULETTE);
  nb::enum_<QReward>(m, "QReward", "What a learner is paid.")
      .value("SCORE", QReward::SCORE)
      .value("LOSS", QReward::LOSS)
      .value("LOSS_PLUS", QReward::LOSS_PLUS)
      .value("BLAME", QReward::BLAME);
  nb::class_<QLearning>(m, "QLearning", "How a pair learns.")
      .def(nb::init<>())
      .def_rw("rates", &QLearning::rates)
      .def_rw("explore", &QLearning::explore)
      .def_rw("choice", &QLearning::choice)
      .def_rw("temperature", &QLearning::temperature)
      .def_rw("gamma", &QLearning::gamma)
      .def_rw("fall", &QLearning::fall)
      .def_rw("reward", &QLearning::reward)
      .def_rw("low", &QLearning::low)
      .def_rw("high", &QLearning::high)
      .def_rw("integers", &QLearning::integers)
      .def_rw("agreed", &QLearning::agreed);
}

}  // namespace

void bind_qtable(nb::module_& m) {
  bind_learning(m);
  nb::class_<QTable>(m, "QTable", "A pair that learns to bid from tables of values; a hand is 38 * shape + points.")
      .def("__init__", &make, "shapes"_a, "openings"_a, "opener"_a, "responder"_a, "scores"_a, "q0"_a, "width"_a,
           "Shapes as lengths C D H S; by hand the opening (255: to be learnt) and the classes it is taken for.")
      .def_prop_ro("rows", &QTable::rows, "How many learners there are.")
      .def("inherit", &inherit, "parent"_a, "opener"_a, "responder"_a, nb::keep_alive<1, 2>(),
           "Begin new rows from a pair with coarser classes: by own class, the parent's.")
      .def("learn", &learn, "hands"_a, "tricks"_a, "theirs"_a, "count"_a, "how"_a, "seed"_a, "stream"_a,
           "Learn from so many deals drawn at random, suits renamed at random; the mean score. `theirs` [n, 5] are "
           "tricks of opponents who bid, or [0, 5].")
      .def("teach", &teach, "hands"_a, "tricks"_a, "theirs"_a, "bid"_a, "how"_a,
           "Learn from auctions of others, [n, calls] calls (255: over); how many of them were within reach.")
      .def("evaluate", &evaluate, "hands"_a, "tricks"_a, "theirs"_a,
           "[n, 24] scores and [n, 24, calls] calls of every deal in all renamings of suits, without exploring.")
      .def("dump", &dump, "[n] keys (class << 44 | 1, then six bits a call) and [n, width] values.")
      .def("load", &load, "keys"_a, "values"_a, "Take rows over.");
}

}  // namespace borel
