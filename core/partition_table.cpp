#include "partition_table.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

namespace borel {

namespace {

constexpr std::uint32_t LAST_GENERATION = (1u << 30) - 1;
constexpr std::size_t LEAST_CHUNKS = 1024;
constexpr std::size_t FIRST_HOMES = 1 << 12;

}  // namespace

PartitionTable::PartitionTable(std::size_t bytes) {
  chunk_count_ = std::max(bytes / sizeof(Chunk), LEAST_CHUNKS);
  // calloc hands out zeroed pages only when they are touched, so a big budget costs nothing until it is used.
  memory_.reset(std::calloc(chunk_count_ + 1, sizeof(Chunk)));
  if (memory_ == nullptr) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  chunks_ = reinterpret_cast<Chunk*>((address + sizeof(Chunk) - 1) / sizeof(Chunk) * sizeof(Chunk));
#ifdef __linux__
  madvise(chunks_, chunk_count_ * sizeof(Chunk), MADV_HUGEPAGE);  // fewer misses of the page tables; may be refused
#endif
  clear();
}

std::size_t PartitionTable::bytes() const { return chunk_count_ * sizeof(Chunk); }

void PartitionTable::set_home_count(std::size_t count) {
  home_count_ = count;
  home_shift_ = 64 - std::countr_zero(count);
}

void PartitionTable::clear() {
  if (generation_ == LAST_GENERATION) {
    for (std::size_t i = 0; i < chunk_count_; ++i) chunks_[i].stamp = 0;
    generation_ = 0;
  }
  ++generation_;
  set_home_count(std::min(FIRST_HOMES, std::bit_floor(chunk_count_ / 2)));
  homes_used_ = 0;
  pool_start_ = chunk_count_;
  entries_ = 0;
}

void PartitionTable::double_homes() {
  std::vector<Chunk> old;
  old.reserve(homes_used_);
  for (std::size_t i = 0; i < home_count_; ++i) {
    if (is_free(chunks_[i])) continue;
    old.push_back(chunks_[i]);
    chunks_[i].stamp = 0;
  }
  set_home_count(2 * home_count_);
  for (const Chunk& chunk : old) home(chunk.lengths, chunk.stamp & 3, chunk.bucket) = chunk;
}

inline PartitionTable::Chunk& PartitionTable::home(Lengths lengths, int leader, std::uint32_t bucket) const {
  const std::uint32_t stamp = stamp_of(leader);
  for (std::size_t i = home_of(lengths, leader, bucket);; i = (i + 1) & (home_count_ - 1)) {
    Chunk& chunk = chunks_[i];
    if ((chunk.lengths == lengths && chunk.stamp == stamp && chunk.bucket == bucket) || is_free(chunk)) return chunk;
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

inline Found PartitionTable::find_in(const Chunk& home, Owners owners, int target) const {
  if (is_free(home)) return {};
  for (const Chunk* chunk = &home;; chunk = &chunks_[chunk->next]) {
    __builtin_prefetch(&chunks_[chunk->next]);
    for (std::uint64_t hits = matches(*chunk, owners); hits != 0; hits &= hits - 1) {
      const int i = std::countr_zero(hits);
      if (chunk->lower[i] >= target) return {true, true, chunk->mask[i]};
      if (chunk->upper[i] < target) return {true, false, chunk->mask[i]};
    }
    if (chunk->next == 0) return {};
  }
}

Found PartitionTable::find(Lengths lengths, int leader, Owners owners, Tops tops, int target) const {
  const std::uint32_t bucket = bucket_of(owners, tops);
  prefetch(home_of(lengths, leader, bucket));
  const Found found = find_in(home(lengths, leader, OPEN), owners, target);  // the more general entries
  return found.hit ? found : find_in(home(lengths, leader, bucket), owners, target);
}

inline PartitionTable::Entry PartitionTable::get(const Chunk& chunk, std::uint32_t i) {
  return {chunk.low[i], chunk.high[i], chunk.mask[i], chunk.lower[i], chunk.upper[i], chunk.ranks[i]};
}

inline void PartitionTable::put(Chunk& chunk, std::uint32_t i, const Entry& entry) {
  chunk.low[i] = entry.low;
  chunk.high[i] = entry.high;
  chunk.mask[i] = entry.mask;
  chunk.lower[i] = entry.lower;
  chunk.upper[i] = entry.upper;
  chunk.ranks[i] = entry.ranks;
}

// Entries of a bucket stand in order of generality (few ranks first): a general entry is the likelier hit and gives
// the more general answer. The new entry goes where it belongs and pushes the others down, into the place of one
// that it makes superfluous if there is such a one.
void PartitionTable::add(Lengths lengths, int leader, Owners owners, Tops tops, std::uint64_t mask, int lower,
                         int upper) {
  if (homes_used_ * 4 > home_count_ * 3) {
    if (home_count_ * 2 <= pool_start_)
      double_homes();
    else
      clear();
  }
  if (pool_start_ == home_count_) clear();
  const Entry added{owners.low & mask,
                    owners.high & mask,
                    mask,
                    static_cast<std::int8_t>(lower),
                    static_cast<std::int8_t>(upper),
                    static_cast<std::uint8_t>(std::popcount(mask))};
  Entry moving = added;
  const std::uint32_t bucket = (mask & tops) == tops ? bucket_of(owners, tops) : OPEN;
  Chunk* chunk = &home(lengths, leader, bucket);
  if (is_free(*chunk)) {
    ++homes_used_;
    chunk->lengths = lengths;
    chunk->bucket = static_cast<std::uint16_t>(bucket);
    chunk->stamp = stamp_of(leader);
    chunk->next = chunk->used = 0;
  }
  for (;; chunk = &chunks_[chunk->next]) {
    for (std::uint32_t i = 0; i < chunk->used; ++i) {
      if (chunk->ranks[i] < moving.ranks) continue;
      const Entry old = get(*chunk, i);
      const bool agrees = (((old.low ^ added.low) | (old.high ^ added.high) | ~old.mask) & mask) == 0;
      if (agrees && old.mask == mask) {  // the same set: join the bounds (nothing has moved yet)
        chunk->lower[i] = std::max(old.lower, added.lower);
        chunk->upper[i] = std::min(old.upper, added.upper);
        return;
      }
      if (agrees && added.lower >= old.lower && added.upper <= old.upper) return put(*chunk, i, moving);
      if (old.ranks > moving.ranks) put(*chunk, i, moving), moving = old;
    }
    if (chunk->next == 0) break;
  }
  ++entries_;
  if (chunk->used == WIDTH) {
    chunk->next = static_cast<std::uint32_t>(--pool_start_);
    chunk = &chunks_[chunk->next];
    chunk->next = chunk->used = chunk->stamp = 0;  // no stamp: should the front grow over it one day, it is free
  }
  put(*chunk, chunk->used++, moving);
}

}  // namespace borel
