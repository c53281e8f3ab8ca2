// Writing one export: the table at a time, or what changed between two, as files
// in a bucket (buckets/export_files.h).
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "buckets/failure.h"
#include "catalog/catalog.h"
#include "catalog/export.h"
#include "engine/tables.h"
#include "storage/store.h"

namespace taula::engine {

struct ExportTotals {
  std::int64_t items = 0;
  std::int64_t billed_bytes = 0;
};

// From the start, over what an interrupted run has left. When it is stopped it
// returns a failure that is to be forgotten.
[[nodiscard]] buckets::Outcome<ExportTotals> RunExport(storage::Store& store, catalog::Catalog& catalog,
                                                       const Tables& tables, const base::Clock& clock,
                                                       const std::string& buckets, const catalog::Export& job,
                                                       const std::stop_token& stop);

}  // namespace taula::engine
