// Carrying out one import: making the table, and bringing in the items that the
// files of a bucket have.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "buckets/failure.h"
#include "catalog/catalog.h"
#include "catalog/import.h"
#include "storage/store.h"

namespace taula::engine {

// How far it is; may be looked at from any thread.
struct ImportProgress {
  std::atomic<std::int64_t> processed_bytes{0};
  std::atomic<std::int64_t> processed_items{0};
  std::atomic<std::int64_t> errors{0};

  [[nodiscard]] catalog::ImportCounts counts() const {
    const std::int64_t items = processed_items;
    const std::int64_t wrong = errors;
    return {
        .processed_bytes = processed_bytes, .processed_items = items, .imported_items = items - wrong, .errors = wrong};
  }
};

struct ImportPlace {
  const std::string& buckets;  // the folder
  const std::string& account;
  std::string arn;
};

// From the start, over what an interrupted run has left. The table is CREATING and
// has all good items when it returns true; bad ones are counted, and written to
// the log. False when it was stopped. Fails when the source cannot be read or the
// table cannot be made; there is no table then.
[[nodiscard]] buckets::Outcome<bool> RunImport(storage::Store& store, catalog::Catalog& catalog,
                                               const base::Clock& clock, const ImportPlace& place,
                                               const catalog::Import& job, ImportProgress& progress,
                                               const std::stop_token& stop);

}  // namespace taula::engine
