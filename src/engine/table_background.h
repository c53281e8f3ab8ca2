// What changes of tables leave to be done: filling new indexes, ordered views and
// expiry keys, ending streams, and erasing the data of what was dropped. All of
// it is in the catalog, too, so that it is taken up again when the database is
// opened.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "codec/key_codec.h"
#include "engine/backfill.h"
#include "engine/expiry_fill.h"
#include "engine/restore.h"
#include "engine/table_worker.h"
#include "engine/view_fill.h"
#include "storage/store.h"

namespace taula::engine {

class TableBackground {
 public:
  // Takes up what the catalog says is left.
  TableBackground(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock);
  ~TableBackground();
  TableBackground(const TableBackground&) = delete;
  TableBackground& operator=(const TableBackground&) = delete;

  void Fill(FillTask task);
  // Fills a table's ordered views. What it returns is ready when that is over,
  // also when it was stopped.
  std::future<void> FillViews(ViewFillTask task);
  // After the table's time to live was turned on or off.
  void SettleExpiries(ExpiryTask task);
  // Brings the items of a table that is being restored.
  void Restore(RestoreTask task);
  // Ends a stream that its table has left, once nobody can log to it any more.
  void EndStream(std::string table_id, codec::SpaceId stream_space);
  // Erases dropped spaces once nobody uses the table's versions of the time
  // before any more.
  void Erase(std::string table_id, std::vector<codec::SpaceId> spaces);
  void WaitUntilIdle();

 private:
  void EraseSpace(codec::SpaceId space, const std::stop_token& stop);

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const base::Clock& clock_;
  // Several, so that erasing does not wait for a large index to be filled.
  TableWorker filling_;
  TableWorker erasing_;
  TableWorker restoring_;
};

}  // namespace taula::engine
