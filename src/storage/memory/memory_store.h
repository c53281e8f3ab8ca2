// The store that keeps everything in memory and nothing beyond the process:
// for tests, CI and `--memory`.
//
// The state is one copy-on-write tree (memory/tree.h). A snapshot or a scan
// takes a copy of it, which costs one counted reference, and then needs no
// lock; a point read holds a lock of its own thread for one descent; a batch
// is applied while nobody else looks, with its entries made beforehand.
// Mutations over different keys decide side by side.
//
// Chosen over RocksDB on an in-memory environment, which was measured: several
// times slower in reads and in writes, with a copy of each value in its files
// and another in its cache, and with compactions in the background.
#pragma once

#include <memory>

#include "storage/store.h"

namespace taula::storage {

// Its mutations are never in flight once others can see their keys, so they
// wait for each other and none ends with kConflict. ApproximateBytes counts
// what it is asked about, entry by entry.
[[nodiscard]] std::unique_ptr<Store> MakeMemoryStore();

}  // namespace taula::storage
