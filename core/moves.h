// Which cards to try, and in which order.
#pragma once

#include "position.h"

namespace borel {

// Cards in the order in which to try them: group after group, the lowest card of a group first. A group lies in one suit.
struct MoveList {
  int size = 0;
  Lanes groups[RANKS];

  void add(Lanes group) {
    groups[size] = group;
    size += group != 0;
  }
  void set_unordered(Lanes choices) {
    for (size = 0; choices != 0; choices &= choices - 1) groups[size++] = best_of(choices);
  }
};

// Orders `choices` (one card for each group of equals) for the seat on play. Place 0 leads, place 3 plays last.
template <bool Trumps, int Place>
void order_moves(const Position& position, int seat, const Trick& trick, Lanes choices, MoveList& moves);

// Remembers the card that settled a position, by a key of what the position looked like.
class BestMoves {
 public:
  Lanes find(std::uint64_t key) const { return cards_[index(key)]; }
  void note(std::uint64_t key, Lanes card) { cards_[index(key)] = card; }
  void clear() {
    for (Lanes& card : cards_) card = 0;
  }

 private:
  static constexpr int BITS = 14;
  static std::size_t index(std::uint64_t key) { return (key * 0x9E37'79B9'7F4A'7C15u) >> (64 - BITS); }
  Lanes cards_[1 << BITS] = {};
};

}  // namespace borel
