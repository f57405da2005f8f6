// CHECK prints what does not hold; a test program ends with the number of failures.
#pragma once

#include <cstdio>

inline int g_failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, __func__, #condition); \
      ++g_failures;                                                            \
    }                                                                          \
  } while (false)

inline int report() {
  std::printf("%d failures\n", g_failures);
  return g_failures == 0 ? 0 : 1;
}
