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

// Remembers the card that settled a position, by a key of what the position looked like. An entry keeps half of its
// hashed key: a card remembered from some other position costs more than it gains.
class BestMoves {
 public:
  Lanes find(std::uint64_t key) const {
    const std::uint64_t hash = hash_of(key);
    const Entry& entry = entries_[hash >> (64 - BITS)];
    return entry.check == static_cast<std::uint32_t>(hash) ? Lanes{1} << entry.card : 0;
  }
  void note(std::uint64_t key, Lanes card) {
    const std::uint64_t hash = hash_of(key);
    entries_[hash >> (64 - BITS)] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(std::countr_zero(card))};
  }
  // Forgets everything: no key has the same hash as before.
  void clear() { ++generation_; }

 private:
  struct Entry {
    std::uint32_t check, card;
  };
  static constexpr int BITS = 15;
  std::uint64_t hash_of(std::uint64_t key) const {
    const std::uint64_t mixed = (key + generation_ * 0xBF58'476D'1CE4'E5B9u) * 0x9E37'79B9'7F4A'7C15u;
    return mixed ^ mixed >> 32;
  }
  Entry entries_[1 << BITS] = {};
  std::uint64_t generation_ = 0;
};

}  // namespace borel
