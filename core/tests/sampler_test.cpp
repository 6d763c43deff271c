// Directed dealing: counts are exact, every layout that fits is equally likely, none that does not is dealt.
#include "../sampler.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include "check.h"

using namespace borel;

namespace {

constexpr std::uint64_t SUIT = 8191;

// North and South are known; East and West share seven spades, seven hearts and twelve clubs between them.
Hands two_known() {
  const std::uint64_t spades = 0b1111110000000ull << 39, hearts = 0b1111110000000ull << 26;
  const std::uint64_t diamonds = SUIT << 13, club = 1ull;
  std::uint64_t north = 0, south = 0;
  int card = 0;
  for (std::uint64_t left = spades | hearts | diamonds | club; left; left &= left - 1, ++card)
    (card % 2 ? north : south) |= left & (~left + 1);
  return {north, 0, south, 0};
}

double choose(int n, int k) {
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

void counts_are_binomial() {
  const DirectedDealer any(two_known(), {}, {});
  CHECK(std::abs(any.count() - choose(26, 13)) < 1e-3);
  Limits limits{};
  limits[1].shortest[3] = limits[1].longest[3] = 5;  // East has five of the seven spades
  const DirectedDealer five(two_known(), {}, limits);
  CHECK(std::abs(five.count() - choose(7, 5) * choose(19, 8)) < 1e-3);
  limits[3].longest[3] = 1;  // and West at most one: impossible
  CHECK(DirectedDealer(two_known(), {}, limits).count() == 0);
}

void layouts_fit_and_are_complete() {
  Limits limits{};
  limits[1].shortest[2] = 4;
  limits[1].fewest_hcp = 3;
  limits[3].most_hcp = 6;
  const DirectedDealer dealer(two_known(), {}, limits);
  for (std::uint64_t number = 0; number < 2000; ++number) {
    Random random(3, number);
    const Hands hands = dealer.draw(random);
    CHECK((hands[0] | hands[1] | hands[2] | hands[3]) == (1ull << 52) - 1);
    CHECK(length_of(hands[1], 2) >= 4 && hcp_of(hands[1]) >= 3 && hcp_of(hands[3]) <= 6);
    CHECK(dealer.admits(hands));
  }
}

// The split of the spades follows the hypergeometric distribution: chi-square with seven degrees of freedom.
void splits_are_as_likely_as_they_are_many() {
  const DirectedDealer dealer(two_known(), {}, {});
  constexpr int DRAWS = 20000;
  std::map<int, int> seen;
  for (std::uint64_t number = 0; number < DRAWS; ++number) {
    Random random(5, number);
    ++seen[length_of(dealer.draw(random)[1], 3)];
  }
  double chi_square = 0;
  for (int length = 0; length <= 7; ++length) {
    const double expected = DRAWS * choose(7, length) * choose(19, 13 - length) / choose(26, 13);
    chi_square += (seen[length] - expected) * (seen[length] - expected) / expected;
  }
  CHECK(chi_square < 24.3);  // one time in a thousand it is more
}

// Cases that overlap: every layout of the union once. Five or more spades, or five or more hearts.
void a_union_counts_nothing_twice() {
  Limits spades{}, hearts{};
  spades[1].shortest[3] = 5;
  hearts[1].shortest[2] = 5;
  const LayoutDealer dealer(two_known(), {}, {spades, hearts});
  double both = 0, either = 0;
  for (int s = 0; s <= 7; ++s)
    for (int h = 0; h <= 7; ++h) {
      if (s + h > 13 || 13 - s - h > 12) continue;
      const double ways = choose(7, s) * choose(7, h) * choose(12, 13 - s - h);
      if (s >= 5 && h >= 5) both += ways;
      if (s >= 5 || h >= 5) either += ways;
    }
  constexpr int DRAWS = 20000;
  int found = 0;
  for (std::uint64_t number = 0; number < DRAWS; ++number) {
    Random random(7, number);
    const Hands hands = dealer.draw(random);
    CHECK(length_of(hands[1], 3) >= 5 || length_of(hands[1], 2) >= 5);
    found += length_of(hands[1], 3) >= 5 && length_of(hands[1], 2) >= 5;
  }
  const double chance = both / either, error = std::sqrt(chance * (1 - chance) / DRAWS);
  CHECK(std::abs(static_cast<double>(found) / DRAWS - chance) < 4 * error);
}

void the_same_number_gives_the_same_layout() {
  const DirectedDealer dealer(two_known(), {}, {});
  Random one(9, 4), other(9, 4), another(9, 5);
  const Hands first = dealer.draw(one);
  CHECK(first == dealer.draw(other));
  CHECK(first != dealer.draw(another));
}

}  // namespace

int main() {
  counts_are_binomial();
  layouts_fit_and_are_complete();
  splits_are_as_likely_as_they_are_many();
  a_union_counts_nothing_twice();
  the_same_number_gives_the_same_layout();
  return borel_test::finish("sampler");
}
