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

Found PartitionTable::find(Lengths lengths, int leader, Owners owners, int target) const {
  const Slot* slot = bucket(lengths, leader);
  if (slot == nullptr) return {};
  for (std::uint32_t next = slot->chunk; next != 0; next = chunks_[next].next) {
    const Chunk& chunk = chunks_[next];
    for (std::uint64_t hits = matches(chunk, owners); hits != 0; hits &= hits - 1) {
      const int i = std::countr_zero(hits);
      if (chunk.lower[i] >= target) return {true, true, chunk.mask[i]};
      if (chunk.upper[i] < target) return {true, false, chunk.mask[i]};
    }
  }
  return {};
}

void PartitionTable::add(Lengths lengths, int leader, Owners owners, std::uint64_t mask, int lower, int upper) {
  if (slots_used_ * 4 > slot_count_ * 3 || chunks_used_ + 1 >= chunk_count_) clear();
  Slot& slot = make_bucket(lengths, leader);
  for (std::uint32_t next = slot.chunk; next != 0; next = chunks_[next].next) {
    Chunk& chunk = chunks_[next];
    for (std::uint64_t hits = matches(chunk, owners); hits != 0; hits &= hits - 1) {
      const int i = std::countr_zero(hits);
      if (chunk.mask[i] != mask) continue;
      chunk.lower[i] = std::max<std::int8_t>(chunk.lower[i], static_cast<std::int8_t>(lower));
      chunk.upper[i] = std::min<std::int8_t>(chunk.upper[i], static_cast<std::int8_t>(upper));
      return;
    }
  }
  if (slot.chunk == 0 || chunks_[slot.chunk].used == WIDTH) {
    Chunk& fresh = chunks_[chunks_used_];
    fresh.next = slot.chunk;
    fresh.used = 0;
    slot.chunk = static_cast<std::uint32_t>(chunks_used_++);
  }
  Chunk& chunk = chunks_[slot.chunk];
  const std::uint32_t i = chunk.used++;
  chunk.low[i] = owners.low & mask;
  chunk.high[i] = owners.high & mask;
  chunk.mask[i] = mask;
  chunk.lower[i] = static_cast<std::int8_t>(lower);
  chunk.upper[i] = static_cast<std::int8_t>(upper);
  ++entries_;
}

}  // namespace borel
