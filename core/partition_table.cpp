#include "partition_table.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace borel {

namespace {

constexpr std::uint32_t LAST_GENERATION = (1u << 30) - 1;

template <class T>
T* allocate(std::size_t count) {
  // Fresh pages arrive zeroed and only when touched, so a big budget costs nothing until it is used.
  void* p = std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64);
  if (p == nullptr) throw std::bad_alloc();
  return static_cast<T*>(p);
}

}  // namespace

PartitionTable::PartitionTable(std::size_t bytes) {
  // One slot (16 bytes) for each chunk (128 bytes) keeps the slots at most half full in practice.
  slot_count_ = std::bit_floor(std::max<std::size_t>(bytes / (sizeof(Chunk) + sizeof(Slot)), 1024));
  slot_shift_ = 64 - std::countr_zero(slot_count_);
  chunk_count_ = std::max<std::size_t>((std::max<std::size_t>(bytes, 1) - std::min(bytes, slot_count_ * sizeof(Slot))) / sizeof(Chunk), 1024);
  slots_.reset(static_cast<Slot*>(std::calloc(slot_count_, sizeof(Slot))));
  if (!slots_) throw std::bad_alloc();
  chunks_.reset(allocate<Chunk>(chunk_count_));
  clear();
}

std::size_t PartitionTable::bytes() const { return slot_count_ * sizeof(Slot) + chunk_count_ * sizeof(Chunk); }

void PartitionTable::clear() {
  if (generation_ == LAST_GENERATION) {
    std::fill_n(slots_.get(), slot_count_, Slot{});
    generation_ = 0;
  }
  ++generation_;
  slots_used_ = 0;
  chunks_used_ = 1;  // chunk 0 means "none"
  entries_ = 0;
}

const PartitionTable::Slot* PartitionTable::bucket(Lengths lengths, int leader) const {
  const std::uint32_t stamp = stamp_of(leader);
  for (std::size_t i = slot_of(lengths, leader);; i = (i + 1) & (slot_count_ - 1)) {
    const Slot& slot = slots_[i];
    if (slot.lengths == lengths && slot.stamp == stamp) return &slot;
    if (slot.stamp >> 2 != generation_) return nullptr;
  }
}

PartitionTable::Slot& PartitionTable::make_bucket(Lengths lengths, int leader) {
  const std::uint32_t stamp = stamp_of(leader);
  for (std::size_t i = slot_of(lengths, leader);; i = (i + 1) & (slot_count_ - 1)) {
    Slot& slot = slots_[i];
    if (slot.lengths == lengths && slot.stamp == stamp) return slot;
    if (slot.stamp >> 2 != generation_) {
      slot = Slot{lengths, stamp, 0};
      ++slots_used_;
      return slot;
    }
  }
}

// Bit i is set if entry i of the chunk agrees with `owners` under its mask.
inline std::uint64_t PartitionTable::matches(const Chunk& chunk, Owners owners) {
#ifdef __AVX2__
  const auto load = [](const std::uint64_t* p) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(p)); };
  const __m256i low = _mm256_xor_si256(load(chunk.low), _mm256_set1_epi64x(static_cast<long long>(owners.low)));
  const __m256i high = _mm256_xor_si256(load(chunk.high), _mm256_set1_epi64x(static_cast<long long>(owners.high)));
  const __m256i wrong = _mm256_and_si256(_mm256_or_si256(low, high), load(chunk.mask));
  const __m256i right = _mm256_cmpeq_epi64(wrong, _mm256_setzero_si256());
  return static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(right))) & ((1u << chunk.used) - 1);
#else
  std::uint64_t right = 0;
  for (std::uint32_t i = 0; i < chunk.used; ++i)
    if ((((chunk.low[i] ^ owners.low) | (chunk.high[i] ^ owners.high)) & chunk.mask[i]) == 0) right |= 1u << i;
  return right;
#endif
}

