#include "engine/table_background.h"

#include <memory>
#include <utility>

#include "base/log.h"
#include "engine/claims.h"
#include "engine/ordered_views.h"
#include "engine/retry.h"
#include "engine/statistics.h"

namespace taula::engine {

TableBackground::TableBackground(storage::Store& store, catalog::Catalog& catalog) : store_(store), catalog_(catalog) {
  if (auto dropped = catalog_.Dropped(); !dropped) {
    base::Log(base::LogLevel::kWarning, "{}; their data stays until the next start", dropped.error().message);
  } else if (!dropped->empty()) {
    Erase("", *std::move(dropped));
  }
  for (const catalog::TablePtr& table : catalog_.All()) {
    for (const catalog::Index& index : table->indexes) {
      if (index.status == IndexStatus::kCreating) Fill({table->name, table->id, index.space});
    }
    if (table->range_queries == IndexStatus::kCreating) FillViews({table->name, table->id});
  }
}

// Erasing may wait for what filling holds, so both are told before either is
// waited for.
TableBackground::~TableBackground() {
  filling_.RequestStop();
  erasing_.RequestStop();
}

void TableBackground::Fill(FillTask task) {
  filling_.Do(
      [this, task = std::move(task)](std::stop_token stop) { FillIndex(store_, catalog_, task, std::move(stop)); });
}

std::future<void> TableBackground::FillViews(ViewFillTask task) {
  auto over = std::make_shared<std::promise<void>>();
  std::future<void> future = over->get_future();
  filling_.Do([this, task = std::move(task), over = std::move(over)](std::stop_token stop) {
    engine::FillViews(store_, catalog_, task, std::move(stop));
    over->set_value();
  });
  return future;
}

void TableBackground::Erase(std::string table_id, std::vector<codec::SpaceId> spaces) {
  erasing_.Do([this, table_id = std::move(table_id), spaces = std::move(spaces)](const std::stop_token& stop) {
    if (!catalog_.WaitForReaders(table_id, stop)) return;
    for (const codec::SpaceId space : spaces) EraseSpace(space, stop);
  });
}

void TableBackground::EraseSpace(codec::SpaceId space, const std::stop_token& stop) {
  Retry retry("Erasing the data of a dropped table", stop);
  while (!stop.stop_requested()) {
    bool erased = true;
    for (const storage::Range& range : {codec::SpaceRange(space), ViewsRange(space), StatisticsRange(space),
                                        CollectionRange(space), ClaimRange(space)}) {
      erased = erased && store_.EraseRange(range) == storage::Status::kOk;
    }
    if (erased && catalog_.ForgetDropped(space)) {
      retry.Worked();
      return;
    }
    retry.Wait("the store cannot be written");
  }
}

void TableBackground::WaitUntilIdle() {
  filling_.WaitUntilIdle();
  erasing_.WaitUntilIdle();
}

}  // namespace taula::engine
