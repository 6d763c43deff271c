// A position of the play: who holds what, with do and undo of one card.
#pragma once

#include <cstdint>

#include "lanes.h"

namespace borel {

// The trick on the table, as far as the search needs it.
struct Trick {
  int led = 0;           // lane of the suit led
  int winner = 0;        // seat winning so far
  Lanes best = 0;        // its card
  bool by_rank = false;  // a second card of the winning suit has been played, so the rank of `best` matters

  // The trick after `seat` adds `card`, when trumps are lane 3 (or there are none).
  template <bool Trumps>
  Trick after(Lanes card, int seat) const {
    Trick next = *this;
    const int suit = lane_of(card);
    if (suit == lane_of(best)) {
      next.by_rank = true;
      if (card < best) next.best = card, next.winner = seat;
    } else if (Trumps && suit == TRUMP_LANE) {
      next.best = card, next.winner = seat, next.by_rank = false;
    }
    return next;
  }
  static Trick led_by(int seat, Lanes card) { return Trick{lane_of(card), seat, card, false}; }
};

// Sixteen 4-bit counters, seat-major: how many cards each seat holds in each suit.
using Lengths = std::uint64_t;

constexpr int length_shift(int seat, int suit) { return 16 * seat + 4 * suit; }

struct Position {
  Lanes hands[SEATS]{};
  Lanes held = 0;  // union of the hands
  Lengths lengths = 0;

  void deal(const Lanes (&cards)[SEATS]) {
    held = lengths = 0;
    for (int seat = 0; seat < SEATS; ++seat) {
      hands[seat] = cards[seat];
      held |= cards[seat];
      for (int suit = 0; suit < SUITS; ++suit)
        lengths += static_cast<Lengths>(std::popcount(cards[seat] & lane(suit))) << length_shift(seat, suit);
    }
  }
  void play(int seat, Lanes card) {
    hands[seat] ^= card;
    held ^= card;
    lengths -= Lengths{1} << length_shift(seat, lane_of(card));
  }
  void undo(int seat, Lanes card) {
    hands[seat] ^= card;
    held ^= card;
    lengths += Lengths{1} << length_shift(seat, lane_of(card));
  }
  int length(int seat, int suit) const { return (lengths >> length_shift(seat, suit)) & 15; }
  int cards_in(int seat) const { return std::popcount(hands[seat]); }
};

}  // namespace borel
