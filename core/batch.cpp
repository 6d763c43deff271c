#include "batch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "clock.h"

namespace borel {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto POLL_EVERY = std::chrono::milliseconds(50);

// Solvers of finished batches are kept for the next one: a warm table of mapped memory is worth more than the
// search of a small ending.
class Pool {
 public:
  std::unique_ptr<Solver> take(std::size_t memory_mb, const SolverOptions& options) {
    if (options.all_on() && options.node_limit == 0) {
      const std::lock_guard lock(mutex_);
      for (auto it = idle_.begin(); it != idle_.end(); ++it) {
        if (it->memory_mb != memory_mb) continue;
        std::unique_ptr<Solver> solver = std::move(it->solver);
        idle_.erase(it);
        return solver;
      }
    }
    return std::make_unique<Solver>(memory_mb, options);
  }
  void give_back(std::unique_ptr<Solver> solver, std::size_t memory_mb, const SolverOptions& options) {
    if (!options.all_on() || options.node_limit != 0) return;
    solver->set_stop_sign(nullptr);
    const std::lock_guard lock(mutex_);
    if (idle_.size() >= std::max(1u, std::thread::hardware_concurrency())) idle_.erase(idle_.begin());
    idle_.push_back({std::move(solver), memory_mb});
  }

 private:
  struct Idle {
    std::unique_ptr<Solver> solver;
    std::size_t memory_mb;
  };
  std::mutex mutex_;
  std::vector<Idle> idle_;
};

Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

class Batch final : public StopSign {
 public:
  Batch(std::size_t n, const BatchOptions& options, const std::function<void(Solver&, std::size_t)>& job)
      : n_(n),
        options_(options),
        job_(job),
        deadline_(options.seconds > 0 ? std::optional(options.seconds) : std::nullopt) {}

  void run() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t threads =
        std::min<std::size_t>(options_.threads > 0 ? static_cast<unsigned>(options_.threads) : cores, n_);
    if (threads <= 1) {
      caller_works_ = true;
      work();
    } else {
      running_ = threads;
      std::vector<std::thread> workers;
      for (std::size_t i = 0; i < threads; ++i)
        workers.emplace_back([this] {
          work();
          const std::lock_guard lock(mutex_);
          --running_;
          ended_.notify_one();
        });
      watch();
      for (std::thread& worker : workers) worker.join();
    }
    if (error_) std::rethrow_exception(error_);
  }

  void look() override {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped(Stopped::Why::cancelled);
    if (deadline_.is_over()) throw Stopped(Stopped::Why::deadline);
    if (!caller_works_) return;
    const auto now = Clock::now();
    if (now < next_poll_) return;
    next_poll_ = now + POLL_EVERY;
    poll();
  }

 private:
  void work() {
    try {
      std::unique_ptr<Solver> solver = pool().take(options_.memory_mb, options_.solver);
      solver->set_stop_sign(this);
      for (std::size_t i; (i = next_.fetch_add(1)) < n_;) {
        if ((i & 63) == 0) look();
        job_(*solver, i);
        done_.fetch_add(1, std::memory_order_relaxed);
      }
      pool().give_back(std::move(solver), options_.memory_mb, options_.solver);
    } catch (...) {
      fail(std::current_exception());
    }
  }

  // The calling thread, while the workers work.
  void watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, POLL_EVERY, [this] { return running_ == 0; })) {
      lock.unlock();
      try {
        if (!stop_.load(std::memory_order_relaxed)) poll();
      } catch (...) {
        fail(std::current_exception());
      }
      lock.lock();
    }
  }

  void poll() {
    if (options_.progress && !options_.progress(done_.load(std::memory_order_relaxed)))
      throw Stopped(Stopped::Why::cancelled);
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    stop_.store(true, std::memory_order_relaxed);
    next_.store(n_);
  }

  const std::size_t n_;
  const BatchOptions& options_;
  const std::function<void(Solver&, std::size_t)>& job_;
  const Deadline deadline_;
  Clock::time_point next_poll_ = Clock::now() + POLL_EVERY;
  bool caller_works_ = false;
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void run_batch(std::size_t n, const BatchOptions& options, const std::function<void(Solver&, std::size_t)>& job) {
  if (n > 0) Batch(n, options, job).run();
}

}  // namespace borel
