// Every switch keeps the answer, and every idea saves nodes.
#include <cstdio>

#include "check.h"
#include "minimax.h"

using namespace borel;
using namespace borel_test;

namespace {

struct Named {
  const char* name;
  SolverOptions off;   // everything on but this
  SolverOptions base;  // what it is compared with
};

std::vector<Named> switches() {
  std::vector<Named> list;
  const SolverOptions all;
  const auto add = [&](const char* name, auto change) {
    SolverOptions off = all;
    change(off);
    list.push_back({name, off, all});
  };
  add("merge_equals", [](SolverOptions& o) { o.merge_equals = false; });
  add("order_moves", [](SolverOptions& o) { o.order_moves = false; });
  add("sure_tricks", [](SolverOptions& o) { o.sure_tricks = false; });
  add("later_tricks", [](SolverOptions& o) { o.later_tricks = false; });
  add("rank_cut", [](SolverOptions& o) { o.rank_cut = false; });
  add("best_move_cache", [](SolverOptions& o) { o.best_move_cache = false; });
  add("partition against exact", [](SolverOptions& o) { o.table = TableKind::exact; });
  SolverOptions exact = all, none = all;
  exact.table = TableKind::exact;
  none.table = TableKind::none;
  list.push_back({"exact against none", none, exact});
  return list;
}

}  // namespace

int main() {
  constexpr int POSITIONS = 150;
  for (const Named& item : switches()) {
    Solver plain(16, item.off), pruned(16, item.base);
    std::mt19937_64 rng(11);
    for (int i = 0; i < POSITIONS; ++i) {
      PlayState state = random_ending(rng, 8 + i % 2, i % STRAINS);
      for (int place = i % 4; place > 0; --place) state = state.after(random_card(rng, state.legal()));
      plain.forget(), pruned.forget();
      CHECK(plain.solve(state) == pruned.solve(state));
    }
    std::printf("%-24s off %10llu nodes, on %10llu\n", item.name, static_cast<unsigned long long>(plain.nodes()),
                static_cast<unsigned long long>(pruned.nodes()));
    CHECK(pruned.nodes() < plain.nodes());
  }
  return finish("switches_test");
}
