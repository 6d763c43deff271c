#include "solver.h"

#include <algorithm>

#include "first_guess.h"
#include "search.h"

namespace borel {

namespace {

// A position translated to lanes, ready to search.
struct Root {
  explicit Root(const PlayState& state) : order(state.strain), leader(state.leader), place(state.on_table()) {
    Lanes lanes[SEATS];
    for (int seat = 0; seat < SEATS; ++seat) lanes[seat] = order.lanes(state.hands[seat]);
    position.deal(lanes);
    for (int i = 0; i < place; ++i) {
      const Lanes card = order.bit(state.trick[i]);
      const int seat = (leader + i) & 3;
      if (i == 0)
        trick = Trick::led_by(seat, card);
      else
        trick = state.strain == NOTRUMP ? trick.after<false>(card, seat) : trick.after<true>(card, seat);
    }
    seat = state.to_play();
    tricks = state.tricks_left();
  }

  LaneOrder order;
  Position position;
  Trick trick;
  int leader;
  int place;
  int seat = 0;
  int tricks = 0;
};

// With at most so many tricks left what one layout taught helps with the next: values of all cards of 40 to 50 layouts
// take 23% less time at 6 tricks, 8% less at 8, but 20% more at 10, where the table grows out of the near caches.
constexpr int LAYOUT_TRICKS = 8;
constexpr std::size_t LAYOUT_ENTRIES = 1 << 16;

Owners owners_of(const Position& position) {
  return {position.hands[1] | position.hands[3], position.hands[2] | position.hands[3]};
}

}  // namespace

struct Solver::Impl {
  Impl(std::size_t bytes, const SolverOptions& chosen) : state(bytes), options(chosen) {
    if (options.node_limit != 0) state.node_limit = options.node_limit;
  }

  template <bool Trumps, class Switches>
  bool run(const Root& root, int target, const Switches& switches) {
    Search<Trumps, Switches> search(state, switches);
    Lanes ranks = 0;
    if (root.place == 0) return search.from_trick(root.leader, target, ranks);
    return search.from_card(root.place, root.seat, target, root.trick, ranks);
  }

  bool reaches(const Root& root, int target) {
    state.position = root.position;
    if (everything_on) {
      const EverythingOn on;
      return trumps ? run<true>(root, target, on) : run<false>(root, target, on);
    }
    return trumps ? run<true>(root, target, options) : run<false>(root, target, options);
  }

  // The table speaks of owners of relative cards, so it holds for other deals too; but entries of unrelated deals
  // would only be in the way. Other layouts of the same few cards are related: the next position of a sample.
  void prepare(const Root& root, int strain) {
    const Owners owners = owners_of(root.position);
    const Lanes held = root.position.held;
    if (strain == last_strain && (held & ~known) == 0 &&
        (((owners.low ^ state.owners.low) | (owners.high ^ state.owners.high)) & held) == 0)
      return;
    const bool few_cards = held == known && root.tricks <= LAYOUT_TRICKS && state.table.entries() < LAYOUT_ENTRIES;
    const bool other_layout = strain == last_strain && options.table == TableKind::partition && (keeps_table || few_cards);
    state.owners = owners;
    if (other_layout) return;
    state.table.clear();
    state.best_moves.clear();
    known = held;
    last_strain = strain;
    trumps = strain != NOTRUMP;
  }

  int first_guess_at(const Root& root) const {
    return trumps ? first_guess<true>(root.position, root.leader, root.tricks)
                  : first_guess<false>(root.position, root.leader, root.tricks);
  }

  int value(const Root& root, int guess, int low, int high) {
    while (low < high) {
      const int target = std::clamp(guess, low + 1, high);
      if (reaches(root, target)) {
        low = target;
        guess = target + 1;
      } else {
        high = target - 1;
        guess = target - 1;
      }
    }
    return low;
  }

  SearchState state;
  SolverOptions options;
  bool everything_on = options.all_on();
  bool trumps = false;
  bool keeps_table = false;
  int last_strain = -1;
  Lanes known = 0;  // cards whose owners the table is about
};

Solver::Solver(std::size_t memory_mb, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(memory_mb << 20, options)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;

void Solver::set_stop_sign(StopSign* sign) { impl_->state.stop_sign = sign; }
void Solver::keep_table(bool keep) { impl_->keeps_table = keep; }
std::uint64_t Solver::nodes() const { return impl_->state.nodes; }
std::uint64_t Solver::trick_nodes() const { return impl_->state.trick_nodes; }
void Solver::reset_nodes() { impl_->state.nodes = impl_->state.trick_nodes = impl_->state.next_check = 0; }

int Solver::solve(const PlayState& state, int guess, int low, int high) {
  const Root root(state);
  impl_->prepare(root, state.strain);
  if (guess < 0) guess = impl_->first_guess_at(root);
  return impl_->value(root, guess, std::max(low, 0), high < 0 ? root.tricks : std::min(high, root.tricks));
}

void Solver::forget() { impl_->last_strain = -1; }

std::array<std::int8_t, CARDS> Solver::card_values(const PlayState& state) {
  std::array<std::int8_t, CARDS> values;
  values.fill(-1);
  const Root root(state);
  impl_->prepare(root, state.strain);
  const bool ns = is_ns(root.seat);
  const Lanes legal = root.order.lanes(state.legal());
  const Lanes alive = root.position.held | root.trick.best;
  int guess = impl_->first_guess_at(root);
  for (Lanes rest = legal, tops = tops_of_equals(legal, alive); rest != 0; rest &= rest - 1) {
    const Lanes card = best_of(rest);
    const int index = root.order.card(card);
    if (card & tops) {
      const PlayState next = state.after(index);
      const Root child(next);
      int won = 0;
      if (root.place == 3) won = is_ns(next.leader);
      guess = won + impl_->value(child, guess - won, 0, child.tricks);
    }
    values[index] = static_cast<std::int8_t>(ns ? guess : root.tricks - guess);
  }
  return values;
}

std::array<std::uint8_t, SEATS> Solver::declarers(const std::array<HandMask, SEATS>& hands, int strain) {
  std::array<std::uint8_t, SEATS> result{};
  const int tricks = count(hands[0]);
  PlayState state{hands, strain, 0, {-1, -1, -1}};
  int guess = -1;
  for (const int leader : {1, 3, 0, 2}) {
    state.leader = leader;
    guess = solve(state, guess);
    const int declarer = (leader + 3) & 3;
    result[declarer] = static_cast<std::uint8_t>(is_ns(declarer) ? guess : tricks - guess);
  }
  return result;
}

std::vector<std::uint8_t> Solver::play_trace(const std::array<HandMask, SEATS>& hands, int strain, int leader,
                                             const std::vector<int>& cards) {
  PlayState state{hands, strain, leader, {-1, -1, -1}};
  const int tricks = state.tricks_left();
  const bool declarer_ns = !is_ns(leader);
  int won = 0;  // by NS
  int total = solve(state);
  std::vector<std::uint8_t> trace;
  const auto note = [&] { trace.push_back(static_cast<std::uint8_t>(declarer_ns ? total : tricks - total)); };
  note();
  for (const int card : cards) {
    const bool ns = is_ns(state.to_play());
    const bool completes = state.on_table() == 3;
    state = state.after(card);
    if (completes) won += is_ns(state.leader);
    // A card can only cost its own side tricks, so mostly one search confirms that it cost none.
    if (state.hands[state.to_play()] == 0)
      total = won;
    else
      total = won + (ns ? solve(state, total - won, 0, total - won) : solve(state, total - won + 1, total - won, -1));
    note();
  }
  return trace;
}

}  // namespace borel
