// Bringing the items of a backup, or of a table as it was, into a new table.
#pragma once

#include <stop_token>
#include <string>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "storage/store.h"

namespace taula::engine {

struct RestoreTask {
  std::string table_name;  // the new one's
  std::string table_id;
};

// Does what the table's record says (catalog::Restore) and makes it ACTIVE; from
// the start when it was interrupted. A table whose source is gone is removed.
// Returns early only when it is stopped.
void RestoreItems(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock, const RestoreTask& task,
                  const std::stop_token& stop);

}  // namespace taula::engine
