#include "achievable.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "layout_set.h"

namespace borel {

struct Achievable::Impl {
  using Set = LayoutSet<4>;

  // What is known at one position: sets that can be won and sets that cannot. A subset of the former can, a superset
  // of the latter cannot.
  struct Known {
    std::vector<Set> won, lost;
    int order = -1;  // the move that decided last time
  };

  Impl(SingleDummyGame& g, const AchievableOptions& o, StopSign* s) : game(g), options(o), sign(s) {
    if (g.layouts() > Set::CAPACITY) throw std::invalid_argument("more than 256 different layouts");
    first_choice = g.choices_made();
  }

  bool search(const Set& wanted) {
    if (game.over()) return game.won();
    if (options.node_limit && nodes >= options.node_limit) throw Stopped(Stopped::Why::node_limit);
    if ((++nodes & 63) == 0 && sign) sign->look();
    Known* known = nullptr;
    if (options.table) {
      known = &table[game.key() * 31 + static_cast<std::uint64_t>(depth_left())];
      for (const Set& set : known->won)
        if (wanted.within(set)) return true;
      for (const Set& set : known->lost)
        if (set.within(wanted)) return false;
    }
    const bool won = !lost_double_dummy(wanted, known) && (wanted.count() == 1 || depth_left() <= 0 || branch(wanted, known));
    if (known) remember(won ? known->won : known->lost, wanted);
    return won;
  }

  int depth_left() const { return options.depth - (game.choices_made() - first_choice); }

  // A set with one layout that is lost with all cards seen is lost; the layout that refuted last is asked first.
  bool lost_double_dummy(const Set& wanted, Known* known) {
    if (refuter >= 0 && wanted.has(refuter) && !game.wins(refuter)) return note_loss(known, refuter);
    bool lost = false;
    wanted.each([&](int layout) {
      if (!lost && layout != refuter && !game.wins(layout)) lost = note_loss(known, refuter = layout);
    });
    return lost;
  }

  bool note_loss(Known* known, int layout) {
    Set alone;
    alone.add(layout);
    if (known) remember(known->lost, alone);
    return true;
  }

  bool branch(const Set& wanted, Known* known) {
    std::vector<int> moves;
    game.moves(moves);
    if (known && known->order >= 0)
      if (const auto place = std::find(moves.begin(), moves.end(), known->order); place != moves.end())
        std::rotate(moves.begin(), place, place + 1);
    const bool defending = game.defender_to_play();
    for (const int move : moves) {
      const bool won = defending ? defended(wanted, move) : declared(wanted, move);
      if (won == defending) continue;  // a defender needs one card that beats, declarer one that keeps all
      if (options.table) table[game.key() * 31 + static_cast<std::uint64_t>(depth_left())].order = move;
      return won;
    }
    return defending;
  }

  bool declared(const Set& wanted, int move) {
    game.play(move);
    const bool won = search(wanted);
    game.undo();
    return won;
  }

  bool defended(const Set& wanted, int move) {
    Set able;
    wanted.each([&](int layout) {
      if (game.can_play(layout, move)) able.add(layout);
    });
    return able.empty() || declared(able, move);
  }

  static void remember(std::vector<Set>& sets, const Set& set) {
    if (std::find(sets.begin(), sets.end(), set) == sets.end() && sets.size() < 32) sets.push_back(set);
  }

  SingleDummyGame& game;
  AchievableOptions options;
  StopSign* sign;
  int first_choice = 0;
  int refuter = -1;
  std::uint64_t nodes = 0;
  std::unordered_map<std::uint64_t, Known> table;
};

Achievable::Achievable(SingleDummyGame& game, const AchievableOptions& options, StopSign* sign)
    : impl_(std::make_unique<Impl>(game, options, sign)) {
  game.solver().set_stop_sign(sign);
}
Achievable::~Achievable() = default;
std::uint64_t Achievable::nodes() const { return impl_->nodes; }

bool Achievable::check(const std::vector<int>& layouts, int move) {
  Impl::Set wanted;
  for (const int layout : layouts) wanted.add(layout);
  if (wanted.empty() || impl_->game.over()) return impl_->game.over() ? impl_->game.won() : true;
  return move < 0 ? impl_->search(wanted) : impl_->declared(wanted, move);
}

}  // namespace borel
