#include "../breeding.h"
#include "../talking.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.h"
#include "owned.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {
namespace {

using Paid = nb::ndarray<const float, nb::shape<-1, -1, -1, -1>, nb::c_contig, nb::device::cpu>;
using Allowed = nb::ndarray<const std::uint8_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

TalkGame game_of(const Paid& paid, const Allowed& allowed) {
  const TalkGame game{static_cast<int>(paid.shape(0)), static_cast<int>(paid.shape(1)), static_cast<int>(paid.shape(2)),
                      static_cast<int>(paid.shape(3)), {paid.data(), paid.data() + paid.size()},
                      {allowed.data(), allowed.data() + allowed.size()}};
  if (allowed.shape(0) != paid.shape(1) || allowed.shape(1) != paid.shape(3))
    throw nb::value_error("what is allowed is [words, answers]");
  if (game.words < 1 || game.words > 64 || game.answers > 64 || game.first < 1 || game.second < 1)
    throw nb::value_error("1 to 64 words and answers");
  for (int word = 0; word < game.words; ++word) {
    const auto* row = game.allowed.data() + static_cast<std::size_t>(word) * game.answers;
    bool any = false;
    for (int answer = 0; answer < game.answers; ++answer) any = any || row[answer];
    if (!any) throw nb::value_error("a word without an answer");
  }
  return game;
}

// One pair, stopped at so many points: [points, first] words and [points, second, words] answers.
auto talk(const Paid& paid, const Allowed& allowed, std::uint64_t cycles, std::size_t points,
          const TalkLearning& how, std::uint64_t seed, std::uint64_t stream) {
  const TalkGame game = game_of(paid, allowed);
  if (points < 1) throw nb::value_error("a point to stop at");
  const std::size_t replies = static_cast<std::size_t>(game.second) * game.words;
  auto* says = new std::uint8_t[points * game.first];
  auto* answers = new std::uint8_t[points * replies];
  {
    nb::gil_scoped_release released;
    TalkPair pair(game, how, seed, stream);
    for (std::size_t point = 0; point < points; ++point) {
      const std::uint64_t from = point * cycles / points, to = (point + 1) * cycles / points;
      pair.talk(to - from, static_cast<double>(from) / cycles, static_cast<double>(to) / cycles);
      pair.language({says + point * game.first, static_cast<std::size_t>(game.first)}, {answers + point * replies, replies});
    }
  }
  return std::make_pair(owned(says, points, game.first), owned(answers, points, game.second, game.words));
}

// The best worth after each generation, and the best individual's genes.
auto breed(const Paid& paid, const Allowed& allowed, const Breeding& how, std::uint64_t seed, std::uint64_t stream) {
  const TalkGame game = game_of(paid, allowed);
  if (how.population < 1 || how.talks < 1 || how.generations < 1 || how.mutation < 0 || how.mutation >= 1)
    throw nb::value_error("a population, talks, generations, and a chance of mutation below 1");
  Population population(game, how, seed, stream);
  std::vector<double> best;
  {
    nb::gil_scoped_release released;
    best = population.breed();
  }
  auto* genes = new std::uint8_t[population.champion().size()];
  std::copy(population.champion().begin(), population.champion().end(), genes);
  return std::make_pair(best, owned(genes, population.champion().size()));
}

}  // namespace

void bind_talking(nb::module_& m) {
  nb::class_<TalkLearning>(m, "TalkLearning", "How two partners learn to talk.")
      .def(nb::init<>())
      .def_rw("rate", &TalkLearning::rate)
      .def_rw("explore", &TalkLearning::explore)
      .def_rw("fall", &TalkLearning::fall)
      .def_rw("joint", &TalkLearning::joint)
      .def_rw("rho", &TalkLearning::rho)
      .def_rw("low", &TalkLearning::low)
      .def_rw("high", &TalkLearning::high)
      .def_rw("warm", &TalkLearning::warm)
      .def_rw("cold", &TalkLearning::cold);
  nb::class_<Breeding>(m, "Breeding", "How languages are bred.")
      .def(nb::init<>())
      .def_rw("population", &Breeding::population)
      .def_rw("talks", &Breeding::talks)
      .def_rw("generations", &Breeding::generations)
      .def_rw("mutation", &Breeding::mutation);
  m.def("breed", &breed, "paid"_a, "allowed"_a, "how"_a, "seed"_a, "stream"_a,
        "Breed one population until a language is perfect: the best worth after each generation, and its genes.");
  m.def("talk", &talk, "paid"_a, "allowed"_a, "cycles"_a, "points"_a, "how"_a, "seed"_a, "stream"_a,
        "Let one pair learn: [points, first] words and [points, second, words] answers of its language.");
}

}  // namespace borel
