// A benchmark of something that does the wrong thing measures nothing.
#pragma once

#include <benchmark/benchmark.h>

namespace taula::micro {

// Ends the benchmark with an error when the result of its last round is wrong.
inline void Expect(benchmark::State& state, bool right, const char* what) {
  if (!right) state.SkipWithError(what);
}

}  // namespace taula::micro
