// A database in memory with a clock that tests turn, and one table in it.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "engine/engine.h"
#include "storage/memory/memory_store.h"

namespace taula::engine {

class EngineTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kStartMs = 1'790'000'000'000;
  static constexpr std::string_view kTable = "orders";

  explicit EngineTest(EngineOptions options = {}) {
    // Nothing happens by itself.
    options.clock = &clock_;
    options.expiry_interval = {};
    auto opened = Engine::Open(storage::MakeMemoryStore(), options);
    EXPECT_TRUE(opened) << opened.error().message;
    engine_ = *std::move(opened);
  }

  // Keys PK and SK, and "byStatus", a global index on status.
  void CreateTable(std::optional<StreamViewType> stream = std::nullopt) {
    CreateTableRequest request;
    request.table_name = kTable;
    request.attribute_definitions = {{"PK", Type::kString}, {"SK", Type::kString}, {"status", Type::kString}};
    request.key_schema = {{"PK", KeyType::kHash}, {"SK", KeyType::kRange}};
    IndexDefinition index;
    index.name = "byStatus";
    index.key_schema = {{"status", KeyType::kHash}};
    index.projection = {.type = ProjectionType::kAll, .non_key_attributes = {}};
    request.global_indexes = {index};
    request.billing_mode = BillingMode::kPayPerRequest;
    if (stream) request.stream = {true, *stream};
    const auto created = engine_->tables().Create(request);
    ASSERT_TRUE(created) << created.error().message;
  }

  Result<WriteOutcome> Write(WriteKind kind, Item item) {
    WriteAction action;
    action.kind = kind;
    action.table = engine_->FindTable(kTable);
    action.item = std::move(item);
    std::promise<Result<WriteOutcome>> promise;
    engine_->Write(std::move(action), [&](Result<WriteOutcome> outcome) { promise.set_value(std::move(outcome)); });
    return promise.get_future().get();
  }
  void Put(Item item) {
    const auto written = Write(WriteKind::kPut, std::move(item));
    ASSERT_TRUE(written) << written.error().message;
  }
  void Delete(Item key) {
    const auto written = Write(WriteKind::kDelete, std::move(key));
    ASSERT_TRUE(written) << written.error().message;
  }

  base::ManualClock clock_{kStartMs};
  std::unique_ptr<Engine> engine_;
};

}  // namespace taula::engine
