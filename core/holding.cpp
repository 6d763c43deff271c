#include "holding.h"

#include <algorithm>
#include <bit>

namespace borel {
namespace {

// One holding taken apart, with the words the definitions below are written in.
struct Suit {
  explicit Suit(unsigned ranks)
      : a(ranks >> 12 & 1), k(ranks >> 11 & 1), q(ranks >> 10 & 1), j(ranks >> 9 & 1), t(ranks >> 8 & 1),
        nine(ranks >> 7 & 1), eight(ranks >> 6 & 1), length(std::popcount(ranks)) {}
  int top3() const { return a + k + q; }
  int top4() const { return a + k + q + j; }
  int a, k, q, j, t, nine, eight, length;
};

// Quality in halves of a point before it is multiplied by length / 10. The interpretation is Pavlicek's.
int kr_quality_halves(const Suit& s) {
  int halves = 8 * s.a + 6 * s.k + 4 * s.q + 2 * s.j + s.t;
  if (s.length <= 6) {
    if (s.t && (s.j || s.top4() >= 2)) ++halves;
    if (s.nine && (s.eight || s.t || s.top4() == 2 || (s.top4() == 3 && s.length >= 4))) ++halves;
  } else {
    // Long suits play as if they held the queen and jack: one point at seven cards, two at eight, three at nine.
    halves += 2 * std::min(s.length - 6, 2 * !s.q + !s.j);
  }
  return halves;
}

int kr_honours_x100(const Suit& s) {
  int points = 300 * s.a;
  if (s.k) points += s.length > 1 ? 200 : 50;
  if (s.q && s.length >= 2) points += (s.length == 2 ? 25 : 75) + (s.a || s.k ? 25 : 0);
  if (s.j) points += s.top3() == 2 ? 50 : s.top3() == 1 ? 25 : 0;
  if (s.t && (s.top4() == 2 || (s.top4() == 1 && s.nine))) points += 25;
  return points;
}

int losers(const Suit& s) {
  if (s.length >= 3) return 3 - s.top3();
  return s.length == 2 ? 2 - s.a - s.k : s.length - (s.length ? s.a : 0);
}

int new_losers_x2(const Suit& s) {
  int halves = s.length >= 1 && !s.a ? 3 : 0;
  if (s.length >= 2 && !s.k) halves += 2;
  if (s.length >= 3 && !s.q) halves += 1;
  return halves;
}

int quick_tricks_x2(const Suit& s) {
  if (s.a) return 2 + (s.k ? 2 : s.q ? 1 : 0);
  return s.k && s.q ? 2 : s.k && s.length >= 2 ? 1 : 0;
}

// Losing tricks, refined by halves: a lone queen wins half a trick, a jack helps two higher honours or the ace and ten.
int half_losers(const Suit& s) {
  int halves = 2 * losers(s);
  if (s.length < 3) return halves;
  if (s.q && !s.a && !s.k && !s.j) ++halves;
  if (!s.q && s.j && (s.a + s.k == 2 || (s.a + s.k == 1 && s.t))) --halves;
  return halves;
}

int trump_half_losers(const Suit& s) {
  const int halves = half_losers(s);
  if (s.q || s.length < 6 || halves == 0) return halves;
  return std::max(0, halves - (s.length >= 7 ? 2 : 1));
}

int stop_nt(const Suit& s) {
  if (s.length == 0) return 0;
  if (s.a && s.k) return 4;
  if (s.length >= 3 && ((s.a && s.q && (s.j || s.t)) || (s.a && s.j && s.t) || (s.k && s.q && s.j))) return 4;
  if ((s.a && s.q) || (s.length >= 3 && ((s.a && s.j) || (s.k && s.q) || (s.k && s.j && s.t)))) return 3;
  if (s.a || (s.k && s.length >= 2) || (s.q && s.length >= 3) || (s.j && s.length >= 4)) return 2;
  return s.k || (s.q && s.length == 2) || (s.j && s.length == 3) || (s.t && s.length >= 4) ? 1 : 0;
}

int stop_trump(const Suit& s) {
  if (s.a) return s.k || s.length == 1 ? 4 : s.q ? 3 : 2;
  if (s.k && s.length >= 2) return s.q ? 2 : 1;
  return s.q && s.length >= 3 ? 1 : 0;
}

int fast_nt(const Suit& s) {
  if (s.a) return 0;
  if (s.k && s.length >= 2) return 1;
  if (s.q && s.length >= 3) return 2;
  return s.j && s.length >= 4 ? 3 : 5;
}

int fast_trump(const Suit& s) {
  if (s.a) return 0;
  if (s.k) return std::min(s.length, 1);
  return std::min(s.length, s.q ? 2 : 3);
}

int quality(const Suit& s) { return 2 * s.top3() + s.j + s.t + (s.length >= 6 ? 1 : 0); }

int suit_quality(const Suit& s) {
  return s.length + s.top3() + (s.j && s.top3() ? 1 : 0) + (s.t && s.top4() ? 1 : 0);
}

int biddable(const Suit& s) {
  if (s.length < 4) return 0;
  return std::clamp(s.length - 3 + (s.top3() >= 2 ? 1 : 0) - (s.top3() == 0 ? 1 : 0), 0, 8);
}

Holding describe(unsigned ranks) {
  const Suit s(ranks);
  const auto u8 = [](int value) { return static_cast<std::uint8_t>(value); };
  Holding h{};
  const int quality_x100 = kr_quality_halves(s) * s.length * 5;
  h.kr_quality_x100 = static_cast<std::int16_t>(quality_x100);
  h.kaplan_rubens_x100 =
      static_cast<std::int16_t>(quality_x100 + kr_honours_x100(s) + 100 * std::max(0, 3 - s.length));
  h.length = u8(s.length);
  h.hcp = u8(4 * s.a + 3 * s.k + 2 * s.q + s.j);
  h.losers = u8(losers(s));
  h.new_losers_x2 = u8(new_losers_x2(s));
  h.quick_tricks_x2 = u8(quick_tricks_x2(s));
  h.half_losers = u8(half_losers(s));
  h.trump_half_losers = u8(trump_half_losers(s));
  h.stop_nt = u8(stop_nt(s));
  h.stop_trump = u8(stop_trump(s));
  h.fast_nt = u8(fast_nt(s));
  h.fast_trump = u8(fast_trump(s));
  h.quality = u8(quality(s));
  h.suit_quality = u8(suit_quality(s));
  h.biddable = u8(biddable(s));
  h.bergen_x4 = u8(18 * s.a + 12 * s.k + 6 * s.q + 3 * s.j + s.t);
  return h;
}

std::array<Holding, HOLDINGS> describe_all() {
  std::array<Holding, HOLDINGS> all{};
  for (unsigned ranks = 0; ranks < HOLDINGS; ++ranks) all[ranks] = describe(ranks);
  return all;
}

}  // namespace

const std::array<Holding, HOLDINGS> HOLDING = describe_all();

}  // namespace borel
