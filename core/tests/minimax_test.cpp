// The solver equals plain minimax on random endings of one to six cards a hand, in every strain and at every
// point of a trick; so do the values of every legal card.
#include "minimax.h"

#include "check.h"

using namespace borel;
using namespace borel_test;

namespace {

void print(const PlayState& state) {
  for (int seat = 0; seat < SEATS; ++seat) {
    for (int suit = 3; suit >= 0; --suit) {
      for (int rank = 12; rank >= 0; --rank)
        if (state.hands[seat] & bit_of(card_of(suit, rank))) std::printf("%c", "23456789TJQKA"[rank]);
      std::printf(suit ? "." : " ");
    }
  }
  std::printf("strain %d leader %d trick %d %d %d\n", state.strain, state.leader, state.trick[0], state.trick[1],
              state.trick[2]);
}

void compare(Solver& solver, Minimax& oracle, const PlayState& state, bool cards) {
  check(state);
  const int expected = oracle.value(state);
  const int got = solver.solve(state);
  if (got != expected) std::printf("got %d expected %d for ", got, expected), print(state);
  CHECK(got == expected);
  if (!cards) return;
  const auto values = solver.card_values(state);
  const int tricks = state.tricks_left();
  for (int card = 0; card < CARDS; ++card) {
    if (!(state.legal() & bit_of(card))) {
      CHECK(values[card] == -1);
      continue;
    }
    const PlayState next = state.after(card);
    const int ns = (state.on_table() == 3 && is_ns(next.leader)) + oracle.value(next);
    CHECK(values[card] == (is_ns(state.to_play()) ? ns : tricks - ns));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int endings = argc > 1 ? std::atoi(argv[1]) : 2000;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  std::mt19937_64 rng(seed);
  Solver solver(16);
  long positions = 0;
  for (int i = 0; i < endings; ++i) {
    const int size = i % 40 == 0 ? 6 : 1 + i % 5;
    PlayState state = random_ending(rng, size, (i / 5) % STRAINS);
    Minimax oracle;
    for (int place = 0; place < 4; ++place, ++positions) {
      compare(solver, oracle, state, i % 4 == 0);
      state = state.after(random_card(rng, state.legal()));
    }
  }
  std::printf("%ld positions of %d endings\n", positions, endings);
  return finish("minimax_test");
}
