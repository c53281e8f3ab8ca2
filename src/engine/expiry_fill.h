// Filling the expiry keys (expiry.h) of a table that had items before it got its
// time to live, while others write; and erasing them when it loses it.
//
// Filling goes like filling ordered views (view_fill.h), and is as exact. That
// it is under way is in the catalog, so it is done again after a crash.
#pragma once

#include <stop_token>
#include <string>

#include "catalog/catalog.h"
#include "storage/store.h"

namespace taula::engine {

struct ExpiryTask {
  std::string table_name;
  std::string table_id;
};

// Fills the expiry keys, or erases them when the table has no time to live any
// more. Tasks of one table must not run side by side. Returns early only when it
// is stopped.
void SettleExpiries(storage::Store& store, catalog::Catalog& catalog, const ExpiryTask& task,
                    const std::stop_token& stop);

}  // namespace taula::engine
