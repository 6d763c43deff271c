// The oracle: minimax written as plainly as the rules, with no bounds, no equals and no ranks. Values of positions
// between tricks are remembered, or six cards a hand would take minutes.
#pragma once

#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

#include "../solver.h"

namespace borel_test {

class Minimax {
 public:
  // Tricks that NS still take.
  int value(const borel::PlayState& state) {
    if (state.hands[state.to_play()] == 0) return 0;
    const bool between = state.on_table() == 0;
    const borel::HandMask held = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3];
    const std::uint64_t key = held << 5 | static_cast<unsigned>(state.strain) << 2 | static_cast<unsigned>(state.leader);
    if (between)
      if (const auto it = known_.find(key); it != known_.end()) return it->second;
    const bool ns = borel::is_ns(state.to_play());
    int best = ns ? -1 : 99;
    for (borel::HandMask rest = state.legal(); rest != 0; rest &= rest - 1) {
      const borel::PlayState next = state.after(std::countr_zero(rest));
      const int won = state.on_table() == 3 && borel::is_ns(next.leader);
      const int v = won + value(next);
      best = ns ? std::max(best, v) : std::min(best, v);
    }
    if (between) known_[key] = static_cast<std::int8_t>(best);
    return best;
  }

 private:
  std::unordered_map<std::uint64_t, std::int8_t> known_;
};

// A random ending of `size` cards a hand. Few ranks and skewed suits make for more interesting play.
inline borel::PlayState random_ending(std::mt19937_64& rng, int size, int strain) {
  using namespace borel;
  std::vector<int> deck;
  const int suits = size >= 3 ? 1 + static_cast<int>(rng() % 4) : 4;
  for (int card = 0; card < CARDS; ++card)
    if (suit_of(card) < suits || suits * RANKS < 4 * size) deck.push_back(card);
  std::shuffle(deck.begin(), deck.end(), rng);
  PlayState state;
  state.strain = strain;
  state.leader = static_cast<int>(rng() % 4);
  for (int i = 0; i < 4 * size; ++i) state.hands[i % 4] |= bit_of(deck[i]);
  return state;
}

inline int random_card(std::mt19937_64& rng, borel::HandMask legal) {
  for (auto skip = rng() % static_cast<unsigned>(borel::count(legal)); skip > 0; --skip) legal &= legal - 1;
  return std::countr_zero(legal);
}

}  // namespace borel_test
