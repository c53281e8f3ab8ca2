#include "engine/table_background.h"

#include <memory>
#include <utility>

#include "base/log.h"
#include "engine/begun_table.h"
#include "engine/retry.h"

namespace taula::engine {

TableBackground::TableBackground(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock)
    : store_(store), catalog_(catalog), clock_(clock) {
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
    if (table->time_to_live && table->time_to_live->filling) SettleExpiries({table->name, table->id});
    if (table->restore && table->restore->in_progress) Restore({table->name, table->id});
  }
  for (const catalog::StreamPtr& stream : catalog_.Streams()) {
    const catalog::TablePtr table = catalog_.Find(stream->table_name);
    const bool is_left = table == nullptr || table->stream_space != stream->space;
    if (is_left && !stream->end) EndStream(stream->table_id, stream->space);
  }
}

// Erasing may wait for what the others hold, so all are told before any is
// waited for.
TableBackground::~TableBackground() {
  filling_.RequestStop();
  erasing_.RequestStop();
  restoring_.RequestStop();
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

void TableBackground::SettleExpiries(ExpiryTask task) {
  filling_.Do([this, task = std::move(task)](const std::stop_token& stop) {
    engine::SettleExpiries(store_, catalog_, task, stop);
  });
}

void TableBackground::Restore(RestoreTask task) {
  restoring_.Do([this, task = std::move(task)](const std::stop_token& stop) {
    RestoreItems(store_, catalog_, clock_, task, stop);
  });
}

void TableBackground::EndStream(std::string table_id, codec::SpaceId stream_space) {
  erasing_.Do([this, table_id = std::move(table_id), stream_space](const std::stop_token& stop) {
    if (!catalog_.WaitForReaders(table_id, stop)) return;
    Retry retry("Ending a stream", stop);
    while (!stop.stop_requested()) {
      const auto ended = catalog_.ChangeStream(stream_space, [this](catalog::Stream& stream) {
        stream.end = {.last_position = store_.LastPosition(), .ended_ms = clock_.NowMs()};
      });
      if (ended) return;
      retry.Wait(ended.error().message);
    }
  });
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
    if (EraseAllOf(store_, space) && catalog_.ForgetDropped(space)) {
      retry.Worked();
      return;
    }
    retry.Wait("the store cannot be written");
  }
}

void TableBackground::WaitUntilIdle() {
  filling_.WaitUntilIdle();
  erasing_.WaitUntilIdle();
  restoring_.WaitUntilIdle();
}

}  // namespace taula::engine
