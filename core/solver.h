// The double-dummy solver: one object a thread, its table reused from position to position of a deal.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "cards.h"
#include "options.h"

namespace borel {

// A position of the play in the encoding of cards.h.
struct PlayState {
  std::array<HandMask, SEATS> hands{};  // cards still held
  int strain = NOTRUMP;
  int leader = 0;                       // seat that led, or is to lead, to the current trick
  std::array<int, 3> trick{-1, -1, -1}; // cards on the table in the order played; -1 = none

  int on_table() const { return (trick[0] >= 0) + (trick[1] >= 0) + (trick[2] >= 0); }
  int to_play() const { return (leader + on_table()) & 3; }
  int tricks_left() const { return count(hands[to_play()]); }
  HandMask legal() const;
  PlayState after(int card) const;  // `card` must be legal
};

// Throws std::invalid_argument that says what is wrong with the position.
void check(const PlayState& state);

// Thrown out of a search that was asked to stop, and why.
struct Stopped : std::exception {
  enum class Why { cancelled, deadline, node_limit };
  explicit Stopped(Why reason) : why(reason) {}
  const char* what() const noexcept override { return "search stopped"; }
  Why why;
};

// What a search looks at every few thousand nodes to learn whether to go on.
class StopSign {
 public:
  virtual ~StopSign() = default;
  // Throws Stopped if the search must end. Called from the thread that searches.
  virtual void look() = 0;
};

class Solver {
 public:
  explicit Solver(std::size_t memory_mb = 160, const SolverOptions& options = {});
  ~Solver();
  Solver(Solver&&) noexcept;

  void set_stop_sign(StopSign* sign);

  // Whether what one deal taught is kept for the next of the same strain. Entries speak of owners of relative cards and
  // hold for every deal; they are worth keeping where deals are layouts of the same hidden cards.
  void keep_table(bool keep);

  // Tricks that NS still take, the current trick included, known to be `low` to `high` (-1 = all). `guess` is
  // where the search starts; -1 = choose.
  int solve(const PlayState& state, int guess = -1, int low = 0, int high = -1);

  // For each card: tricks that the side of the seat on play takes if it plays it, -1 if it is not legal.
  std::array<std::int8_t, CARDS> card_values(const PlayState& state);

  // Tricks of declarer's side in a strain, for each declarer.
  std::array<std::uint8_t, SEATS> declarers(const std::array<HandMask, SEATS>& hands, int strain);

  // Tricks of declarer's side in the whole deal, with the best play from then on: before each of `cards` and after
  // the last. `hands` are the hands as dealt, `leader` made the opening lead.
  std::vector<std::uint8_t> play_trace(const std::array<HandMask, SEATS>& hands, int strain, int leader,
                                       const std::vector<int>& cards);

  // Forgets what earlier positions taught (for counting nodes; answers never depend on it).
  void forget();

  // A node is one card played by the search. Counted since the solver was made or since reset_nodes().
  std::uint64_t nodes() const;
  std::uint64_t trick_nodes() const;  // those at which a new trick begins
  void reset_nodes();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace borel
