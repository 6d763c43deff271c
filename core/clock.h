// The clock that deadlines run by: the wall's, where somebody waits, or this process's own processor time, so that
// a match does not depend on what else the machine does.
#pragma once

#include <limits>
#include <optional>

namespace borel {

enum class ClockKind { wall, processor };

// Each thread chooses for itself and begins with the wall's clock.
void choose_clock(ClockKind kind);
ClockKind chosen_clock();

// Seconds since some moment; only differences mean anything. Processor time is that of all threads together.
double now(ClockKind kind);

// A moment by the clock that the thread which makes it has chosen; other threads may then ask it.
class Deadline {
 public:
  explicit Deadline(std::optional<double> seconds)
      : kind_(chosen_clock()), end_(seconds ? now(kind_) + *seconds : std::numeric_limits<double>::infinity()) {}
  bool is_over() const { return end_ < std::numeric_limits<double>::infinity() && now(kind_) >= end_; }

 private:
  ClockKind kind_;
  double end_;
};

}  // namespace borel