// Whether all that entry i of the chunk says follows from `entry`.
inline bool PartitionTable::covers(const Entry& entry, const Chunk& chunk, std::uint32_t i) {
  return (((chunk.low[i] ^ entry.low) | (chunk.high[i] ^ entry.high) | ~chunk.mask[i]) & entry.mask) == 0 &&
         entry.lower >= chunk.lower[i] && entry.upper <= chunk.upper[i];
}

inline void PartitionTable::put(Chunk& chunk, std::uint32_t i, const Entry& entry, int ranks) {
  chunk.low[i] = entry.low;
  chunk.high[i] = entry.high;
  chunk.mask[i] = entry.mask;
  chunk.lower[i] = entry.lower;
  chunk.upper[i] = entry.upper;
  chunk.ranks[i] = static_cast<std::uint8_t>(ranks);
}

inline void PartitionTable::swap(Chunk& chunk, std::uint32_t i, Entry& entry, int& ranks) {
  const Entry old{chunk.low[i], chunk.high[i], chunk.mask[i], chunk.lower[i], chunk.upper[i]};
  const int old_ranks = chunk.ranks[i];
  put(chunk, i, entry, ranks);
  entry = old;
  ranks = old_ranks;
}

Found PartitionTable::find(Lengths lengths, int leader, Owners owners, int target) const {
  const Slot* slot = bucket(lengths, leader);
  if (slot == nullptr) return {};
  for (std::uint32_t next = slot->chunk; next != 0;) {
    const Chunk& chunk = chunks_[next];
    next = chunk.next;
    __builtin_prefetch(&chunks_[next]);
    for (std::uint64_t hits = matches(chunk, owners); hits != 0; hits &= hits - 1) {
      const int i = std::countr_zero(hits);
      if (chunk.lower[i] >= target) return {true, true, chunk.mask[i]};
      if (chunk.upper[i] < target) return {true, false, chunk.mask[i]};
    }
  }
  return {};
}

// Entries of a bucket stand in order of generality (few ranks first): a general entry is the likelier hit and gives
// the more general answer. The new entry goes where it belongs and pushes the others down, into the place of one
// that it makes superfluous if there is such a one.
void PartitionTable::add(Lengths lengths, int leader, Owners owners, std::uint64_t mask, int lower, int upper) {
  if (slots_used_ * 4 > slot_count_ * 3 || chunks_used_ + 1 >= chunk_count_) clear();
  Slot& slot = make_bucket(lengths, leader);
  Entry entry{owners.low & mask, owners.high & mask, mask, static_cast<std::int8_t>(lower), static_cast<std::int8_t>(upper)};
  int ranks = std::popcount(mask);
  const Entry added = entry;
  std::uint32_t* link = &slot.chunk;
  while (*link != 0) {
    Chunk& chunk = chunks_[*link];
    for (std::uint32_t i = 0; i < chunk.used; ++i) {
      if (chunk.ranks[i] < ranks) continue;
      if (covers(added, chunk, i)) {
        put(chunk, i, entry, ranks);
        return;
      }
      if (chunk.mask[i] == mask && chunk.low[i] == added.low && chunk.high[i] == added.high && entry.mask == mask) {
        chunk.lower[i] = std::max(chunk.lower[i], added.lower);
        chunk.upper[i] = std::min(chunk.upper[i], added.upper);
        return;
      }
      if (chunk.ranks[i] > ranks) swap(chunk, i, entry, ranks);
    }
    if (chunk.used < WIDTH && chunk.next == 0) {
      put(chunk, chunk.used++, entry, ranks);
      ++entries_;
      return;
    }
    link = &chunk.next;
  }
  *link = static_cast<std::uint32_t>(chunks_used_++);
  Chunk& fresh = chunks_[*link];
  fresh.next = 0;
  fresh.used = 1;
  put(fresh, 0, entry, ranks);
  ++entries_;
}

}  // namespace borel
