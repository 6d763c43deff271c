// The partition table: what is known about *sets* of positions (Ginsberg 2001, section 2.3).
//
// Positions are grouped by shape (the sixteen suit lengths) and the seat on lead. Within a shape the cards still
// held, numbered from the best down suit by suit, are the same for all members: "the third-best spade" has one
// index. An entry says who owns some of these relative cards (two bits an owner, split into two planes) and
// bounds the tricks of NS in every position of that shape whose owners agree with it under its mask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "position.h"

namespace borel {

// Owners of the relative cards of one position, bit i = relative card i.
struct Owners {
  std::uint64_t low;   // low bit of the seat
  std::uint64_t high;  // high bit of the seat
};

struct Found {
  bool hit = false;
  bool ns_reach_target = false;
  std::uint64_t mask = 0;  // relative cards on which the answer rests
};

class PartitionTable {
 public:
  explicit PartitionTable(std::size_t bytes);

  // Forgets everything, in constant time.
  void clear();

  void prefetch(Lengths lengths, int leader) const { __builtin_prefetch(&slots_[slot_of(lengths, leader)]); }

  // Looks for an entry that settles whether NS take at least `target` tricks.
  Found find(Lengths lengths, int leader, Owners owners, int target) const;

  // Notes that NS take at least `lower` and at most `upper` tricks wherever the owners agree under `mask`.
  void add(Lengths lengths, int leader, Owners owners, std::uint64_t mask, int lower, int upper);

  std::size_t entries() const { return entries_; }
  std::size_t bytes() const;

 private:
  static constexpr int WIDTH = 4;

  // Four entries side by side, so that one vector compare tests them all; a bucket is a list of chunks.
  struct alignas(64) Chunk {
    std::uint64_t low[WIDTH];
    std::uint64_t high[WIDTH];
    std::uint64_t mask[WIDTH];
    std::int8_t lower[WIDTH];
    std::int8_t upper[WIDTH];
    std::uint8_t ranks[WIDTH];  // popcount of the mask
    std::uint32_t next;  // index of the next chunk, 0 = none
    std::uint32_t used;
  };
  struct Entry {
    std::uint64_t low, high, mask;
    std::int8_t lower, upper;
  };
  struct Slot {
    Lengths lengths;
    std::uint32_t stamp;  // generation * 4 + leader; slots of older generations are free
    std::uint32_t chunk;
  };

  static std::uint64_t matches(const Chunk& chunk, Owners owners);
  static bool covers(const Entry& entry, const Chunk& chunk, std::uint32_t i);
  static void put(Chunk& chunk, std::uint32_t i, const Entry& entry, int ranks);
  static void swap(Chunk& chunk, std::uint32_t i, Entry& entry, int& ranks);
  std::size_t slot_of(Lengths lengths, int leader) const {
    return ((lengths + static_cast<Lengths>(leader)) * 0x9E37'79B9'7F4A'7C15u) >> slot_shift_;
  }
  std::uint32_t stamp_of(int leader) const { return generation_ * 4 + static_cast<std::uint32_t>(leader); }
  const Slot* bucket(Lengths lengths, int leader) const;
  Slot& make_bucket(Lengths lengths, int leader);

  template <class T>
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<Slot[], Free<Slot>> slots_;
  std::unique_ptr<Chunk[], Free<Chunk>> chunks_;
  std::size_t slot_count_ = 0;
  std::size_t slots_used_ = 0;
  std::size_t chunk_count_ = 0;
  std::size_t chunks_used_ = 0;
  std::size_t entries_ = 0;
  std::uint32_t generation_ = 0;
  int slot_shift_ = 0;
};

}  // namespace borel
