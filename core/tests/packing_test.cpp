// The linear program of conflicts against the enumeration of all sets, and its rows against its own solution.
#include "../packing.h"

#include <algorithm>
#include <cmath>

#include "../quantum.h"
#include "../random.h"
#include "check.h"

using namespace borel;

namespace {

struct Problem {
  std::vector<double> weights;
  std::vector<Packing::Row> rows;
};

Problem random_problem(Random& random) {
  Problem problem;
  const int n = 3 + static_cast<int>(random.below(8));
  for (int i = 0; i < n; ++i) problem.weights.push_back(1 + static_cast<double>(random.below(20)));
  for (int i = 0, rows = static_cast<int>(random.below(12)); i < rows; ++i) {
    Packing::Row row;
    for (int member = 0; member < n; ++member)
      if (random.below(3) == 0) row.members.push_back(member);
    if (row.members.size() < 2) continue;
    row.most = 1 + static_cast<int>(random.below(row.members.size() - 1));
    problem.rows.push_back(row);
  }
  return problem;
}

// The heaviest whole set that the rows allow, with column 0 free, given up or kept; -1 if there is none.
double heaviest(const Problem& problem, int first) {
  double most = -1;
  const int n = static_cast<int>(problem.weights.size());
  for (unsigned set = 0; set < 1u << n; ++set) {
    if (first >= 0 && static_cast<int>(set & 1) != first) continue;
    const bool allowed = std::all_of(problem.rows.begin(), problem.rows.end(), [&](const Packing::Row& row) {
      return std::count_if(row.members.begin(), row.members.end(), [&](int m) { return set >> m & 1; }) <= row.most;
    });
    double weight = 0;
    for (int i = 0; i < n; ++i) weight += set >> i & 1 ? problem.weights[i] : 0;
    if (allowed) most = std::max(most, weight);
  }
  return most;
}

int tight = 0;  // problems whose bound is reached by a whole set

void check_problem(const Problem& problem, int first) {
  Packing packing(problem.weights);
  for (const auto& row : problem.rows) {
    packing.add(row);
    CHECK(packing.solve([] {}));
  }
  if (first >= 0) packing.fix(0, first == 1);
  CHECK(packing.solve([] {}));
  const double bound = packing.bound(), truth = heaviest(problem, first);
  CHECK(bound >= truth - 1e-9);
  tight += std::abs(bound - truth) < 1e-6;
  double weight = 0;
  for (int i = 0; i < packing.columns(); ++i) weight += problem.weights[i] * packing.value(i);
  CHECK(std::abs(weight - bound) < 1e-6);  // strong duality: no bound is lower
  for (const auto& row : problem.rows) {
    double kept = 0;
    for (const int member : row.members) kept += packing.value(member);
    CHECK(kept <= row.most + 1e-6);
  }
  packing.forget_loose();
  CHECK(packing.solve([] {}) && std::abs(packing.bound() - bound) < 1e-6);
}

void cliques() {
  const std::vector<double> weights{5, 4, 3};
  Packing pairs(weights), clique(weights);
  for (const auto& members : {std::vector<int>{0, 1}, {0, 2}, {1, 2}}) pairs.add({members, 1});
  clique.add({{0, 1, 2}, 1});
  CHECK(pairs.solve([] {}) && clique.solve([] {}));
  CHECK(std::abs(pairs.bound() - 6) < 1e-9);  // a half of each
  CHECK(std::abs(clique.bound() - 5) < 1e-9);
  clique.fix(0, true), clique.fix(1, true);
  CHECK(!clique.solve([] {}));  // no two of them
}

void quanta() {
  CHECK(std::abs(quantum_of({6.0 / 12870, 10.0 / 12870, 15.0 / 12870}) - 1.0 / 12870) < 1e-12);
  CHECK(std::abs(quantum_of({1.262, 1.999, 1.5}) - 0.001) < 1e-9);
  CHECK(quantum_of({1.0, std::sqrt(2.0), std::sqrt(3.0)}) == 0);
  CHECK(quantum_of({}) == 0);
}

}  // namespace

int main() {
  for (int i = 0; i < 500; ++i) {
    Random random(73, i);
    const Problem problem = random_problem(random);
    for (const int first : {-1, 0, 1}) check_problem(problem, first);
  }
  CHECK(tight > 700);
  cliques();
  quanta();
  return borel_test::finish("packing_test");
}
