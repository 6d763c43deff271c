// The partition table: what is known about *sets* of positions (Ginsberg 2001, section 2.3).
//
// Positions are grouped by shape (the sixteen suit lengths) and the seat on lead. Within a shape the cards still
// held, numbered from the best down suit by suit, are the same for all members: "the third-best spade" has one
// index. An entry says who owns some of these relative cards (two bits an owner, split into two planes) and
// bounds the tricks of NS in every position of that shape whose owners agree with it under its mask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

  // Brings the place of a shape into the cache, to be asked soon.
  void prefetch(Lengths lengths, int leader) const {
    const char* home = reinterpret_cast<const char*>(&chunks_[home_of(lengths, leader)]);
    __builtin_prefetch(home);
    __builtin_prefetch(home + 64);
  }

  // Looks for an entry that settles whether NS take at least `target` tricks.
  Found find(Lengths lengths, int leader, Owners owners, int target) const;

  // Notes that NS take at least `lower` and at most `upper` tricks wherever the owners agree under `mask`.
  void add(Lengths lengths, int leader, Owners owners, std::uint64_t mask, int lower, int upper);

  std::size_t entries() const { return entries_; }
  std::size_t bytes() const;

 private:
  static constexpr int WIDTH = 4;

  struct Entry {
    std::uint64_t low, high, mask;
    std::int8_t lower, upper;
    std::uint8_t ranks;  // popcount of the mask
  };

  // Four entries side by side, so that one vector compare tests them all. A bucket is a list of chunks. Its first
  // chunk, its home, lives in the hashed front part of the memory and carries the key; the others are taken from the
  // back end. The front starts small, to stay in the near caches, and doubles when it fills up.
  struct alignas(128) Chunk {
    std::uint64_t low[WIDTH];
    std::uint64_t high[WIDTH];
    std::uint64_t mask[WIDTH];
    std::int8_t lower[WIDTH];
    std::int8_t upper[WIDTH];
    std::uint8_t ranks[WIDTH];
    std::uint32_t next;  // index of the next chunk, which is in the pool; 0 = none
    std::uint32_t used;
    std::uint32_t stamp;  // generation * 4 + leader; home chunks of older generations are free
    Lengths lengths;
  };
  static_assert(sizeof(Chunk) == 128);

  static std::uint64_t matches(const Chunk& chunk, Owners owners);
  static Entry get(const Chunk& chunk, std::uint32_t i);
  static void put(Chunk& chunk, std::uint32_t i, const Entry& entry);
  std::size_t home_of(Lengths lengths, int leader) const {
    return ((lengths ^ static_cast<Lengths>(leader) << 62) * 0x9E37'79B9'7F4A'7C15u) >> home_shift_;
  }
  std::uint32_t stamp_of(int leader) const { return generation_ * 4 + static_cast<std::uint32_t>(leader); }
  // The first chunk of the bucket, or the free place where it would be.
  Chunk& home(Lengths lengths, int leader) const;
  void set_home_count(std::size_t count);
  void double_homes();
  bool is_free(const Chunk& chunk) const { return chunk.stamp >> 2 != generation_; }

  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::unique_ptr<void, Free> memory_;
  Chunk* chunks_ = nullptr;  // in memory_
  std::size_t home_count_ = 0;
  std::size_t homes_used_ = 0;
  std::size_t chunk_count_ = 0;
  std::size_t pool_start_ = 0;  // chunks from here on belong to the pool and are in use
  std::size_t entries_ = 0;
  std::uint32_t generation_ = 0;
  int home_shift_ = 0;
};

}  // namespace borel
