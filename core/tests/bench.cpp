// The signature of the search: node counts on fixed random deals. A commit keeps it or says that it changed it.
//   bench [deals] [contracts|tables|leads]
#include <ctime>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "../solver.h"

using namespace borel;

namespace {

// Fisher-Yates by hand: std::shuffle differs between libraries, and the signature must not.
std::array<HandMask, SEATS> random_deal(std::mt19937_64& rng) {
  int deck[CARDS];
  for (int i = 0; i < CARDS; ++i) deck[i] = i;
  for (int i = CARDS - 1; i > 0; --i) std::swap(deck[i], deck[rng() % static_cast<unsigned>(i + 1)]);
  std::array<HandMask, SEATS> hands{};
  for (int i = 0; i < CARDS; ++i) hands[i % 4] |= bit_of(deck[i]);
  return hands;
}

}  // namespace

int main(int argc, char** argv) {
  const int deals = argc > 1 ? std::atoi(argv[1]) : 20;
  const char* job = argc > 2 ? argv[2] : "contracts";
  std::mt19937_64 rng(2024);
  Solver solver(160);
  long sum = 0;
  double logs = 0;
  const auto start = std::clock();
  for (int i = 0; i < deals; ++i) {
    const std::uint64_t before = solver.trick_nodes();
    PlayState state{random_deal(rng), i % 5, i / 5 % 4, {-1, -1, -1}};
    if (std::strcmp(job, "tables") == 0) {
      for (int strain = 0; strain < STRAINS; ++strain)
        for (const int tricks : solver.declarers(state.hands, strain)) sum += tricks;
    } else if (std::strcmp(job, "leads") == 0) {
      for (const int value : solver.card_values(state)) sum += value;
    } else {
      sum += solver.solve(state);
    }
    logs += std::log(static_cast<double>(solver.trick_nodes() - before + 1));
  }
  const double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%s: %d deals, sum %ld, nodes %llu, trick nodes %llu (geometric mean %.0f a deal), %.2f ms a deal\n", job, deals, sum,
              static_cast<unsigned long long>(solver.nodes()), static_cast<unsigned long long>(solver.trick_nodes()),
              std::exp(logs / deals), ms / deals);
}
