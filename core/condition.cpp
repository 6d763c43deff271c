#include "condition.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace borel {
namespace {

constexpr std::int64_t DECK_SIZE = 52;

[[noreturn]] void refuse(const char* why) { throw std::invalid_argument(why); }

bool within(std::int64_t value, std::int64_t end) { return 0 <= value && value < end; }

bool pushes(Op op) { return op <= Op::VARIABLE; }
bool is_unary(Op op) { return op >= Op::NEGATE && op <= Op::STEPS; }
bool skips(Op op) { return op >= Op::JUMP; }

std::int64_t negated(std::int64_t value) { return static_cast<std::int64_t>(-static_cast<std::uint64_t>(value)); }

std::int64_t divide(Op op, std::int64_t left, std::int64_t right) {
  if (right == 0) throw std::domain_error("division by zero");
  if (right == -1) return op == Op::DIVIDE ? negated(left) : 0;  // the one quotient that can overflow
  return op == Op::DIVIDE ? left / right : left % right;
}

// Sums and products wrap around, as unsigned numbers do.
std::int64_t binary(Op op, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  switch (op) {
    case Op::EQUAL: return left == right;
    case Op::UNEQUAL: return left != right;
    case Op::LESS: return left < right;
    case Op::AT_MOST: return left <= right;
    case Op::GREATER: return left > right;
    case Op::AT_LEAST: return left >= right;
    case Op::ADD: return static_cast<std::int64_t>(a + b);
    case Op::SUBTRACT: return static_cast<std::int64_t>(a - b);
    case Op::MULTIPLY: return static_cast<std::int64_t>(a * b);
    default: return divide(op, left, right);
  }
}

}  // namespace

Condition::Condition(std::vector<Program> programs, std::vector<ShapeSet> shapes, std::vector<PointScale> scales,
                     std::vector<NumberTable> tables)
    : programs_(std::move(programs)), shapes_(std::move(shapes)), scales_(std::move(scales)),
      tables_(std::move(tables)) {
  if (programs_.empty()) refuse("no program");
  if (programs_.size() > VARIABLES + 1) refuse("too many variables");
  for (const ShapeSet& set : shapes_)
    if (set.size() != SHAPES) refuse("a shape set of the wrong size");
  for (std::size_t number = 0; number < programs_.size(); ++number) check(number);
}

void Condition::check(const Instruction& i, std::size_t number) const {
  if (i.op > Op::OR_SKIP) refuse("unknown operation");
  if (!within(i.seat, 4)) refuse("no such seat");
  switch (i.op) {
    case Op::FEATURE: {
      constexpr std::int64_t SMALL = 1 << 16;
      if (!within(i.x, SMALL) || !within(i.y, SMALL) || !within(i.z, SMALL) ||
          !is_valid({static_cast<int>(i.x), static_cast<int>(i.y), static_cast<int>(i.z)}))
        refuse("no such feature");
      break;
    }
    case Op::SHAPE:
      if (!within(i.x, static_cast<std::int64_t>(shapes_.size()))) refuse("no such shape set");
      break;
    case Op::HAS_CARD:
      if (!within(i.x, DECK_SIZE)) refuse("no such card");
      break;
    case Op::POINTS:
      if (!within(i.x, static_cast<std::int64_t>(scales_.size())) || !within(i.y, 5)) refuse("no such scale");
      break;
    case Op::TRICKS:
      if (!within(i.x, STRAINS)) refuse("no such strain");
      break;
    case Op::LOOK_UP:
    case Op::STEPS:
      if (!within(i.x, static_cast<std::int64_t>(tables_.size()))) refuse("no such table");
      break;
    case Op::VARIABLE:
      if (!within(i.x, static_cast<std::int64_t>(number))) refuse("a variable is used before it is defined");
      break;
    default: break;
  }
}

// Follows the height of the stack through a program: every way to an instruction must arrive at the same height.
void Condition::check(std::size_t number) const {
  const Program& program = programs_[number];
  constexpr int UNREACHED = -1;
  std::vector<int> heights(program.size() + 1, UNREACHED);
  heights[0] = 0;
  const auto arrive = [&](std::size_t at, int height) {
    if (heights[at] != UNREACHED && heights[at] != height) refuse("two ways with different stacks");
    heights[at] = height;
  };
  for (std::size_t at = 0; at < program.size(); ++at) {
    const Instruction& i = program[at];
    check(i, number);
    const int height = heights[at];
    if (height == UNREACHED) refuse("an instruction that is never reached");
    const int needed = pushes(i.op) || i.op == Op::JUMP ? 0 : is_unary(i.op) || skips(i.op) ? 1 : 2;
    if (height < needed) refuse("too little on the stack");
    if (pushes(i.op) && height + 1 > STACK) refuse("too much on the stack");
    if (skips(i.op)) {
      if (!within(i.x, static_cast<std::int64_t>(program.size() - at))) refuse("a jump out of the program");
      arrive(at + 1 + static_cast<std::size_t>(i.x), i.op == Op::SKIP_IF_ZERO ? height - 1 : height);
      if (i.op != Op::JUMP) arrive(at + 1, height - 1);
    } else {
      arrive(at + 1, pushes(i.op) ? height + 1 : is_unary(i.op) ? height : height - 1);
    }
  }
  if (heights[program.size()] != 1) refuse("a program that does not leave one number");
}

