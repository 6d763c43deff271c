// Many positions over many threads.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "solver.h"

namespace borel {

struct BatchOptions {
  int threads = 0;              // 0 = one a core
  std::size_t memory_mb = 160;  // for each thread
  double seconds = 0;           // by the clock that the calling thread has chosen; 0 = no deadline
  SolverOptions solver;
  // Called from the calling thread about every 50 ms with the number of jobs done; false cancels.
  std::function<bool(std::size_t done)> progress;
};

// Calls job(solver, i) for i in 0..n-1, each thread with its own solver, in about that order.
// Throws Stopped if cancelled or late, and the first exception of a job or of `progress`, after all threads ended.
void run_batch(std::size_t n, const BatchOptions& options, const std::function<void(Solver&, std::size_t)>& job);

}  // namespace borel
