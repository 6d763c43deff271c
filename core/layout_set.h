// A set of layouts of the hidden cards, as bits, and reduced sets of such sets (Ginsberg 2001, section 6.4).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace borel {

template <int Words>
struct LayoutSet {
  static constexpr int CAPACITY = 64 * Words;
  std::array<std::uint64_t, Words> words{};

  static LayoutSet first(int n) {
    LayoutSet set;
    for (int i = 0; i < n; ++i) set.add(i);
    return set;
  }
  void add(int i) { words[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void remove(int i) { words[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
  bool has(int i) const { return words[i >> 6] >> (i & 63) & 1; }
  bool empty() const {
    std::uint64_t any = 0;
    for (auto word : words) any |= word;
    return any == 0;
  }
  int count() const {
    int total = 0;
    for (auto word : words) total += std::popcount(word);
    return total;
  }
  int lowest() const {  // of a set that is not empty
    int w = 0;
    while (words[w] == 0) ++w;
    return 64 * w + std::countr_zero(words[w]);
  }
  bool within(const LayoutSet& other) const {
    std::uint64_t outside = 0;
    for (int w = 0; w < Words; ++w) outside |= words[w] & ~other.words[w];
    return outside == 0;
  }
  LayoutSet operator&(const LayoutSet& other) const {
    LayoutSet result;
    for (int w = 0; w < Words; ++w) result.words[w] = words[w] & other.words[w];
    return result;
  }
  LayoutSet operator|(const LayoutSet& other) const {
    LayoutSet result;
    for (int w = 0; w < Words; ++w) result.words[w] = words[w] | other.words[w];
    return result;
  }
  LayoutSet minus(const LayoutSet& other) const {
    LayoutSet result;
    for (int w = 0; w < Words; ++w) result.words[w] = words[w] & ~other.words[w];
    return result;
  }
  bool operator==(const LayoutSet&) const = default;

  template <class Visit>
  void each(Visit&& visit) const {
    for (int w = 0; w < Words; ++w)
      for (auto word = words[w]; word != 0; word &= word - 1) visit(64 * w + std::countr_zero(word));
  }
  std::size_t hash() const {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (auto word : words) h = (h ^ word) * 0xD6E8FEB86659FD93ULL, h ^= h >> 32;
    return static_cast<std::size_t>(h);
  }
};

// What declarer can play for: sets of layouts of which none contains another. An element of the distributive lattice
// of Proposition 6.4.3; no sets at all is its bottom.
template <class Set>
class Antichain {
 public:
  Antichain() = default;
  explicit Antichain(const Set& set) : sets_{set} {}
  explicit Antichain(std::vector<Set> sets) : sets_(std::move(sets)) {}  // of which none contains another

  const std::vector<Set>& sets() const { return sets_; }
  bool operator==(const Antichain& other) const { return below(other) && other.below(*this); }

  // Whether every set here lies within one of the other's: the lattice order.
  bool below(const Antichain& other) const {
    for (const Set& set : sets_)
      if (!other.covers(set)) return false;
    return true;
  }
  bool covers(const Set& set) const {
    for (const Set& held : sets_)
      if (set.within(held)) return true;
    return false;
  }
  // One more set that declarer may choose to play for.
  void add(const Set& set) {
    if (covers(set)) return;
    std::erase_if(sets_, [&](const Set& held) { return held.within(set); });
    sets_.push_back(set);
  }
  // Equation 19: declarer chooses between the two.
  Antichain join(const Antichain& other) const {
    Antichain result = *this;
    for (const Set& set : other.sets_) result.add(set);
    return result;
  }
  // Equation 20: the defenders choose, knowing the layout, so only what is won either way counts.
  Antichain meet(const Antichain& other) const {
    Antichain result;
    for (const Set& a : sets_)
      for (const Set& b : other.sets_) result.add(a & b);
    return result;
  }
  template <class Test>
  void drop(Test&& test) {
    std::erase_if(sets_, test);
  }

 private:
  std::vector<Set> sets_;
};

}  // namespace borel
