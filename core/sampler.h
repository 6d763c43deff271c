// Directed dealing: layouts of the cards that are not yet placed, every layout that fits the limits equally likely, without
// rejection. Completions are counted by dynamic programming over the suits, with the cards and the high-card points still
// to be held as the state; a layout is then drawn by walking back through the counts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dealer.h"
#include "random.h"

namespace borel {

// What a hand may be: its length in each suit (C D H S), its high-card points, aces and kings, both ends included.
struct HandLimits {
  std::array<int, 4> shortest{0, 0, 0, 0};
  std::array<int, 4> longest{13, 13, 13, 13};
  int fewest_hcp = 0;
  int most_hcp = 37;
  int fewest_aces = 0;
  int most_aces = 4;
  int fewest_kings = 0;
  int most_kings = 4;

  bool admits(std::uint64_t hand) const;
  bool count_honours() const { return fewest_aces > 0 || most_aces < 4 || fewest_kings > 0 || most_kings < 4; }
};

using Limits = std::array<HandLimits, 4>;  // N E S W

int hcp_of(std::uint64_t cards);
int aces_of(std::uint64_t cards);
int kings_of(std::uint64_t cards);
int length_of(std::uint64_t cards, int suit);

// The ways to share out the free cards of one suit among (up to) three hidden hands.
class SuitWays {
 public:
  struct Cell {
    int cards[2];   // to the first and second hidden hand; the third has the rest
    int points[2];  // their high-card points, where those are tracked
  };
  struct Way {
    Cell cell;
    double count;
  };

  // `forbidden`, `shortest`, `longest`: of each hidden hand, as regards the free cards alone. `tracked`: points of the
  // first so many hands are part of the state.
  SuitWays(std::uint64_t free, const std::array<std::uint64_t, 3>& forbidden, const std::array<int, 3>& shortest,
           const std::array<int, 3>& longest, int tracked);

  int size() const { return size_; }
  int points() const { return points_; }
  const std::vector<Way>& ways() const { return ways_; }
  double count(const Cell& cell) const;  // zero where the cell is out of reach or of the limits
  void deal(const Cell& cell, std::array<std::uint64_t, 3>& hands, Random& random) const;

 private:
  void add_card(int card, const std::array<std::uint64_t, 3>& forbidden);
  std::size_t index(const Cell& cell) const;
  bool inside(const Cell& cell) const;
  Cell without(Cell cell, int card, int hand) const;

  int size_;
  int points_;       // the range of the tracked points: those of all free cards, or zero
  int tracked_;
  std::vector<int> plain_;    // cards that anyone may hold and whose points do not matter
  std::vector<int> special_;  // the others, in the order they are added
  std::vector<std::array<bool, 3>> allowed_;
  std::vector<std::vector<double>> layers_;  // counts with the plain cards, then with one special card more each
  std::vector<double> fitting_;              // the last layer within the limits
  std::vector<Way> ways_;
};

// The ways of two suits together.
class PairWays {
 public:
  PairWays(const SuitWays& first, const SuitWays& second, const std::array<int, 3>& quota, int tracked);

  const std::vector<double>& counts() const { return counts_; }
  int points() const { return points_; }
  std::size_t index(const SuitWays::Cell& cell) const;
  SuitWays::Cell cell(std::size_t index) const;
  void deal(const SuitWays::Cell& cell, std::array<std::uint64_t, 3>& hands, Random& random) const;

 private:
  const SuitWays* first_;
  const SuitWays* second_;
  std::array<int, 3> quota_;
  int points_;
  int tracked_;
  std::vector<double> counts_;
};

// Deals what is left when some cards are fixed, some forbidden to a hand, and each hand has limits. Lengths and points are
// counted; limits on aces and kings (answers to an ace-asking bid) are met by drawing again, and count() leaves them out.
class DirectedDealer {
 public:
  DirectedDealer(const Hands& fixed, const Hands& forbidden, const Limits& limits);
  DirectedDealer(DirectedDealer&&) = default;  // no copies: the pairs point at the suits

  double count() const { return cumulative_.empty() ? 0.0 : cumulative_.back(); }
  Hands draw(Random& random) const;  // count() must be positive; throws when no draw meets the limits on honours
  bool admits(const Hands& hands) const;

 private:
  Hands draw_once(Random& random) const;
  void order_slots(const Limits& limits);
  void join();
  double right_ways(const SuitWays::Cell& left, int first_points, int* low, int* high) const;

  Hands fixed_;
  Limits limits_;
  std::vector<int> slots_;         // the hidden seats; those whose points are limited first
  std::array<int, 3> quota_{};     // cards each hidden hand still gets
  std::array<int, 3> fewest_{};    // points each hidden hand still gets
  std::array<int, 3> most_{};
  int tracked_ = 0;
  bool honours_limited_ = false;
  bool third_limited_ = false;     // the third hand's points follow from the others'
  int free_points_ = 0;
  std::vector<SuitWays> suits_;
  std::vector<PairWays> pairs_;
  std::vector<double> sums_;        // running sums of pairs_[1]'s counts over the second hand's points
  std::vector<std::size_t> cells_;  // of pairs_[0], those that can be completed
  std::vector<double> cumulative_;
};

// A union of cases, as when a call shows one of several kinds of hand. Cases may overlap: a layout that is in m of them is
// kept one time in m, so that every layout of the union is equally likely (Karp and Luby).
class LayoutDealer {
 public:
  LayoutDealer(const Hands& fixed, const Hands& forbidden, const std::vector<Limits>& cases);
  LayoutDealer(const LayoutDealer&) = delete;  // its parts point at one another

  const std::vector<double>& counts() const { return counts_; }
  Hands draw(Random& random) const;

 private:
  std::vector<DirectedDealer> dealers_;
  std::vector<double> counts_;
  std::vector<double> cumulative_;
};

}  // namespace borel
