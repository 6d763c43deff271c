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
    return entry.check == check_of(hash) ? Lanes{1} << entry.card : 0;
  }
  void note(std::uint64_t key, Lanes card) {
    const std::uint64_t hash = hash_of(key);
    entries_[hash >> (64 - BITS)] = {check_of(hash), static_cast<std::uint32_t>(std::countr_zero(card))};
  }
  // Forgets everything: no entry passes the check of a later generation.
  void clear() { generation_ += 0x9E37'79B9u; }

 private:
  struct Entry {
    std::uint32_t check, card;
  };
  static constexpr int BITS = 15;
  static std::uint64_t hash_of(std::uint64_t key) {
    const std::uint64_t mixed = key * 0x9E37'79B9'7F4A'7C15u;
    return mixed ^ mixed >> 32;
  }
  std::uint32_t check_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash) + generation_; }
  Entry entries_[1 << BITS] = {};
  std::uint32_t generation_ = 1;
};

}  // namespace borel
