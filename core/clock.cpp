#include "clock.h"

#include <chrono>
#include <ctime>

namespace borel {

namespace {
thread_local ClockKind chosen = ClockKind::wall;
}

void choose_clock(ClockKind kind) { chosen = kind; }

ClockKind chosen_clock() { return chosen; }

double now(ClockKind kind) {
  if (kind == ClockKind::processor) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace borel
