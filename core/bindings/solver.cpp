// The double-dummy solver for Python. Numbers cross in batches; the GIL is free while the core works.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../batch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {

namespace {

using HandsIn = nb::ndarray<const std::uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using BytesIn = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using TricksIn = nb::ndarray<const std::uint8_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Seconds = std::optional<double>;

constexpr std::uint8_t NO_CARD = 255;

template <class T>
nb::object to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* keep = new std::vector<T>(std::move(values));
  nb::capsule owner(keep, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(keep->data(), shape, owner));
}

// Where the results of a batch go: into the caller's arrays if he gives them, so that he keeps what was done when the
// batch is stopped; `done[i]` turns 1 when row i is there.
using BytesOut = std::optional<nb::ndarray<std::uint8_t, nb::c_contig, nb::device::cpu>>;

template <class T>
class Rows {
 public:
  Rows(std::size_t rows, std::size_t width, const BytesOut& out, const BytesOut& done) : width_(width), out_(out), done_(done) {
    if (out && out->size() != rows * width)
      throw std::invalid_argument("out must have " + std::to_string(rows * width) + " bytes");
    if (done && done->size() != rows) throw std::invalid_argument("done must have one byte for each position");
    if (!out) own_.resize(rows * width);
    start_ = out ? reinterpret_cast<T*>(out->data()) : own_.data();
  }
  void put(std::size_t i, const void* row) {
    std::memcpy(start_ + i * width_, row, width_);
    if (done_) std::atomic_ref(done_->data()[i]).store(1, std::memory_order_release);
  }
  nb::object take(std::initializer_list<std::size_t> shape) {
    return out_ ? nb::cast(*out_) : to_numpy(std::move(own_), shape);
  }

 private:
  static_assert(sizeof(T) == 1);
  std::size_t width_;
  const BytesOut& out_;
  const BytesOut& done_;
  std::vector<T> own_;
  T* start_;
};

[[noreturn]] void reject(std::size_t i, const std::string& why) {
  throw std::invalid_argument("position " + std::to_string(i) + ": " + why);
}

void check_at(std::size_t i, const PlayState& state) {
  try {
    check(state);
  } catch (const std::invalid_argument& error) {
    reject(i, error.what());
  }
}

std::vector<PlayState> read_positions(const HandsIn& hands, const BytesIn& strain, const BytesIn& leader,
                                      const TricksIn& trick) {
  const std::size_t n = hands.shape(0);
  if (strain.shape(0) != n || leader.shape(0) != n || trick.shape(0) != n)
    throw std::invalid_argument("hands, strain, leader and trick must have the same length");
  std::vector<PlayState> states(n);
  for (std::size_t i = 0; i < n; ++i) {
    PlayState& state = states[i];
    for (int seat = 0; seat < SEATS; ++seat) state.hands[seat] = hands(i, seat);
    state.strain = strain(i);
    state.leader = leader(i);
    for (int j = 0; j < 3; ++j) state.trick[j] = trick(i, j) == NO_CARD ? -1 : trick(i, j);
    check_at(i, state);
  }
  return states;
}

BatchOptions batch_options(int threads, int memory_mb, Seconds seconds, const nb::object& progress) {
  if (threads < 0) throw std::invalid_argument("threads must be 0 (all cores) or more");
  if (memory_mb < 1) throw std::invalid_argument("memory_mb must be 1 or more");
  BatchOptions options;
  options.threads = threads;
  options.memory_mb = static_cast<std::size_t>(memory_mb);
  if (seconds) {
    if (!(*seconds > 0)) throw std::invalid_argument("seconds must be positive, or None");
    options.seconds = *seconds;
  }
  options.progress = [&progress](std::size_t done) {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return progress.is_none() || nb::cast<bool>(progress(done));
  };
  return options;
}

void run(std::size_t n, const BatchOptions& options, const std::function<void(Solver&, std::size_t)>& job) {
  try {
    nb::gil_scoped_release free_gil;
    run_batch(n, options, job);
  } catch (const Stopped& stopped) {
    const bool late = stopped.why == Stopped::Why::deadline;
    PyErr_SetString(late ? PyExc_TimeoutError : PyExc_InterruptedError,
                    late ? "double-dummy search did not finish in the seconds given" : "double-dummy search cancelled");
    throw nb::python_error();
  }
}

