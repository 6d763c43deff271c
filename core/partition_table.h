// The partition table: what is known about *sets* of positions (Ginsberg 2001, section 2.3).
//
// Positions are grouped by shape (the sixteen suit lengths) and the seat on lead. Within a shape the cards still
// held, numbered from the best down suit by suit, are the same for all members: "the third-best spade" has one
// index. An entry says who owns some of these relative cards (two bits an owner, split into two planes) and
// bounds the tricks of NS in every position of that shape whose owners agree with it under its mask.
//
// A shape has two kinds of bucket: one for the entries that leave open who owns the best card of some suit, and one for
// each way in which the best cards of all suits are owned. A hard deal has thousands of entries of one shape, nearly all
// of the second kind, and only those that can agree are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "position.h"

namespace borel {

// Owners of the relative cards of one position, bit i = relative card i.
struct Owners {
  std::uint64_t low;   // low bit of the seat
  std::uint64_t high;  // high bit of the seat
};

// What splits the entries of a shape into buckets: the relative cards that are best of their suits.
using Tops = std::uint64_t;

struct Found {
  bool hit = false;
  bool ns_reach_target = false;
  std::uint64_t mask = 0;  // relative cards on which the answer rests
};

class PartitionTable {
 public:
  explicit PartitionTable(std::size_t bytes);

  // Forgets everything, at the cost of clearing a byte for every bucket.
  void clear();

  // Brings the place of a shape into the cache, to be asked soon.
  void prefetch(Lengths lengths, int leader) const {
    prefetch(hash_of(lengths, leader, OPEN));
  }

  // Looks for an entry that settles whether NS take at least `target` tricks.
  Found find(Lengths lengths, int leader, Owners owners, Tops tops, int target) const;

  // Notes that NS take at least `lower` and at most `upper` tricks wherever the owners agree under `mask`.
  void add(Lengths lengths, int leader, Owners owners, Tops tops, std::uint64_t mask, int lower, int upper);

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
  // back end. The front starts small, to stay in the near caches, and doubles when it is half full. Four of
  // ten buckets that are asked for do not exist: a byte for every home, its tag, says so without touching the chunk.
  struct alignas(128) Chunk {
    std::uint64_t low[WIDTH];
    std::uint64_t high[WIDTH];
    std::uint64_t mask[WIDTH];
    std::int8_t lower[WIDTH];
    std::int8_t upper[WIDTH];
    std::uint8_t ranks[WIDTH];
    std::uint32_t next;  // index of the next chunk, which is in the pool; 0 = none
    std::uint16_t bucket;  // of the shape
    std::uint16_t used;
    std::uint32_t leader;
    Lengths lengths;
  };
  static_assert(sizeof(Chunk) == 128);

  static std::uint64_t matches(const Chunk& chunk, Owners owners);
  static Entry get(const Chunk& chunk, std::uint32_t i);
  static void put(Chunk& chunk, std::uint32_t i, const Entry& entry);
  static constexpr std::uint32_t OPEN = 0;  // the bucket of entries that do not name all owners of best cards
  static std::uint32_t bucket_of(Owners owners, Tops tops) {
    return 1 + static_cast<std::uint32_t>(compress(owners.low, tops) | compress(owners.high, tops) << SUITS);
  }
  static std::uint64_t hash_of(Lengths lengths, int leader, std::uint32_t bucket) {
    const Lengths key = lengths + bucket * 0xD6E8'FEB8'6659'FD93u;
    return (key ^ static_cast<Lengths>(leader) << 62) * 0x9E37'79B9'7F4A'7C15u;
  }
  std::uint8_t tag_of(std::uint64_t hash) const { return static_cast<std::uint8_t>(hash >> (home_shift_ - 7) | 0x80); }
  void prefetch(std::uint64_t hash) const {
    const std::size_t home = hash >> home_shift_;
    const char* start = reinterpret_cast<const char*>(&chunks_[tags_[home] == 0 ? 0 : home]);  // no miss for nothing
    __builtin_prefetch(start);
    __builtin_prefetch(start + 64);
  }
  Found find_in(const Chunk* home, Owners owners, int target) const;
  // The home of a bucket: its first chunk, or the free place where it would be.
  struct Home {
    std::size_t index;
    bool exists;
  };
  Home home(Lengths lengths, int leader, std::uint32_t bucket) const;
  const Chunk* find_home(Lengths lengths, int leader, std::uint32_t bucket) const;
  Chunk& make_home(Lengths lengths, int leader, std::uint32_t bucket);
  void set_home_count(std::size_t count);
  void double_homes();

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
  std::vector<std::uint8_t> tags_;  // of the homes; 0 = free
  int home_shift_ = 0;
};

}  // namespace borel
