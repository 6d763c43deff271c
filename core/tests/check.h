// A test is a program: CHECK reports the line and makes the exit status 1.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace borel_test {
inline int failures = 0;
inline int finish(const char* name) {
  std::printf("%s: %s\n", name, failures == 0 ? "ok" : "FAILED");
  return failures == 0 ? 0 : 1;
}
}  // namespace borel_test

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      std::printf("%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, #condition);   \
      if (++borel_test::failures > 20) std::exit(1);                              \
    }                                                                             \
  } while (false)
