// No claim promises more than plain minimax delivers: sure tricks, later tricks, hopeless leads.
#include "../later_tricks.h"
#include "check.h"
#include "minimax.h"

using namespace borel;
using namespace borel_test;

namespace {

template <bool Trumps>
void compare(const PlayState& state, Minimax& oracle) {
  const LaneOrder order(state.strain);
  Lanes lanes[SEATS];
  for (int seat = 0; seat < SEATS; ++seat) lanes[seat] = order.lanes(state.hands[seat]);
  Position position;
  position.deal(lanes);
  const int tricks = state.tricks_left();
  const auto side_of = [&](int seat, int ns) { return is_ns(seat) ? ns : tricks - ns; };
  const int ns = oracle.value(state);
  for (int enough = 1; enough <= tricks; ++enough)
    CHECK(std::min(enough, sure_tricks<Trumps>(position, state.leader, enough).tricks) <= side_of(state.leader, ns));
  CHECK(later_tricks<Trumps>(position, state.leader, tricks).tricks <= side_of(next_seat(state.leader), ns));
  for (int enough = 1; enough <= tricks; ++enough) {
    const Hopeless hopeless = hopeless_leads<Trumps>(position, state.leader, enough);
    for (HandMask rest = state.hands[state.leader]; rest != 0; rest &= rest - 1) {
      const int card = std::countr_zero(rest);
      if ((order.bit(card) & hopeless.suits) == 0) continue;
      CHECK(side_of(next_seat(state.leader), oracle.value(state.after(card))) >= enough);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int endings = argc > 1 ? std::atoi(argv[1]) : 2000;
  std::mt19937_64 rng(17);
  for (int i = 0; i < endings; ++i) {
    PlayState state = random_ending(rng, 2 + i % 4, i % STRAINS);
    Minimax oracle;
    for (state.leader = 0; state.leader < SEATS; ++state.leader)
      state.strain == NOTRUMP ? compare<false>(state, oracle) : compare<true>(state, oracle);
  }
  return finish("claims_test");
}
