// What changes of tables leave to be done: filling new indexes and ordered
// views, and erasing the data of what was dropped. All of it is in the catalog, too, so that it is
// taken up again when the database is opened.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "codec/key_codec.h"
#include "engine/backfill.h"
#include "engine/table_worker.h"
#include "engine/view_fill.h"
#include "storage/store.h"

namespace taula::engine {

class TableBackground {
 public:
  // Takes up what the catalog says is left.
  TableBackground(storage::Store& store, catalog::Catalog& catalog);
  ~TableBackground();
  TableBackground(const TableBackground&) = delete;
  TableBackground& operator=(const TableBackground&) = delete;

  void Fill(FillTask task);
  // Fills a table's ordered views. What it returns is ready when that is over,
  // also when it was stopped.
  std::future<void> FillViews(ViewFillTask task);
  // Erases dropped spaces once nobody uses the table's versions of the time
  // before any more.
  void Erase(std::string table_id, std::vector<codec::SpaceId> spaces);
  void WaitUntilIdle();

 private:
  void EraseSpace(codec::SpaceId space, const std::stop_token& stop);

  storage::Store& store_;
  catalog::Catalog& catalog_;
  // Two, so that erasing does not wait for a large index to be filled.
  TableWorker filling_;
  TableWorker erasing_;
};

}  // namespace taula::engine
