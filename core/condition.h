// A condition on a deal, compiled: a small stack program that the dealer runs for every deal.
//
// src/borel/dealing/conditions.py compiles the text of a condition into instructions; the numbers of the operations
// below are read from there through the binding, so they are stated once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dealer.h"
#include "hand_features.h"
#include "solver.h"

namespace borel {

enum class Op : std::uint8_t {
  NUMBER,         // push x
  FEATURE,        // push feature (x, y, z) of the seat's hand
  SHAPE,          // push whether the seat's suit lengths are in shape set x
  HAS_CARD,       // push whether the seat holds card x
  POINTS,         // push the seat's points on scale x in suit y (4 = the hand)
  TRICKS,         // push the tricks the seat takes as declarer in strain x, double dummy
  VARIABLE,       // push the value of program x, computed once a deal
  NEGATE,         // the operations from here to MODULO replace one or two numbers by one: first those of one,
  NOT,
  AS_TRUTH,       // 0 stays, everything else becomes 1
  LOOK_UP,        // the entry of table x at this place
  STEPS,          // how many entries of table x its size reaches, with its sign
  EQUAL,          // then those of two
  UNEQUAL,
  LESS,
  AT_MOST,
  GREATER,
  AT_LEAST,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  MODULO,
  JUMP,           // skip x instructions
  SKIP_IF_ZERO,   // pop, and skip x instructions if it was 0
  AND_SKIP,       // if the top is 0 keep it and skip x instructions, else pop it
  OR_SKIP,        // if the top is not 0 keep it and skip x instructions, else pop it
};

struct Instruction {
  Op op;
  int seat;
  std::int64_t x, y, z;
};

using Program = std::vector<Instruction>;

// Suit lengths s * 196 + h * 14 + d (clubs follow) that belong to a set of shapes.
inline constexpr int SHAPES = 14 * 14 * 14;
using ShapeSet = std::vector<std::uint8_t>;

// Points for each rank, two to ace.
using PointScale = std::array<std::int32_t, 13>;

// Numbers for LOOK_UP and STEPS: scores by tricks, the steps of the IMP scale.
using NumberTable = std::vector<std::int64_t>;

class Condition {
 public:
  // The last program is the condition, those before it are its variables, each using earlier ones only.
  // Throws std::invalid_argument if a program could read or write where it should not.
  Condition(std::vector<Program> programs, std::vector<ShapeSet> shapes, std::vector<PointScale> scales,
            std::vector<NumberTable> tables);

  static constexpr int STACK = 64;      // numbers a program may hold at once
  static constexpr int VARIABLES = 250;  // programs beside the condition

 private:
  friend class Evaluator;
  void check(std::size_t number) const;
  void check(const Instruction& instruction, std::size_t number) const;
  std::vector<Program> programs_;
  std::vector<ShapeSet> shapes_;
  std::vector<PointScale> scales_;
  std::vector<NumberTable> tables_;
};

// Runs one condition on deal after deal; each thread has its own.
class Evaluator {
 public:
  explicit Evaluator(const Condition& condition);

  // The condition's value for a deal. Throws std::domain_error where it divides by zero.
  std::int64_t value(const Hands& hands);
  bool holds(const Hands& hands) { return value(hands) != 0; }

 private:
  struct Variable {
    std::uint64_t deal = 0;  // the deal for which the value is known
    std::int64_t value = 0;
  };
  std::int64_t run(std::size_t number);
  std::int64_t push(const Instruction& instruction);
  std::int64_t unary(const Instruction& instruction, std::int64_t value) const;
  std::int64_t tricks(int declarer, int strain);
  std::int64_t points(const PointScale& scale, std::uint64_t hand, int suit) const;

  const Condition& condition_;
  std::vector<Variable> variables_;
  std::array<HandParts, 4> hands_;
  std::unique_ptr<Solver> solver_;  // made when a condition first asks for tricks
  std::uint64_t deal_ = 0;
};

struct Found {
  std::vector<Hands> hands;
  std::vector<std::uint64_t> numbers;  // the number of each deal in its seed
  std::uint64_t next = 0;              // the first number that was not looked at
};

struct SearchOptions {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;   // deals first .. first + tries - 1 of the seed are looked at,
  std::uint64_t tries = 0;   // in this order,
  std::size_t wanted = 0;    // until so many are found
  unsigned threads = 1;
};

// The deals that satisfy a condition, in the order of their numbers: the same whatever the number of threads.
Found find_deals(const Condition& condition, const Hands& predealt, const SearchOptions& options);

}  // namespace borel
