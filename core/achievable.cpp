#include "achievable.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "layout_set.h"

namespace borel {

struct Achievable::Impl {
  using Set = LayoutSet<4>;

  static constexpr int ANY_DEPTH = 127;  // of an answer that no depth changes
  static constexpr std::size_t MOST_POSITIONS = 400'000;
  static constexpr std::size_t MOST_SETS = 32;

  // A set of layouts with the depth at which one plan was found to win it, or not to. What is won is won at every smaller
  // depth, where guesses come right sooner; what is lost is lost at every greater one.
  struct Answer {
    Set set;
    int depth;
  };
  struct Known {
    std::vector<Answer> won, lost;
    Set solved, makes;  // with all cards seen
    int order = -1;     // the move that decided last time
  };

  Impl(SingleDummyGame& g, const AchievableOptions& o, StopSign* s) : game(g), options(o), sign(s) {
    if (g.layouts() > Set::CAPACITY) throw std::invalid_argument("more than 256 different layouts");
    first_choice = g.choices_made();
  }

  bool search(const Set& wanted) {
    if (game.over()) return game.won();
    if (options.node_limit && nodes - nodes_before >= options.node_limit) throw Stopped(Stopped::Why::node_limit);
    if ((++nodes & 63) == 0 && sign) sign->look();
    Known fresh;
    Known& known = options.table ? table[game.key()] : fresh;
    const int depth = depth_left();
    for (const Answer& answer : known.won)
      if (answer.depth >= depth && wanted.within(answer.set)) {
        limits += answer.depth < ANY_DEPTH;
        return true;
      }
    for (const Answer& answer : known.lost)
      if (answer.depth <= depth && answer.set.within(wanted)) return false;
    if (lost_double_dummy(wanted, known)) return false;
    const std::uint64_t before = limits;
    const bool won = wanted.count() == 1 || is_limit(depth) || branch(wanted, known);
    if (won)
      remember(known.won, {wanted, limits == before ? ANY_DEPTH : depth});
    else
      remember(known.lost, {wanted, depth});
    return won;
  }

  int depth_left() const { return options.depth - (game.choices_made() - first_choice); }
  bool is_limit(int depth) {
    if (depth > 0) return false;
    ++limits;
    return true;
  }

  // A set with one layout that is lost with all cards seen is lost; the layout that refuted last is asked first.
  bool lost_double_dummy(const Set& wanted, Known& known) {
    if (!(wanted & known.solved).within(known.makes)) return true;
    const Set open = wanted.minus(known.solved);
    if (refuter >= 0 && open.has(refuter) && !makes(refuter, known)) return true;
    bool lost = false;
    open.each([&](int layout) {
      if (!lost && layout != refuter && !makes(layout, known)) lost = true, refuter = layout;
    });
    return lost;
  }

  bool makes(int layout, Known& known) {
    const bool made = game.wins(layout);
    known.solved.add(layout);
    if (made) known.makes.add(layout);
    return made;
  }

  bool branch(const Set& wanted, Known& known) {
    std::vector<int> moves;
    game.moves(moves);
    if (known.order >= 0)
      if (const auto place = std::find(moves.begin(), moves.end(), known.order); place != moves.end())
        std::rotate(moves.begin(), place, place + 1);
    const bool defending = game.defender_to_play();
    for (const int move : moves) {
      const bool won = defending ? defended(wanted, move) : declared(wanted, move);
      if (won == defending) continue;  // a defender needs one card that beats, declarer one that keeps all
      known.order = move;
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

  static void remember(std::vector<Answer>& answers, const Answer& answer) {
    if (answers.size() >= MOST_SETS) answers.erase(answers.begin());
    answers.push_back(answer);
  }

  SingleDummyGame& game;
  AchievableOptions options;
  StopSign* sign;
  int first_choice = 0;
  int refuter = -1;
  std::uint64_t nodes = 0, nodes_before = 0;  // in all, and when the depth was set
  std::uint64_t limits = 0, limits_before = 0;  // answers that hung on the depth
  std::unordered_map<std::uint64_t, Known> table;
};

Achievable::Achievable(SingleDummyGame& game, const AchievableOptions& options, StopSign* sign)
    : impl_(std::make_unique<Impl>(game, options, sign)) {
  game.solver().set_stop_sign(sign);
}
Achievable::~Achievable() = default;
std::uint64_t Achievable::nodes() const { return impl_->nodes; }
bool Achievable::limited() const { return impl_->limits > impl_->limits_before; }

void Achievable::set_depth(int depth) {
  impl_->options.depth = depth;
  impl_->nodes_before = impl_->nodes, impl_->limits_before = impl_->limits;
  if (impl_->table.size() >= Impl::MOST_POSITIONS) impl_->table.clear();
}

void Achievable::learn(int move, const std::vector<int>& layouts) {
  impl_->game.play(move);
  Impl::Known& known = impl_->table[impl_->game.key()];
  for (const int layout : layouts) known.solved.add(layout), known.makes.add(layout);
  impl_->game.undo();
}

bool Achievable::check(const std::vector<int>& layouts, int move) {
  Impl::Set wanted;
  for (const int layout : layouts) wanted.add(layout);
  if (wanted.empty() || impl_->game.over()) return impl_->game.over() ? impl_->game.won() : true;
  return move < 0 ? impl_->search(wanted) : impl_->declared(wanted, move);
}

}  // namespace borel
