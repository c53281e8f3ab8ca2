// The embedded API, and RocksDB itself doing the same (embedded_pair.h).
// taula_embedded_ratio has their ratio without the noise between two runs.
#include <memory>

#include "embedded_pair.h"
#include "expect.h"

namespace taula::micro {
namespace {

EmbeddedPair& PairOf(Durability durability) {
  static const auto synced = std::make_unique<EmbeddedPair>(Durability::kSync);
  static const auto relaxed = std::make_unique<EmbeddedPair>(Durability::kRelaxed);
  return durability == Durability::kSync ? *synced : *relaxed;
}

using Operation = std::size_t (EmbeddedPair::*)(std::size_t number);

void Run(benchmark::State& state, Operation operation, Durability durability) {
  EmbeddedPair& pair = PairOf(durability);
  bool good = true;
  // Everything once, so that it is in the caches.
  for (std::size_t number = 0; number < EmbeddedPair::kItems; ++number) {
    good = pair.EmbeddedGet(number) > 0 && pair.RawGet(number) > 0 && good;
  }
  std::size_t number = 0;
  for (auto _ : state) {
    number = (number + 7919) % EmbeddedPair::kItems;
    good = (pair.*operation)(number) > 0 && good;
  }
  Expect(state, good, "an operation failed");
}

void Embedded(benchmark::State& state, Operation operation, Durability durability) {
  Run(state, operation, durability);
}
void RocksDb(benchmark::State& state, Operation operation, Durability durability) { Run(state, operation, durability); }

BENCHMARK_CAPTURE(Embedded, Get, &EmbeddedPair::EmbeddedGet, Durability::kSync);
BENCHMARK_CAPTURE(RocksDb, Get, &EmbeddedPair::RawGet, Durability::kSync);
BENCHMARK_CAPTURE(Embedded, Query20, &EmbeddedPair::EmbeddedQuery, Durability::kSync);
BENCHMARK_CAPTURE(RocksDb, Query20, &EmbeddedPair::RawQuery, Durability::kSync);
BENCHMARK_CAPTURE(Embedded, PutSynced, &EmbeddedPair::EmbeddedPut, Durability::kSync)->UseRealTime();
BENCHMARK_CAPTURE(RocksDb, PutSynced, &EmbeddedPair::RawPut, Durability::kSync)->UseRealTime();
BENCHMARK_CAPTURE(Embedded, PutRelaxed, &EmbeddedPair::EmbeddedPut, Durability::kRelaxed)->UseRealTime();
BENCHMARK_CAPTURE(RocksDb, PutRelaxed, &EmbeddedPair::RawPut, Durability::kRelaxed)->UseRealTime();
BENCHMARK_CAPTURE(Embedded, UpdateSynced, &EmbeddedPair::EmbeddedUpdate, Durability::kSync)->UseRealTime();
BENCHMARK_CAPTURE(RocksDb, UpdateSynced, &EmbeddedPair::RawUpdate, Durability::kSync)->UseRealTime();
BENCHMARK_CAPTURE(Embedded, UpdateRelaxed, &EmbeddedPair::EmbeddedUpdate, Durability::kRelaxed)->UseRealTime();
BENCHMARK_CAPTURE(RocksDb, UpdateRelaxed, &EmbeddedPair::RawUpdate, Durability::kRelaxed)->UseRealTime();

}  // namespace
}  // namespace taula::micro
