// The table finds what covers a position, prefers the general, joins bounds, grows, and survives being full.
#include "../partition_table.h"

#include "../solver.h"
#include "check.h"
#include "minimax.h"

using namespace borel;

namespace {

void finds_what_agrees_under_the_mask() {
  PartitionTable table(1 << 20);
  table.add(0x1234, 2, {0b0110, 0b0011}, 1, 0b0111, 3, 5);
  const Found yes = table.find(0x1234, 2, {0b1110, 0b1011}, 1, 3);
  CHECK(yes.hit && yes.ns_reach_target && yes.mask == 0b0111);
  const Found no = table.find(0x1234, 2, {0b0110, 0b0011}, 1, 6);
  CHECK(no.hit && !no.ns_reach_target);
  CHECK(!table.find(0x1234, 2, {0b0110, 0b0011}, 1, 4).hit);  // between the bounds
  CHECK(!table.find(0x1234, 2, {0b0111, 0b0011}, 1, 3).hit);  // another owner
  CHECK(!table.find(0x1234, 1, {0b0110, 0b0011}, 1, 3).hit);  // another leader
  table.clear();
  CHECK(!table.find(0x1234, 2, {0b0110, 0b0011}, 1, 3).hit);
}

void an_entry_that_leaves_a_best_card_open_is_found_whoever_owns_it() {
  PartitionTable table(1 << 20);
  constexpr Tops TOPS = 0b0101;  // two suits, the best cards of which are cards 0 and 2
  table.add(7, 0, {0b0001, 0}, TOPS, 0b0001, 2, 9);
  for (std::uint64_t owner = 0; owner < 2; ++owner) CHECK(table.find(7, 0, {0b0001 | owner << 2, 0}, TOPS, 2).hit);
  table.add(7, 0, {0b0101, 0}, TOPS, 0b0111, 4, 9);
  CHECK(table.find(7, 0, {0b0101, 0}, TOPS, 4).hit);
  CHECK(!table.find(7, 0, {0b0001, 0}, TOPS, 4).hit);
}

void joins_bounds_and_drops_the_superfluous() {
  PartitionTable table(1 << 20);
  table.add(1, 0, {1, 0}, 1, 0b11, 2, 9);
  table.add(1, 0, {1, 0}, 1, 0b11, 0, 4);
  CHECK(table.entries() == 1);
  CHECK(table.find(1, 0, {1, 0}, 1, 2).ns_reach_target);
  CHECK(table.find(1, 0, {1, 0}, 1, 5).hit);
  table.add(1, 0, {1, 0}, 1, 0b01, 2, 4);
  CHECK(table.entries() == 1);
  CHECK(table.find(1, 0, {1, 0}, 1, 2).mask == 0b01);
}

void grows_and_survives_being_full() {
  PartitionTable table(1 << 20);
  for (Lengths shape = 1; shape < 100'000; ++shape) {
    table.add(shape, 3, {shape & 7, 0}, 1, 7, 1, 13);
    CHECK(table.find(shape, 3, {shape & 7, 0}, 1, 1).hit);
  }
  PartitionTable roomy(64 << 20);
  for (Lengths shape = 1; shape < 50'000; ++shape)
    for (std::uint64_t owners = 0; owners < 6; ++owners) roomy.add(shape, 3, {owners, 0}, 1, 7, 1, 13);
  for (Lengths shape = 1; shape < 50'000; ++shape)
    for (std::uint64_t owners = 0; owners < 6; ++owners) CHECK(roomy.find(shape, 3, {owners, 0}, 1, 1).hit);
}

void a_tiny_table_gives_the_same_answers() {
  std::mt19937_64 rng(3);
  Solver tiny(1), roomy(64);
  for (int i = 0; i < 10; ++i) {
    const PlayState state = borel_test::random_ending(rng, 11, i % STRAINS);
    CHECK(tiny.solve(state) == roomy.solve(state));
  }
}

}  // namespace

int main() {
  finds_what_agrees_under_the_mask();
  an_entry_that_leaves_a_best_card_open_is_found_whoever_owns_it();
  joins_bounds_and_drops_the_superfluous();
  grows_and_survives_being_full();
  a_tiny_table_gives_the_same_answers();
  return borel_test::finish("partition_table_test");
}