nb::object dd_tables(const HandsIn& hands, int threads, int memory_mb, Seconds seconds, const nb::object& progress,
                     const BytesOut& out, const BytesOut& done) {
  const std::size_t n = hands.shape(0);
  std::vector<std::array<HandMask, SEATS>> deals(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int seat = 0; seat < SEATS; ++seat) deals[i][seat] = hands(i, seat);
    check_at(i, PlayState{deals[i], NOTRUMP, 0, {-1, -1, -1}});
  }
  Rows<std::uint8_t> rows(n, STRAINS * SEATS, out, done);
  // A strain is a task of its own: nothing learnt in one helps in another, and threads end nearly together.
  std::vector<std::array<std::array<std::uint8_t, SEATS>, STRAINS>> tables(n);
  std::vector<std::atomic<int>> solved(n);
  BatchOptions options = batch_options(threads, memory_mb, seconds, progress);
  options.progress = [told = options.progress](std::size_t tasks) { return told(tasks / STRAINS); };
  run(n * STRAINS, options, [&](Solver& solver, std::size_t task) {
    const std::size_t i = task / STRAINS;
    const int strain = static_cast<int>(task % STRAINS);
    tables[i][static_cast<std::size_t>(strain)] = solver.declarers(deals[i], strain);
    if (solved[i].fetch_add(1, std::memory_order_acq_rel) + 1 == STRAINS) rows.put(i, &tables[i]);
  });
  return rows.take({n, STRAINS, SEATS});
}

nb::object dd_solve(const HandsIn& hands, const BytesIn& strain, const BytesIn& leader, const TricksIn& trick,
                    int threads, int memory_mb, Seconds seconds, const nb::object& progress, const BytesOut& out,
                    const BytesOut& done) {
  const auto states = read_positions(hands, strain, leader, trick);
  Rows<std::uint8_t> rows(states.size(), 1, out, done);
  run(states.size(), batch_options(threads, memory_mb, seconds, progress), [&](Solver& solver, std::size_t i) {
    const auto tricks = static_cast<std::uint8_t>(solver.solve(states[i]));
    rows.put(i, &tricks);
  });
  return rows.take({states.size()});
}

nb::object dd_card_values(const HandsIn& hands, const BytesIn& strain, const BytesIn& leader, const TricksIn& trick,
                          int threads, int memory_mb, Seconds seconds, const nb::object& progress, const BytesOut& out,
                          const BytesOut& done) {
  const auto states = read_positions(hands, strain, leader, trick);
  Rows<std::int8_t> rows(states.size(), CARDS, out, done);
  run(states.size(), batch_options(threads, memory_mb, seconds, progress), [&](Solver& solver, std::size_t i) {
    const auto values = solver.card_values(states[i]);
    rows.put(i, values.data());
  });
  return rows.take({states.size(), CARDS});
}

nb::object dd_play_trace(const nb::ndarray<const std::uint64_t, nb::shape<4>, nb::c_contig, nb::device::cpu>& hands,
                         int strain, int leader, const BytesIn& cards, int memory_mb, Seconds seconds,
                         const nb::object& progress) {
  PlayState state{{hands(0), hands(1), hands(2), hands(3)}, strain, leader, {-1, -1, -1}};
  check(state);
  const PlayState start = state;
  std::vector<int> play;
  for (std::size_t i = 0; i < cards.shape(0); ++i) {
    const int card = cards(i);
    if (card >= CARDS || state.hands[state.to_play()] == 0 || !(state.legal() & bit_of(card)))
      reject(i, "card " + std::to_string(card) + " cannot be played here");
    play.push_back(card);
    state = state.after(card);
  }
  std::vector<std::uint8_t> result;
  run(1, batch_options(1, memory_mb, seconds, progress),
      [&](Solver& solver, std::size_t) { result = solver.play_trace(start.hands, strain, leader, play); });
  const std::size_t size = result.size();
  return to_numpy(std::move(result), {size});
}

nb::object dd_nodes(const HandsIn& hands, const BytesIn& strain, const BytesIn& leader, const TricksIn& trick,
                    const SolverOptions& switches, int threads, int memory_mb, Seconds seconds,
                    const nb::object& progress) {
  const auto states = read_positions(hands, strain, leader, trick);
  const std::size_t n = states.size();
  std::vector<std::uint8_t> tricks(n);
  std::vector<std::uint64_t> nodes(n), trick_nodes(n);
  BatchOptions options = batch_options(threads, memory_mb, seconds, progress);
  options.solver = switches;
  run(n, options, [&](Solver& solver, std::size_t i) {
    solver.forget();
    solver.reset_nodes();
    try {
      tricks[i] = static_cast<std::uint8_t>(solver.solve(states[i]));
    } catch (const Stopped& stopped) {
      if (stopped.why != Stopped::Why::node_limit) throw;
      tricks[i] = NO_CARD;
    }
    nodes[i] = solver.nodes();
    trick_nodes[i] = solver.trick_nodes();
  });
  return nb::make_tuple(to_numpy(std::move(tricks), {n}), to_numpy(std::move(nodes), {n}),
                        to_numpy(std::move(trick_nodes), {n}));
}

constexpr const char* COMMON_DOC =
    "\n\nthreads: 0 = all cores. memory_mb: table of each thread. seconds: deadline, None = none; TimeoutError when"
    "\nit passes. progress: called from this thread about every 50 ms with the number of positions done; return False"
    "\nto cancel (InterruptedError). Bad input raises ValueError.";

constexpr const char* OUT_DOC =
    "\n\nout: bytes to write the result into, row by row as it is found. done: uint8[n], set to 1 for the rows that are"
    "\nthere; with both, a batch that was stopped leaves what it did.";