Evaluator::Evaluator(const Condition& condition)
    : condition_(condition), variables_(condition.programs_.size()),
      hands_{HandParts(0), HandParts(0), HandParts(0), HandParts(0)} {}

std::int64_t Evaluator::value(const Hands& hands) {
  ++deal_;
  for (int seat = 0; seat < 4; ++seat) hands_[seat] = HandParts(hands[seat]);
  return run(condition_.programs_.size() - 1);
}

std::int64_t Evaluator::points(const PointScale& scale, std::uint64_t hand, int suit) const {
  std::int64_t total = 0;
  const std::uint64_t cards = suit == WHOLE_HAND ? hand : hand & (std::uint64_t{HOLDINGS - 1} << 13 * suit);
  for (std::uint64_t left = cards; left; left &= left - 1) total += scale[std::countr_zero(left) % 13];
  return total;
}

std::int64_t Evaluator::tricks(int declarer, int strain) {
  constexpr std::size_t MEMORY_MB = 64;
  if (!solver_) solver_ = std::make_unique<Solver>(MEMORY_MB);
  PlayState state;
  for (int seat = 0; seat < SEATS; ++seat) state.hands[seat] = hands_[seat].mask;
  state.strain = strain;
  state.leader = next_seat(declarer);
  const int ns = solver_->solve(state);
  return is_ns(declarer) ? ns : RANKS - ns;
}

std::int64_t Evaluator::unary(const Instruction& i, std::int64_t value) const {
  switch (i.op) {
    case Op::NEGATE: return negated(value);
    case Op::NOT: return value == 0;
    case Op::AS_TRUTH: return value != 0;
    default: break;
  }
  const NumberTable& table = condition_.tables_[i.x];
  if (i.op == Op::LOOK_UP) {
    if (!within(value, static_cast<std::int64_t>(table.size()))) throw std::domain_error("a number of tricks above 13 or below 0");
    return table[value];
  }
  const std::int64_t size = value < 0 ? negated(value) : value;
  const std::int64_t steps = std::upper_bound(table.begin(), table.end(), size) - table.begin();
  return value < 0 ? -steps : steps;
}

std::int64_t Evaluator::push(const Instruction& i) {
  const HandParts& hand = hands_[i.seat];
  switch (i.op) {
    case Op::NUMBER: return i.x;
    case Op::FEATURE: return feature_classes()[i.x].value(hand, static_cast<int>(i.y), static_cast<int>(i.z));
    case Op::SHAPE:
      return condition_.shapes_[i.x][hand.length(3) * 196 + hand.length(2) * 14 + hand.length(1)];
    case Op::HAS_CARD: return hand.mask >> i.x & 1;
    case Op::POINTS: return points(condition_.scales_[i.x], hand.mask, static_cast<int>(i.y));
    case Op::TRICKS: return tricks(i.seat, static_cast<int>(i.x));
    default: break;
  }
  Variable& variable = variables_[i.x];
  if (variable.deal != deal_) {
    variable.value = run(i.x);
    variable.deal = deal_;
  }
  return variable.value;
}

std::int64_t Evaluator::run(std::size_t number) {
  std::int64_t stack[Condition::STACK + 1];  // the first is never read
  std::int64_t* top = stack;
  const Program& program = condition_.programs_[number];
  for (std::size_t at = 0; at < program.size(); ++at) {
    const Instruction& i = program[at];
    if (pushes(i.op)) {
      *++top = push(i);
    } else if (is_unary(i.op)) {
      *top = unary(i, *top);
    } else if (!skips(i.op)) {
      top[-1] = binary(i.op, top[-1], top[0]);
      --top;
    } else if (i.op == Op::JUMP) {
      at += i.x;
    } else if (i.op == Op::SKIP_IF_ZERO) {
      if (*top-- == 0) at += i.x;
    } else if ((*top == 0) == (i.op == Op::AND_SKIP)) {
      at += i.x;
    } else {
      --top;
    }
  }
  return *top;
}

}  // namespace borel
