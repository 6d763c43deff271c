// Single dummy for Python: exact values of endings, and the best plan by achievable sets.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>
#include <stdexcept>

#include "../clock.h"
#include "../play_out.h"
#include "../single_dummy.h"
#include "../squeaky_wheel.h"
#include "bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace borel {

namespace {

using LayoutsIn = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using WeightsIn = nb::ndarray<const double, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Clock = std::chrono::steady_clock;

// Stops at a deadline and at Ctrl-C.
class Watch : public StopSign {
 public:
  explicit Watch(std::optional<double> seconds) : end_(seconds) {}
  void look() override {
    if (end_.is_over()) throw Stopped(Stopped::Why::deadline);
    const auto now = Clock::now();
    if (now < next_signal_) return;
    next_signal_ = now + std::chrono::milliseconds(50);
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  Deadline end_;
  Clock::time_point next_signal_ = Clock::now();
};

SingleDummyStart make_start(int declarer, const std::array<HandMask, 2>& seen, HandMask unseen, int strain, int leader,
                            const std::vector<int>& trick, int needed, int free_suit = -1) {
  if (declarer < 0 || declarer > 3 || leader < 0 || leader > 3 || strain < 0 || strain > NOTRUMP || trick.size() > 3 || free_suit > 3)
    throw std::invalid_argument("a seat, strain or trick out of range");
  if ((seen[0] & seen[1]) || ((seen[0] | seen[1]) & unseen)) throw std::invalid_argument("a card is in two places");
  SingleDummyStart start{declarer, seen, unseen, strain, leader, {-1, -1, -1}, needed, free_suit};
  std::copy(trick.begin(), trick.end(), start.trick.begin());
  return start;
}

// Every layout is a position that could have been reached.
void check_layouts(const SingleDummyStart& start, const LayoutsIn& layouts) {
  for (std::size_t i = 0; i < layouts.shape(0); ++i) {
    PlayState state;
    state.hands[start.declarer] = start.seen[0];
    state.hands[partner_of(start.declarer)] = start.seen[1];
    state.hands[next_seat(start.declarer)] = layouts(i);
    state.hands[(start.declarer + 3) & 3] = start.unseen & ~layouts(i);
    state.strain = start.strain, state.leader = start.leader, state.trick = start.trick;
    check(state);
  }
}

struct Setting {
  SingleDummyGame game;
  std::vector<double> weights;  // of the game's layouts
  std::vector<std::vector<int>> given;  // the layouts as given that each of the game's stands for
};

Setting set_up(const SingleDummyStart& start, const LayoutsIn& layouts, const WeightsIn& weights, int memory_mb) {
  if (layouts.shape(0) != weights.shape(0)) throw std::invalid_argument("one weight for each layout");
  if (start.free_suit < 0) check_layouts(start, layouts);
  std::vector<HandMask> hands(layouts.data(), layouts.data() + layouts.shape(0));
  Setting setting{SingleDummyGame(start, hands, static_cast<std::size_t>(memory_mb)), {}, {}};
  setting.weights.assign(setting.game.layouts(), 0.0);
  setting.given.resize(setting.game.layouts());
  for (std::size_t i = 0; i < hands.size(); ++i) {
    const int group = setting.game.group(static_cast<int>(i));
    setting.weights[group] += weights(i);
    setting.given[group].push_back(static_cast<int>(i));
  }
  return setting;
}

// The game's layouts that the sample has, and those that only the last `spare` of the given ones have.
std::pair<std::vector<int>, std::vector<int>> split(const Setting& setting, int spare) {
  std::size_t count = 0;
  for (const auto& given : setting.given) count += given.size();
  if (spare < 0 || static_cast<std::size_t>(spare) >= count) throw std::invalid_argument("a sample has at least one layout");
  const int first_spare = static_cast<int>(count) - spare;
  std::pair<std::vector<int>, std::vector<int>> result;
  for (std::size_t group = 0; group < setting.given.size(); ++group)
    (setting.given[group].front() < first_spare ? result.first : result.second).push_back(static_cast<int>(group));
  return result;
}

std::vector<int> groups_of(const Setting& setting, const std::vector<int>& given) {
  std::vector<int> groups;
  for (const int layout : given) groups.push_back(setting.game.group(layout));
  return groups;
}

std::vector<int> as_given(const Setting& setting, const std::vector<int>& layouts) {
  std::vector<int> given;
  for (const int layout : layouts)
    given.insert(given.end(), setting.given[layout].begin(), setting.given[layout].end());
  return given;
}

double weigh(const Setting& setting, const std::vector<int>& layouts) {
  double weight = 0;
  for (const int layout : layouts) weight += setting.weights[layout];
  return weight;
}

[[noreturn]] void throw_timeout() {
  PyErr_SetString(PyExc_TimeoutError, "the seconds given were over");
  throw nb::python_error();
}

using LineOut = std::tuple<double, std::vector<int>, std::vector<int>>;
using PlanOut = std::tuple<int, double, double, std::vector<int>>;

}  // namespace

void bind_single_dummy(nb::module_& m) {
  m.def(
      "single_dummy",
      [](int declarer, const std::array<HandMask, 2>& seen, HandMask unseen, int strain, int leader,
         const std::vector<int>& trick, int needed, const LayoutsIn& layouts, const WeightsIn& weights,
         double least_weight, bool best_only, int free_suit, int memory_mb, std::optional<double> seconds) {
        const SingleDummyStart start = make_start(declarer, seen, unseen, strain, leader, trick, needed, free_suit);
        Setting setting = set_up(start, layouts, weights, memory_mb);
        SingleDummyOptions options;
        options.least_weight = least_weight;
        options.best_only = best_only;
        options.weights = setting.weights;
        Watch watch(seconds);
        SingleDummyResult result;
        try {
          nb::gil_scoped_release released;
          result = solve_single_dummy(setting.game, options, &watch);
        } catch (const Stopped&) {
          throw_timeout();
        }
        if (result.stopped) throw_timeout();
        std::vector<LineOut> lines;
        for (const Line& line : result.lines)
          lines.emplace_back(weigh(setting, line.layouts), as_given(setting, line.layouts), line.cards);
        return std::make_tuple(lines, result.nodes, setting.game.layouts());
      },
      "declarer"_a, "seen"_a, "unseen"_a, "strain"_a, "leader"_a, "trick"_a, "needed"_a, "layouts"_a, "weights"_a,
      "least_weight"_a = 0.0, "best_only"_a = false, "free_suit"_a = -1, "memory_mb"_a = 64, "seconds"_a = nb::none(),
      "What declarer can play for: ([(weight, layouts won, first cards)], nodes, different layouts). Layouts are hands of\n"
      "declarer's left-hand opponent. With a free suit declarer leads every trick from either hand, and only that suit.\n"
      "TimeoutError when the seconds are over.");
  m.def(
      "best_line",
      [](int declarer, const std::array<HandMask, 2>& seen, HandMask unseen, int strain, int leader,
         const std::vector<int>& trick, int needed, const LayoutsIn& layouts, const WeightsIn& weights, int memory_mb,
         std::optional<double> seconds) {
        Setting setting = set_up(make_start(declarer, seen, unseen, strain, leader, trick, needed), layouts, weights, memory_mb);
        SingleDummyOptions options;
        options.best_only = true;
        options.weights = setting.weights;
        Watch watch(seconds);
        SingleDummyResult result;
        {
          nb::gil_scoped_release released;
          result = solve_single_dummy(setting.game, options, &watch);
        }
        std::vector<LineOut> lines;
        for (const Line& line : result.lines)
          lines.emplace_back(weigh(setting, line.layouts), as_given(setting, line.layouts), line.cards);
        return std::make_tuple(lines, result.upper, !result.stopped);
      },
      "declarer"_a, "seen"_a, "unseen"_a, "strain"_a, "leader"_a, "trick"_a, "needed"_a, "layouts"_a, "weights"_a,
      "memory_mb"_a = 64, "seconds"_a = nb::none(),
      "The heaviest line: ([(weight, layouts won, first cards)], bound, whether it is proved). When the seconds are over it\n"
      "is the best that was found, and no line is heavier than the bound.");
  m.def(
      "squeaky_wheel",
      [](int declarer, const std::array<HandMask, 2>& seen, HandMask unseen, int strain, int leader,
         const std::vector<int>& trick, int needed, const LayoutsIn& layouts, const WeightsIn& weights, int depth,
         int rounds, std::uint64_t node_limit, int spare, const std::vector<std::pair<int, std::vector<int>>>& known,
         int memory_mb, std::optional<double> seconds) {
        Setting setting = set_up(make_start(declarer, seen, unseen, strain, leader, trick, needed), layouts, weights, memory_mb);
        const auto [sampled, spared] = split(setting, spare);
        SqueakyWheelOptions options{depth, rounds, node_limit, {}};
        for (const auto& [card, won] : known) options.known.emplace_back(card, groups_of(setting, won));
        Watch watch(seconds);
        SqueakyWheelResult result;
        try {
          nb::gil_scoped_release released;
          result = squeaky_wheel(setting.game, setting.weights, options, &watch, sampled, spared);
        } catch (const Stopped&) {
          PyErr_SetString(PyExc_TimeoutError, "the seconds given were over before any layout was solved");
          throw nb::python_error();
        }
        std::vector<PlanOut> plans;
        for (const CardPlan& plan : result.plans)
          plans.emplace_back(plan.card, plan.weight, plan.double_dummy, as_given(setting, plan.layouts));
        return std::make_tuple(plans, result.depth, result.nodes);
      },
      "declarer"_a, "seen"_a, "unseen"_a, "strain"_a, "leader"_a, "trick"_a, "needed"_a, "layouts"_a, "weights"_a,
      "depth"_a = 4, "rounds"_a = 6, "node_limit"_a = 0, "spare"_a = 0,
      "known"_a = std::vector<std::pair<int, std::vector<int>>>{}, "memory_mb"_a = 64, "seconds"_a = nb::none(),
      "The best plan for each of declarer's cards, best first: ([(card, weight, weight double dummy, layouts won)], depth\n"
      "reached, nodes). The last `spare` layouts are no part of the sample: a plan takes them in when they are like its own.\n"
      "`known`: for some cards, all layouts that are won with all cards seen.");
  m.def(
      "play_out",
      [](int declarer, const std::array<HandMask, 2>& seen, HandMask unseen, int strain, int leader,
         const std::vector<int>& trick, int needed, const LayoutsIn& layouts, const WeightsIn& weights, bool plans,
         int sample, int spare, int depth, int rounds, std::uint64_t node_limit, std::uint64_t seed,
         std::optional<double> seconds) {
        if (sample + spare > 256) throw std::invalid_argument("more than 256 layouts to plan for");
        Setting setting = set_up(make_start(declarer, seen, unseen, strain, leader, trick, needed), layouts, weights, 64);
        Watch watch(seconds);
        PlayOutOptions options{plans, sample, spare, {depth, rounds, node_limit, {}}, seed};
        std::vector<int> won;
        try {
          nb::gil_scoped_release released;
          won = play_out(setting.game, setting.weights, options, &watch);
        } catch (const Stopped&) {
          throw_timeout();
        }
        return std::make_tuple(weigh(setting, won), as_given(setting, won));
      },
      "declarer"_a, "seen"_a, "unseen"_a, "strain"_a, "leader"_a, "trick"_a, "needed"_a, "layouts"_a, "weights"_a,
      "plans"_a = true, "sample"_a = 40, "spare"_a = 0, "depth"_a = 6, "rounds"_a = 6, "node_limit"_a = 4000, "seed"_a = 0,
      "seconds"_a = nb::none(),
      "(weight, layouts) that a declarer who plans, or who averages, wins against the best defence.");
}

}  // namespace borel