std::string doc(const char* text) { return std::string(text) + COMMON_DOC; }
std::string doc_with_out(const char* text) { return doc(text) + OUT_DOC; }

void bind_options(nb::module_& m) {
  nb::enum_<TableKind>(m, "TableKind", "What the solver remembers positions in.")
      .value("none", TableKind::none)
      .value("exact", TableKind::exact, "an ordinary transposition table")
      .value("partition", TableKind::partition, "sets of positions (partition search)");
  nb::class_<SolverOptions>(m, "SolverOptions", "Switches of the search; all on by default. Answers never depend on them.")
      .def(
          "__init__",
          [](SolverOptions* self, bool merge_equals, bool order_moves, bool sure_tricks, bool later_tricks,
             bool rank_cut, bool best_move_cache, TableKind table, std::uint64_t node_limit) {
            new (self) SolverOptions{merge_equals, order_moves,     sure_tricks, later_tricks,
                                     rank_cut,     best_move_cache, table,       node_limit};
          },
          nb::kw_only(), "merge_equals"_a = true, "order_moves"_a = true, "sure_tricks"_a = true,
          "later_tricks"_a = true, "rank_cut"_a = true, "best_move_cache"_a = true,
          "table"_a = TableKind::partition, "node_limit"_a = 0)
      .def_rw("merge_equals", &SolverOptions::merge_equals)
      .def_rw("order_moves", &SolverOptions::order_moves)
      .def_rw("sure_tricks", &SolverOptions::sure_tricks)
      .def_rw("later_tricks", &SolverOptions::later_tricks)
      .def_rw("rank_cut", &SolverOptions::rank_cut)
      .def_rw("best_move_cache", &SolverOptions::best_move_cache)
      .def_rw("table", &SolverOptions::table)
      .def_rw("node_limit", &SolverOptions::node_limit);
}

}  // namespace

void bind_solver(nb::module_& m) {
  constexpr int MEMORY = 160;
  bind_options(m);
  m.def("dd_tables", &dd_tables, "hands"_a, "threads"_a = 0, "memory_mb"_a = MEMORY, "seconds"_a = nb::none(),
        "progress"_a = nb::none(), "out"_a = nb::none(),
        "done"_a = nb::none(),
        doc_with_out("Tricks of declarer, uint8[n, 5, 4] indexed [deal, strain, declarer].\n\n"
            "hands: uint64[n, 4], 52-bit masks of N E S W; 1 to 13 cards a hand, all alike.").c_str());
  m.def("dd_solve", &dd_solve, "hands"_a, "strain"_a, "leader"_a, "trick"_a, "threads"_a = 0, "memory_mb"_a = MEMORY,
        "seconds"_a = nb::none(), "progress"_a = nb::none(), "out"_a = nb::none(),
        "done"_a = nb::none(),
        doc_with_out("Tricks that NS still take, the current trick included: uint8[n].\n\n"
            "hands: uint64[n, 4], cards still held. strain, leader: uint8[n]; leader is the seat that led, or is to lead,"
            "\nto the current trick. trick: uint8[n, 3], cards on the table in the order played, 255 = none.").c_str());
  m.def("dd_card_values", &dd_card_values, "hands"_a, "strain"_a, "leader"_a, "trick"_a, "threads"_a = 0,
        "memory_mb"_a = MEMORY, "seconds"_a = nb::none(), "progress"_a = nb::none(), "out"_a = nb::none(),
        "done"_a = nb::none(),
        doc_with_out("For every card, the tricks that the side of the seat on play still takes if it plays it: int8[n, 52].\n\n"
            "The current trick is included; cards that are not legal have -1. Arguments as in dd_solve.").c_str());
  m.def("dd_play_trace", &dd_play_trace, "hands"_a, "strain"_a, "leader"_a, "cards"_a, "memory_mb"_a = MEMORY,
        "seconds"_a = nb::none(), "progress"_a = nb::none(),
        doc("Tricks of declarer's side in the whole deal, before each card and after the last: uint8[k + 1].\n\n"
            "hands: uint64[4], as dealt. leader: seat of the opening lead (declarer is its right-hand opponent)."
            "\ncards: uint8[k], in the order played.").c_str());
  m.def("dd_nodes", &dd_nodes, "hands"_a, "strain"_a, "leader"_a, "trick"_a, "options"_a, "threads"_a = 1,
        "memory_mb"_a = MEMORY, "seconds"_a = nb::none(), "progress"_a = nb::none(),
        doc("(tricks uint8[n], nodes uint64[n], trick_nodes uint64[n]) of dd_solve under the switches given, each position"
            "\nsolved with an empty table. A node is one card played by the search; a trick node is one at which a trick"
            "\nbegins. Positions beyond options.node_limit (0 = none) have 255 tricks.\n\nArguments as in dd_solve.").c_str());
}

}  // namespace borel
