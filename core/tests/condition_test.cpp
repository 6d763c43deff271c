// Conditions, features and dealing: programs do what they say, bad ones are refused, threads change nothing.
#include "../condition.h"

#include <algorithm>
#include <stdexcept>

#include "check.h"

using namespace borel;

namespace {

Instruction at(Op op, int seat = 0, std::int64_t x = 0, std::int64_t y = 0, std::int64_t z = 0) {
  return {op, seat, x, y, z};
}

constexpr int HCP = 0;  // the first feature class

// hcp(north) >= 15 && (hcp(north) - hcp(south) > 5 || hascard(west, AS))
Program example() {
  return {at(Op::FEATURE, 0, HCP, WHOLE_HAND), at(Op::NUMBER, 0, 15), at(Op::AT_LEAST), at(Op::AND_SKIP, 0, 8),
          at(Op::FEATURE, 0, HCP, WHOLE_HAND), at(Op::FEATURE, 2, HCP, WHOLE_HAND), at(Op::SUBTRACT),
          at(Op::NUMBER, 0, 5), at(Op::GREATER), at(Op::OR_SKIP, 0, 1), at(Op::HAS_CARD, 3, 51), at(Op::AS_TRUTH),
          at(Op::AS_TRUTH)};
}

bool refused(const Program& program) {
  try {
    Condition({program}, {}, {}, {});
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

int points(std::uint64_t hand) {
  int total = 0;
  for (int card = 0; card < CARDS; ++card)
    if (hand >> card & 1) total += std::max(0, rank_of(card) - 8);
  return total;
}

void programs_do_what_they_say() {
  const Condition condition({example()}, {}, {}, {});
  Evaluator evaluator(condition);
  for (std::uint64_t number = 0; number < 5000; ++number) {
    Random random(1, number);
    const Hands hands = deal_rest({}, random);
    const int north = points(hands[0]), south = points(hands[2]);
    CHECK(evaluator.holds(hands) == (north >= 15 && (north - south > 5 || (hands[3] >> 51 & 1))));
  }
}

void bad_programs_are_refused() {
  CHECK(refused({}));
  CHECK(refused({at(Op::ADD)}));
  CHECK(refused({at(Op::NUMBER), at(Op::NUMBER)}));
  CHECK(refused({at(Op::NUMBER), at(Op::JUMP, 0, 1)}));
  CHECK(refused({at(Op::FEATURE, 0, 1 << 20)}));
  CHECK(refused({at(Op::VARIABLE)}));
  CHECK(refused(Program(100, at(Op::NUMBER))));
  CHECK(!refused(example()));
}

void threads_change_nothing() {
  const Condition condition({example()}, {}, {}, {});
  const Found one = find_deals(condition, {}, {7, 0, 20000, 300, 1});
  for (const unsigned threads : {2U, 3U, 8U}) {
    const Found many = find_deals(condition, {}, {7, 0, 20000, 300, threads});
    CHECK(one.hands == many.hands && one.numbers == many.numbers && one.next == many.next);
  }
}

void every_feature_can_be_computed_for_every_argument() {
  for (std::uint64_t number = 0; number < 20; ++number) {
    Random random(2, number);
    const Hands hands = deal_rest({}, random);
    for (int index = 0; index < static_cast<int>(feature_classes().size()); ++index)
      for (int first = 0; first <= 13; ++first)
        for (int second = 0; second <= 13; ++second) {
          const Feature feature{index, first, second};
          std::int16_t value = 0;
          if (is_valid(feature)) compute_features({&hands[0], 1}, {&feature, 1}, &value);
          CHECK(value >= -1000 && value <= 10000);
        }
  }
}

}  // namespace

int main() {
  programs_do_what_they_say();
  bad_programs_are_refused();
  threads_change_nothing();
  every_feature_can_be_computed_for_every_argument();
  return borel_test::finish("condition_test");
}
