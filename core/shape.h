// The distribution of a hand: its suit lengths, sorted, and the classes players give them.
#pragma once

#include <algorithm>
#include <array>

#include "hand_features.h"

namespace borel {

// Suit lengths, longest first.
struct Shape {
  explicit Shape(const HandParts& hand)
      : n{hand.length(0), hand.length(1), hand.length(2), hand.length(3)} {
    const auto order = [this](int i, int j) {
      if (n[i] < n[j]) std::swap(n[i], n[j]);
    };
    order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
  }
  bool is(int a, int b, int c, int d) const { return n[0] == a && n[1] == b && n[2] == c && n[3] == d; }
  bool balanced() const { return is(4, 3, 3, 3) || is(4, 4, 3, 2) || is(5, 3, 3, 2); }
  bool semi_balanced() const { return balanced() || is(5, 4, 2, 2) || is(6, 3, 2, 2); }
  bool one_suiter() const { return n[0] >= 6 && n[1] < 4; }
  bool two_suiter() const { return n[0] >= 5 && n[1] >= 4 && n[2] < 4; }
  bool three_suiter() const { return n[2] >= 4; }

  // 0 for 4333, 1 for 4432, 2 for 5332, 3 for semi-balanced; the wilder, the more, up to 6.
  int wildness() const {
    if (semi_balanced()) return is(4, 3, 3, 3) ? 0 : is(4, 4, 3, 2) ? 1 : is(5, 3, 3, 2) ? 2 : 3;
    if (n[0] >= 8 || n[0] + n[1] >= 11) return 6;
    return n[0] + n[1] >= 10 || n[3] == 0 ? 5 : 4;
  }

  std::array<int, 4> n;
};

}  // namespace borel
