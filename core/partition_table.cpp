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

constexpr std::size_t LEAST_CHUNKS = 1024;
constexpr std::size_t FIRST_HOMES = 1 << 12;
constexpr std::size_t PAGE = 2 << 20;

}  // namespace

PartitionTable::PartitionTable(std::size_t bytes) {
  chunk_count_ = std::max(bytes / sizeof(Chunk), LEAST_CHUNKS);
  // calloc hands out zeroed pages only when they are touched, so a big budget costs nothing until it is used. Large
  // pages (fewer misses of the page tables) are given only to memory that begins on a page.
  memory_.reset(std::calloc(chunk_count_ * sizeof(Chunk) + PAGE, 1));
  if (memory_ == nullptr) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  chunks_ = reinterpret_cast<Chunk*>((address + PAGE - 1) / PAGE * PAGE);
#ifdef __linux__
  madvise(chunks_, chunk_count_ * sizeof(Chunk), MADV_HUGEPAGE);  // may be refused
#endif
  clear();
}

std::size_t PartitionTable::bytes() const { return chunk_count_ * sizeof(Chunk); }

void PartitionTable::set_home_count(std::size_t count) {
  home_count_ = count;
  home_shift_ = 64 - std::countr_zero(count);
  tags_.assign(count, 0);
}

void PartitionTable::clear() {
  set_home_count(std::min(FIRST_HOMES, std::bit_floor(chunk_count_ / 2)));
  homes_used_ = 0;
  pool_start_ = chunk_count_;
  entries_ = 0;
}

void PartitionTable::double_homes() {
  std::vector<Chunk> old;
  old.reserve(homes_used_);
  for (std::size_t i = 0; i < home_count_; ++i)
    if (tags_[i] != 0) old.push_back(chunks_[i]);
  set_home_count(2 * home_count_);
  homes_used_ = 0;
  for (const Chunk& chunk : old) make_home(chunk.lengths, static_cast<int>(chunk.leader), chunk.bucket) = chunk;
}

inline PartitionTable::Home PartitionTable::home(Lengths lengths, int leader, std::uint32_t bucket) const {
  const std::uint64_t hash = hash_of(lengths, leader, bucket);
  const std::uint8_t tag = tag_of(hash);
  for (std::size_t i = hash >> home_shift_;; i = (i + 1) & (home_count_ - 1)) {
    if (tags_[i] == 0) return {i, false};
    if (tags_[i] != tag) continue;
    const Chunk& chunk = chunks_[i];
    if (chunk.lengths == lengths && chunk.leader == static_cast<std::uint32_t>(leader) && chunk.bucket == bucket)
      return {i, true};
  }
}

inline const PartitionTable::Chunk* PartitionTable::find_home(Lengths lengths, int leader, std::uint32_t bucket) const {
  const Home found = home(lengths, leader, bucket);
  return found.exists ? &chunks_[found.index] : nullptr;
}

inline PartitionTable::Chunk& PartitionTable::make_home(Lengths lengths, int leader, std::uint32_t bucket) {
  const Home found = home(lengths, leader, bucket);
  Chunk& chunk = chunks_[found.index];
  if (found.exists) return chunk;
  tags_[found.index] = tag_of(hash_of(lengths, leader, bucket));
  ++homes_used_;
  chunk.lengths = lengths;
  chunk.bucket = static_cast<std::uint16_t>(bucket);
  chunk.leader = static_cast<std::uint32_t>(leader);
  chunk.next = chunk.used = 0;
  return chunk;
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

inline Found PartitionTable::find_in(const Chunk* home, Owners owners, int target) const {
  if (home == nullptr) return {};
  for (const Chunk* chunk = home;; chunk = &chunks_[chunk->next]) {
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
  prefetch(hash_of(lengths, leader, bucket));
  const Found found = find_in(find_home(lengths, leader, OPEN), owners, target);  // the more general entries
  return found.hit ? found : find_in(find_home(lengths, leader, bucket), owners, target);
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
  if (homes_used_ * 2 > home_count_) {
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
  Chunk* chunk = &make_home(lengths, leader, bucket);
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
    chunk->next = chunk->used = 0;
  }
  put(*chunk, chunk->used++, moving);
}

}  // namespace borel
