// The greatest weight that parts of layouts can have when of each of some groups only so much may be kept: a linear
// program, solved by the dual simplex method. Its value bounds from above what any plan wins; rows are added to the solved
// program as conflicts are found, and what is known stays.
#pragma once

#include <functional>
#include <vector>

namespace borel {

class Packing {
 public:
  // Of the members together at most `most` is kept.
  struct Row {
    std::vector<int> members;
    int most = 1;
  };

  explicit Packing(std::vector<double> weights);

  int columns() const { return static_cast<int>(weights_.size()); }
  int rows() const { return static_cast<int>(basic_.size()); }
  void add(const Row& row);
  // All of a column is kept, or nothing of it.
  void fix(int column, bool kept);
  bool is_fixed(int column) const { return fixed_[column] >= 0; }

  // `look` is called now and then and may throw. False if the rows allow nothing that keeps what is fixed. A solution is
  // given up after many steps: then the bound is not the least, but a bound.
  bool solve(const std::function<void()>& look);
  // Rows that do not bind are forgotten.
  void forget_loose();

  double value(int column) const;  // 0 to 1: the part that is kept
  // By weak duality from the rows' prices alone, so that rounding in the tableau can only make it weaker.
  double bound() const;

 private:
  static constexpr double SMALL = 1e-9;
  enum class Place : char { lower, upper, basic };
  struct Candidate {
    int position;
    double ratio, size;
  };

  bool is_slack(int variable) const { return variable >= columns(); }
  bool is_boxed(int variable) const { return !is_slack(variable); }
  double upper_excess(int row) const;  // above its upper end, or 0
  int leaving_row() const;
  bool step(int row);
  void candidates(int row, bool grows);
  void flip(int position);
  void pivot(int row, int position, double target);
  void drop_row(int row);

  std::vector<double> weights_;
  std::vector<signed char> fixed_;  // -1 free, 0 given up, 1 kept
  std::vector<Row> rows_;           // by slack: variable columns() + i; no members = forgotten
  std::vector<int> free_slacks_;
  // The tableau: a basic variable is a constant less the sum over the others of its row's entry times theirs.
  std::vector<std::vector<double>> tableau_;
  std::vector<int> basic_;        // by row: the variable
  std::vector<double> amount_;    // by row: its value
  std::vector<int> others_;       // by position: the variable
  std::vector<double> price_;     // by position: what the total gains with one more of it
  std::vector<Place> place_;      // by variable
  std::vector<int> where_;        // by variable: its row or its position
  std::vector<Candidate> found_;  // of the step at hand
  std::vector<int> filled_;
};

}  // namespace borel
