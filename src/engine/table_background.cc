#include "engine/table_background.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/log.h"
#include "engine/statistics.h"

namespace taula::engine {

namespace {

constexpr std::chrono::milliseconds kRetryPause(200);

}  // namespace

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
  }
}

void TableBackground::Fill(FillTask task) {
  filling_.Do(
      [this, task = std::move(task)](std::stop_token stop) { FillIndex(store_, catalog_, task, std::move(stop)); });
}

void TableBackground::Erase(std::string table_id, std::vector<codec::SpaceId> spaces) {
  erasing_.Do([this, table_id = std::move(table_id), spaces = std::move(spaces)](const std::stop_token& stop) {
    catalog_.WaitForReaders(table_id);
    for (const codec::SpaceId space : spaces) EraseSpace(space, stop);
  });
}

void TableBackground::EraseSpace(codec::SpaceId space, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    bool erased = true;
    for (const storage::Range& range : {codec::SpaceRange(space), StatisticsRange(space), CollectionRange(space)}) {
      erased = erased && store_.EraseRange(range) == storage::Status::kOk;
    }
    if (erased && catalog_.ForgetDropped(space)) return;
    base::Log(base::LogLevel::kWarning, "The data of a dropped table cannot be erased yet; trying again");
    std::this_thread::sleep_for(kRetryPause);
  }
}

void TableBackground::WaitUntilIdle() {
  filling_.WaitUntilIdle();
  erasing_.WaitUntilIdle();
}

}  // namespace taula::engine
