#include "rule_net.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace borel {
namespace {

constexpr int MAX_DEPTH = 64;  // conditions within conditions

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace

RuleNet::RuleNet(std::vector<std::int32_t> program, std::vector<double> numbers, std::vector<RuleNode> nodes,
                 std::vector<std::int32_t> links, int features)
    : program_(std::move(program)),
      numbers_(std::move(numbers)),
      nodes_(std::move(nodes)),
      links_(std::move(links)),
      features_(features) {
  require(!nodes_.empty(), "a net has a root");
  const auto linked = static_cast<std::int32_t>(links_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const RuleNode& node = nodes_[i];
    if (node.condition != -1) check_condition(node.condition, 0);
    for (auto [begin, end] : {std::pair{node.regular_begin, node.regular_end}, {node.else_begin, node.else_end}}) {
      require(0 <= begin && begin <= end && end <= linked, "links out of range");
      for (std::int32_t link = begin; link < end; ++link) {
        const std::int32_t child = links_[link];
        require(child > static_cast<std::int32_t>(i) && child < static_cast<std::int32_t>(nodes_.size()),
                "links go forward");
      }
    }
  }
}

void RuleNet::check_bounds(std::int32_t at) const {
  require(0 <= at && at + 1 < static_cast<std::int32_t>(numbers_.size()), "bounds out of range");
}

// Where the next condition begins; throws unless this one is well formed.
std::int32_t RuleNet::check_condition(std::int32_t at, int depth) const {
  const auto size = static_cast<std::int32_t>(program_.size());
  require(depth < MAX_DEPTH && 0 <= at && at + 2 < size, "condition out of range");
  const std::int32_t op = program_[at], first = program_[at + 1], second = program_[at + 2];
  switch (op) {
    case RANGE:
      require(0 <= first && first < features_, "feature out of range");
      check_bounds(second);
      return at + 3;
    case SUM:
      require(first > 0 && at + 3 + 2 * static_cast<std::int64_t>(first) <= size, "sum out of range");
      check_bounds(second);
      for (std::int32_t i = 0; i < first; ++i) {
        const std::int32_t feature = program_[at + 3 + 2 * i], weight = program_[at + 4 + 2 * i];
        require(0 <= feature && feature < features_, "feature out of range");
        require(0 <= weight && weight < static_cast<std::int32_t>(numbers_.size()), "weight out of range");
      }
      return at + 3 + 2 * first;
    case ALL:
    case ANY: {
      std::int32_t next = at + 3;
      for (std::int32_t i = 0; i < first; ++i) next = check_condition(next, depth + 1);
      require(next == second, "a condition ends where it says");
      return next;
    }
  }
  throw std::invalid_argument("no such condition");
}

// Whether a row satisfies the condition at `at`, which is moved to the next one.
bool RuleNet::admits(std::int32_t& at, const float* row) const {
  const std::int32_t* op = &program_[at];
  if (*op == RANGE) {
    at += 3;
    const double value = row[op[1]];
    return numbers_[op[2]] <= value && value <= numbers_[op[2] + 1];
  }
  if (*op == SUM) {
    double value = 0;
    for (std::int32_t i = 0; i < op[1]; ++i) value += row[op[3 + 2 * i]] * numbers_[op[4 + 2 * i]];
    at += 3 + 2 * op[1];
    return numbers_[op[2]] <= value && value <= numbers_[op[2] + 1];
  }
  const bool decides = *op == ANY;  // the answer of a part that settles the whole
  at += 3;
  for (std::int32_t i = 0; i < op[1]; ++i) {
    if (admits(at, row) == decides) {
      at = op[2];
      return decides;
    }
  }
  return !decides;
}

// StateActions (Amit & Markovitch 2006, figure 5), keeping of the union of actions the one of the lowest order.
bool RuleNet::descend(const RuleNode& node, const float* row, Best& best) const {
  if (follow(node.regular_begin, node.regular_end, row, best)) return true;
  if (follow(node.else_begin, node.else_end, row, best)) return true;
  if (node.action < 0) return false;
  if (node.order < best.order) best = {node.order, node.action};
  return true;
}

bool RuleNet::follow(std::int32_t begin, std::int32_t end, const float* row, Best& best) const {
  bool taken = false;
  for (std::int32_t link = begin; link < end; ++link) {
    const RuleNode& child = nodes_[links_[link]];
    std::int32_t at = child.condition;
    if ((at < 0 || admits(at, row)) && descend(child, row, best)) taken = true;
  }
  return taken;
}

void RuleNet::choose(std::span<const float> rows, std::span<std::int32_t> actions) const {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    Best best{std::numeric_limits<std::int32_t>::max(), -1};
    descend(nodes_.front(), rows.data() + i * features_, best);
    actions[i] = best.action;
  }
}

}  // namespace borel
