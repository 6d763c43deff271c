// Does one plan win in all of these layouts? A value of zero or one, so a plain search (Ginsberg 2001, section 7.1).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "layout_set.h"
#include "single_dummy_game.h"

namespace borel {

// A few layouts among those met at one position, as bits; as long as the highest of them needs.
class MetLayouts {
 public:
  void add(std::size_t i) {
    if (words_.size() <= i / 64) words_.resize(i / 64 + 1);
    words_[i / 64] |= std::uint64_t{1} << i % 64;
  }
  bool within(const MetLayouts& other) const {
    if (words_.size() > other.words_.size()) return false;
    for (std::size_t w = 0; w < words_.size(); ++w)
      if (words_[w] & ~other.words_[w]) return false;
    return true;
  }

 private:
  std::vector<std::uint64_t> words_;
};

template <class Set>
class OnePlan {
 public:
  static constexpr std::size_t TABLE_SIZE = 400'000;
  static constexpr std::size_t ANSWERS = 48;  // kept of each kind at one position

  // `count` is called at every node and may throw.
  template <class Count>
  OnePlan(SingleDummyGame& game, Count&& count, bool merge) : game_(game), count_(count), merge_(merge) {}

  // Each of the layouts must be won with all cards seen.
  bool wins(const Set& wanted) {
    count_();
    if (wanted.count() <= 1) return true;
    if (!merge_ || !game_.between_tricks()) return search(wanted);
    // What is known of a set is known of its parts, or of those that contain it; layouts that have come to the same are
    // one layout.
    if (table_.size() >= TABLE_SIZE) table_.clear();
    const std::uint64_t key = game_.alike_key();
    Known& known = table_[key];
    MetLayouts met;
    Set kept;
    bool fewer = false;
    seen_.clear();
    wanted.each([&](int layout) {
      const std::size_t number = known.met.try_emplace(game_.residue(layout), known.met.size()).first->second;
      if (number >= seen_.size()) seen_.resize(number + 1);
      if (seen_[number]) return void(fewer = true);
      seen_[number] = true;
      met.add(number), kept.add(layout);
    });
    if (fewer && kept.count() <= 1) return true;
    for (const MetLayouts& set : known.won)
      if (met.within(set)) return true;
    for (const MetLayouts& set : known.lost)
      if (set.within(met)) return false;
    const bool won = search(kept);
    Known& after = table_[key];  // the search may have moved it
    auto& answers = won ? after.won : after.lost;
    if (answers.size() < ANSWERS) answers.push_back(met);
    return won;
  }

 private:
  struct Known {
    std::unordered_map<std::uint64_t, std::size_t> met;  // numbers of what hidden hands had left
    std::vector<MetLayouts> won, lost;
  };

  bool search(const Set& wanted) { return game_.defender_to_play() ? defended(wanted) : declared(wanted); }

  bool declared(const Set& wanted) {
    std::vector<int> moves;
    game_.moves(moves);
    killer_first(moves);
    for (const int move : moves) {
      game_.play(move);
      const bool won = game_.over() ? game_.won() : none_lost(wanted) && wins(wanted);
      game_.undo();
      if (won) return killer() = move, true;
    }
    return false;
  }

  bool defended(const Set& wanted) {
    std::vector<int> moves;
    game_.moves(moves);
    killer_first(moves);
    for (const int move : moves) {
      Set able;
      wanted.each([&](int layout) {
        if (game_.can_play(layout, move)) able.add(layout);
      });
      if (able.empty()) continue;
      game_.play(move);
      const bool won = game_.over() ? game_.won() : wins(able);
      game_.undo();
      if (!won) return killer() = move, false;
    }
    return true;
  }

  // The card that decided last time so many cards from the start.
  int& killer() { return killers_[game_.played() & 63]; }
  void killer_first(std::vector<int>& moves) {
    if (const auto place = std::find(moves.begin(), moves.end(), killer()); place != moves.end())
      std::rotate(moves.begin(), place, place + 1);
  }

  // With all cards seen; the layout that refuted last is asked first.
  bool none_lost(const Set& wanted) {
    if (refuter_ >= 0 && wanted.has(refuter_) && !game_.wins(refuter_)) return false;
    bool lost = false;
    wanted.each([&](int layout) {
      if (!lost && !game_.wins(layout)) lost = true, refuter_ = layout;
    });
    return !lost;
  }

  SingleDummyGame& game_;
  std::function<void()> count_;
  bool merge_;
  int refuter_ = -1;
  std::array<int, 64> killers_{};
  std::vector<bool> seen_;
  std::unordered_map<std::uint64_t, Known> table_;
};

}  // namespace borel
