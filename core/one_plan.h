// Does one plan win in all of these layouts? A value of zero or one, so a plain search (Ginsberg 2001, section 7.1).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
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
  bool has(std::size_t i) const { return i / 64 < words_.size() && words_[i / 64] >> i % 64 & 1; }

 private:
  std::vector<std::uint64_t> words_;
};

template <class Set>
class OnePlan {
 public:
  static constexpr std::size_t TABLE_SIZE = 400'000;
  static constexpr std::size_t ANSWERS = 48;  // kept of each kind at one position
  static constexpr std::size_t MOST_ORDERS = 2'000'000;

  // `count` is called at every node and may throw.
  template <class Count>
  OnePlan(SingleDummyGame& game, Count&& count, bool merge) : game_(game), count_(count), merge_(merge) {}

  // Each of the layouts must be won with all cards seen.
  bool wins(const Set& wanted) {
    Set conflict;
    return wins(wanted, conflict);
  }

  // The same; if not, `conflict` gets some of the layouts, mostly few, that no plan wins together.
  bool wins(const Set& wanted, Set& conflict) {
    count_();
    if (wanted.count() <= 1) return true;
    if (!merge_ || !game_.between_tricks()) return search(wanted, conflict);
    // What is known of a set is known of its parts, or of those that contain it; layouts that have come to the same are
    // one layout.
    if (table_.size() >= TABLE_SIZE) table_.clear();
    const std::uint64_t key = game_.alike_key();
    Known& known = table_[key];
    MetLayouts met;
    Set kept;
    std::vector<std::pair<std::size_t, int>> numbers;  // of what is kept: the number met, the layout
    seen_.clear();
    wanted.each([&](int layout) {
      const std::size_t number = known.met.try_emplace(game_.residue(layout), known.met.size()).first->second;
      if (number >= seen_.size()) seen_.resize(number + 1);
      if (seen_[number]) return;
      seen_[number] = true;
      met.add(number), kept.add(layout), numbers.emplace_back(number, layout);
    });
    if (numbers.size() <= 1) return true;
    for (const MetLayouts& set : known.won)
      if (met.within(set)) return true;
    for (const MetLayouts& set : known.lost)
      if (set.within(met)) {
        for (const auto& [number, layout] : numbers)
          if (set.has(number)) conflict.add(layout);
        return false;
      }
    Set reason;
    const bool won = search(kept, reason);
    Known& after = table_[key];  // the search may have moved it
    if (won) {
      if (after.won.size() >= ANSWERS) after.won.erase(after.won.begin());
      after.won.push_back(met);
      return true;
    }
    MetLayouts lost;
    for (const auto& [number, layout] : numbers)
      if (reason.has(layout)) lost.add(number);
    if (after.lost.size() >= ANSWERS) after.lost.erase(after.lost.begin());
    after.lost.push_back(lost);
    conflict = conflict | reason;
    return false;
  }

 private:
  struct Known {
    std::unordered_map<std::uint64_t, std::size_t> met;  // numbers of what hidden hands had left
    std::vector<MetLayouts> won, lost;
  };

  bool search(const Set& wanted, Set& conflict) {
    return game_.defender_to_play() ? defended(wanted, conflict) : declared(wanted, conflict);
  }

  // Every card fails, each for its own reason: no plan wins the layouts of all these reasons together.
  bool declared(const Set& wanted, Set& conflict) {
    std::vector<int> moves;
    game_.moves(moves);
    killer_first(moves);
    Set reasons;
    for (const int move : moves) {
      game_.play(move);
      const bool won = game_.over() ? is_won(wanted, reasons) : none_lost(wanted, reasons) && wins(wanted, reasons);
      game_.undo();
      if (won) return killer() = move, true;
    }
    conflict = conflict | reasons;
    return false;
  }

  bool defended(const Set& wanted, Set& conflict) {
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
      const bool won = game_.over() ? is_won(able, conflict) : wins(able, conflict);
      game_.undo();
      if (!won) return killer() = move, false;
    }
    return true;
  }

  // At the end; a game that is lost is lost in each of the layouts, so that one of them is reason enough.
  bool is_won(const Set& wanted, Set& reasons) {
    if (game_.won()) return true;
    if ((reasons & wanted).empty()) reasons.add(wanted.lowest());
    return false;
  }

  // The card that decided last time at this position.
  int& killer() { return orders_[game_.key()]; }
  void killer_first(std::vector<int>& moves) {
    if (orders_.size() >= MOST_ORDERS) orders_.clear();
    const auto known = orders_.find(game_.key());
    if (known == orders_.end()) return;
    if (const auto place = std::find(moves.begin(), moves.end(), known->second); place != moves.end())
      std::rotate(moves.begin(), place, place + 1);
  }

  // With all cards seen; a layout that is a reason already is asked first, then the one that refuted last.
  bool none_lost(const Set& wanted, Set& reasons) {
    bool lost = false;
    reasons.each([&](int layout) {
      if (!lost && !game_.wins(layout)) lost = true;
    });
    if (lost) return false;
    if (refuter_ >= 0 && wanted.has(refuter_) && !game_.wins(refuter_)) return reasons.add(refuter_), false;
    wanted.minus(reasons).each([&](int layout) {
      if (!lost && !game_.wins(layout)) lost = true, refuter_ = layout;
    });
    if (lost) reasons.add(refuter_);
    return !lost;
  }

  SingleDummyGame& game_;
  std::function<void()> count_;
  bool merge_;
  int refuter_ = -1;
  std::vector<bool> seen_;
  std::unordered_map<std::uint64_t, Known> table_;
  std::unordered_map<std::uint64_t, int> orders_;
};

}  // namespace borel
