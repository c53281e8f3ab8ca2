#include "transfer/bulk_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "transfer/fake_table.h"

namespace taula::transfer {
namespace {

using testing::HasSubstr;

const client::Patience kQuick = {.wait_ms_first = 1, .wait_ms_max = 4, .give_up_ms = 100};

BulkWriterOptions Options() { return {.table = "t", .key = {"k"}, .calls_in_flight = 4, .patience = kQuick}; }

TEST(BulkWriter, WritesEverything) {
  FakeTable table;
  BulkWriter writer(table.Call(), Options());
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(writer.Put(FakeTable::ItemOf(k, "x")));
  ASSERT_TRUE(writer.Flush());
  EXPECT_EQ(table.items.size(), 1000U);
  EXPECT_EQ(writer.written(), 1000U);
  EXPECT_EQ(writer.units(), 1000);
  EXPECT_LT(table.calls(), 500) << "in batches";
}

TEST(BulkWriter, KeepsTheOrderOfAnItemsWrites) {
  FakeTable table;
  BulkWriter writer(table.Call(), Options());
  for (int round = 0; round < 50; ++round) {
    for (int k = 0; k < 40; ++k) {
      ASSERT_TRUE(round % 3 == 1 ? writer.Delete(FakeTable::KeyOfNumber(k))
                                 : writer.Put(FakeTable::ItemOf(k, std::to_string(round))));
    }
    // Numbers have many forms, but are one key.
    ASSERT_TRUE(writer.Put(R"({"k":{"N":"1000.0"},"v":{"S":"early"}})"));
    ASSERT_TRUE(writer.Put(R"({"k":{"N":"1e3"},"v":{"S":"late"}})"));
  }
  ASSERT_TRUE(writer.Flush());
  ASSERT_EQ(table.items.size(), 1U) << "the last round deletes";
  EXPECT_THAT(table.items.begin()->second, HasSubstr("late"));
}

TEST(BulkWriter, WritesAgainWhatWasLeftUnprocessed) {
  FakeTable table;
  table.unprocessed = 7;
  BulkWriter writer(table.Call(), Options());
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(writer.Put(FakeTable::ItemOf(k, "x")));
  ASSERT_TRUE(writer.Flush());
  EXPECT_EQ(table.items.size(), 200U);
  EXPECT_EQ(writer.written(), 200U);
}

TEST(BulkWriter, TriesAgainWhenTheServerIsBusyOrAway) {
  FakeTable table;
  int failures = 12;
  table.failure = [&](std::string_view, const std::string&) -> std::optional<Error> {
    if (failures == 0) return std::nullopt;
    --failures;
    return Error{failures % 2 == 0 ? ErrorCode::kThrottlingException : ErrorCode::kServiceUnavailable, "", {}, {}};
  };
  BulkWriter writer(table.Call(), Options());
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(writer.Put(FakeTable::ItemOf(k, "x")));
  ASSERT_TRUE(writer.Flush());
  EXPECT_EQ(table.items.size(), 100U);
}

TEST(BulkWriter, EndsWithAnErrorThatDoesNotPass) {
  FakeTable table;
  table.failure = [](std::string_view, const std::string&) {
    return Error{ErrorCode::kResourceNotFoundException, "no table", std::nullopt, {}};
  };
  BulkWriter writer(table.Call(), Options());
  ASSERT_TRUE(writer.Put(FakeTable::ItemOf(1, "x")));
  const auto flushed = writer.Flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().message, "no table");
  const auto put = writer.Put(FakeTable::ItemOf(2, "x"));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().message, "no table");
}

TEST(BulkWriter, GivesUpOnAServerThatStaysAway) {
  FakeTable table;
  table.failure = [](std::string_view, const std::string&) {
    return Error{ErrorCode::kServiceUnavailable, "gone", std::nullopt, {}};
  };
  BulkWriter writer(table.Call(), Options());
  ASSERT_TRUE(writer.Put(FakeTable::ItemOf(1, "x")));
  const auto flushed = writer.Flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().message, "gone");
  EXPECT_GT(table.calls(), 2);
}

// A batch is refused as a whole for one of its items.
TEST(BulkWriter, GoesOnWithoutWhatTheServerRefuses) {
  FakeTable table;
  table.failure = [](std::string_view, const std::string& body) -> std::optional<Error> {
    if (body.find("bad") == std::string::npos) return std::nullopt;
    return Error{ErrorCode::kValidationException, "bad item", std::nullopt, {}};
  };
  std::mutex mutex;
  std::vector<std::string> refused;
  BulkWriterOptions options = Options();
  options.refused = [&](std::string_view request, const Error& error) {
    const std::lock_guard lock(mutex);
    EXPECT_THAT(error.message, testing::AnyOf("bad item", "An item has no key of its table's."));
    refused.emplace_back(request);
    return true;
  };
  BulkWriter writer(table.Call(), options);
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(writer.Put(FakeTable::ItemOf(k, k % 20 == 3 ? "bad" : "good")));
  ASSERT_TRUE(writer.Put(R"({"other":{"S":"x"}})"));
  ASSERT_TRUE(writer.Flush());
  EXPECT_EQ(table.items.size(), 57U);
  ASSERT_EQ(refused.size(), 4U);
  EXPECT_THAT(refused, testing::Contains(R"({"PutRequest":{"Item":{"other":{"S":"x"}}}})"));
}

TEST(BulkWriter, HoldsNoMoreThanItsShareOfMemory) {
  FakeTable table;
  std::atomic<bool> open = false;
  BulkWriterOptions options = Options();
  options.waiting_bytes_max = 10'000;
  BulkWriter writer(
      [&](std::string_view operation, const std::string& body) {
        while (!open) std::this_thread::yield();
        return table.Call()(operation, body);
      },
      options);
  std::atomic<int> handed = 0;
  std::thread producer([&] {
    for (int k = 0; k < 1000; ++k, ++handed) ASSERT_TRUE(writer.Put(FakeTable::ItemOf(k, std::string(100, 'x'))));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LT(handed, 300);
  open = true;
  producer.join();
  ASSERT_TRUE(writer.Flush());
  EXPECT_EQ(table.items.size(), 1000U);
}

TEST(BulkWriter, KeepsToItsRate) {
  FakeTable table;
  UnitRate rate(500);
  BulkWriterOptions options = Options();
  options.rate = &rate;
  BulkWriter writer(table.Call(), options);
  const std::int64_t begin_ms = base::SteadyMs();
  for (int k = 0; k < 400; ++k) ASSERT_TRUE(writer.Put(FakeTable::ItemOf(k, "x")));
  ASSERT_TRUE(writer.Flush());
  EXPECT_GT(base::SteadyMs() - begin_ms, 400) << "400 units, of which the last four batches may be a debt";
}

}  // namespace
}  // namespace taula::transfer
