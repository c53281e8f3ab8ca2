// Filling the ordered views (ordered_views.h) of a table that already has items,
// while others write.
//
// It goes like filling an index (backfill.h), and is as exact: from the moment
// that the catalog says kCreating writes keep the views; when no write of the
// time before is under way any more a snapshot is taken, what is wrong in its
// views is deleted and what its items need is put, both by the items as they are
// by then; at last the catalog says kActive. An index that is made meanwhile
// takes care of its own views while it is filled.
#pragma once

#include <stop_token>
#include <string>

#include "catalog/catalog.h"
#include "storage/store.h"

namespace taula::engine {

struct ViewFillTask {
  std::string table_name;
  std::string table_id;
};

// Fills all views of a table, unless it is gone by then or they are complete.
// Returns early only when it is stopped.
void FillViews(storage::Store& store, catalog::Catalog& catalog, const ViewFillTask& task, std::stop_token stop);

}  // namespace taula::engine
