// A decision net of bidding rules, flattened: which rule each of many hands follows.
//
// The net is built and explained in Python (src/borel/systems/decision_net.py); here it only runs. A hand is a row of
// numbers (its features). Conditions are a small program, nodes and links are tables of integers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace borel {

// Conditions, one after another:
//   RANGE feature bounds               numbers[bounds] <= row[feature] <= numbers[bounds + 1]
//   SUM   terms bounds (feature weight)...   the same for a sum of weighted features
//   ALL   parts end ...                every one of the parts that follow; the next condition begins at `end`
//   ANY   parts end ...                one of them
enum RuleOp : std::int32_t { RANGE = 0, SUM = 1, ALL = 2, ANY = 3 };

struct RuleNode {
  std::int32_t condition;  // where in the program; -1 for any hand
  std::int32_t order;      // of the node's first action; actions with a lower order win
  std::int32_t action;     // its number; -1 where the node has none
  std::int32_t regular_begin, regular_end, else_begin, else_end;  // in the table of links
};

class RuleNet {
 public:
  // Throws std::invalid_argument where the tables do not make a net: indices out of range, links that do not go forward.
  RuleNet(std::vector<std::int32_t> program, std::vector<double> numbers, std::vector<RuleNode> nodes,
          std::vector<std::int32_t> links, int features);

  int features() const { return features_; }

  // The action each row takes, -1 where it takes none; `rows` has features() numbers a hand.
  void choose(std::span<const float> rows, std::span<std::int32_t> actions) const;

 private:
  struct Best {
    std::int32_t order, action;
  };

  bool admits(std::int32_t& at, const float* row) const;
  bool descend(const RuleNode& node, const float* row, Best& best) const;
  bool follow(std::int32_t begin, std::int32_t end, const float* row, Best& best) const;
  std::int32_t check_condition(std::int32_t at, int depth) const;
  void check_bounds(std::int32_t at) const;

  std::vector<std::int32_t> program_;
  std::vector<double> numbers_;
  std::vector<RuleNode> nodes_;
  std::vector<std::int32_t> links_;
  int features_;
};

}  // namespace borel
