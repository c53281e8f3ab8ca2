#include "engine/backfill.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "catalog/catalog.h"
#include "codec/stored_item.h"
#include "engine/index_entries.h"
#include "engine/statistics.h"
#include "engine/tables.h"
#include "engine/write.h"
#include "storage/forwarding_store_testing.h"
#include "storage/memory/memory_store.h"

namespace taula::engine {
namespace {

CreateTableRequest Orders() {
  CreateTableRequest request;
  request.table_name = "orders";
  request.attribute_definitions = {{"pk", Type::kString}};
  request.key_schema = {{"pk", KeyType::kHash}};
  request.billing_mode = BillingMode::kPayPerRequest;
  return request;
}

UpdateTableRequest AddIndex(std::string name, Projection projection = {}) {
  UpdateTableRequest request;
  request.table_name = "orders";
  request.attribute_definitions = {{"status", Type::kString}};
  IndexDefinition index;
  index.name = std::move(name);
  index.key_schema = {{"status", KeyType::kHash}};
  index.projection = std::move(projection);
  request.global_index_updates = {CreateGlobalIndex{index}};
  return request;
}

// A store whose snapshots cannot read the counters for a while.
class UnreadableCounters final : public storage::ForwardingStore {
 public:
  explicit UnreadableCounters(std::unique_ptr<storage::Store> store) : ForwardingStore(std::move(store)) {}

  void FailReads(int count) { failures_ = count; }
  [[nodiscard]] int failures_left() const { return failures_; }

  [[nodiscard]] std::unique_ptr<storage::Reader> Snapshot() const override {
    return std::make_unique<Reader>(failures_, store().Snapshot());
  }

 private:
  class Reader final : public storage::Reader {
   public:
    Reader(std::atomic<int>& failures, std::unique_ptr<storage::Reader> reader)
        : failures_(failures), reader_(std::move(reader)) {}
    storage::Status Get(std::string_view key, base::FunctionRef<void(std::string_view)> found) const override {
      if (failures_ > 0 && --failures_ >= 0) return storage::Status::kUnavailable;
      return reader_->Get(key, found);
    }
    storage::Status Scan(const storage::Range& range, const storage::ScanOptions& options,
                         base::FunctionRef<bool(std::string_view, std::string_view)> visit) const override {
      return reader_->Scan(range, options, visit);
    }

   private:
    std::atomic<int>& failures_;
    std::unique_ptr<storage::Reader> reader_;
  };

  mutable std::atomic<int> failures_ = 0;
};

class Backfill : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(tables_->Create(Orders()).has_value()); }

  void Reopen() {
    tables_.reset();
    catalog_ = *catalog::Catalog::Load(*store_);
    tables_ = std::make_unique<Tables>(*store_, *catalog_, "us-east-1", "1");
  }

  void Write(WriteKind kind, Item item) { WriteWith(catalog_->Find("orders"), kind, std::move(item)); }

  void WriteWith(catalog::TablePtr table, WriteKind kind, Item item) {
    WriteAction action;
    action.kind = kind;
    action.table = std::move(table);
    action.item = std::move(item);
    std::atomic<bool> done = false;
    WriteItem(*store_, base::Clock::System(), std::move(action), [&](Result<WriteOutcome> outcome) {
      EXPECT_TRUE(outcome.has_value());
      done = true;
      done.notify_one();
    });
    done.wait(false);
  }

  void Put(const std::string& pk, const std::string& status) {
    Write(WriteKind::kPut, Item({{"pk", pk}, {"status", status}, {"more", "text of " + pk}}));
  }

  // The index has exactly the entries of the table's items, and its counters
  // say so.
  void ExpectExact(const std::string& index_name) {
    const catalog::TablePtr table = catalog_->Find("orders");
    const catalog::Index* const index = table->FindIndex(index_name);
    ASSERT_NE(index, nullptr);
    EXPECT_EQ(index->status, IndexStatus::kActive);

    std::map<std::string, std::string> expected;
    std::int64_t bytes = 0;
    ASSERT_EQ(store_->Scan(codec::SpaceRange(table->space), {},
                           [&](std::string_view, std::string_view stored) {
                             const ValueView item = codec::StoredItemValue(stored);
                             const auto key = IndexStoreKey(*table, *index, item);
                             if (!key) return true;
                             std::string entry;
                             const std::string projected = ProjectItem(*table, *index, item);
                             codec::AppendStoredItem(entry, ValueView(projected.data()));
                             bytes += codec::StoredItemSize(entry);
                             expected.emplace(*key, std::move(entry));
                             return true;
                           }),
              storage::Status::kOk);
    std::map<std::string, std::string> found;
    ASSERT_EQ(store_->Scan(codec::SpaceRange(index->space), {},
                           [&](std::string_view key, std::string_view stored) {
                             found.emplace(key, stored);
                             return true;
                           }),
              storage::Status::kOk);
    EXPECT_EQ(found.size(), expected.size());
    EXPECT_TRUE(found == expected);
    const SpaceStatistics statistics = ReadStatistics(*store_, index->space);
    EXPECT_EQ(statistics.items, static_cast<std::int64_t>(expected.size()));
    EXPECT_EQ(statistics.bytes, bytes);
  }

  std::unique_ptr<UnreadableCounters> store_ = std::make_unique<UnreadableCounters>(storage::MakeMemoryStore());
  std::unique_ptr<catalog::Catalog> catalog_ = *catalog::Catalog::Load(*store_);
  std::unique_ptr<Tables> tables_ = std::make_unique<Tables>(*store_, *catalog_, "us-east-1", "1");
};

TEST_F(Backfill, GivesEveryItemItsEntry) {
  for (int i = 0; i < 1000; ++i) Put("order-" + std::to_string(i), i % 2 == 0 ? "open" : "closed");
  const auto updated = tables_->Update(AddIndex("byStatus"));
  ASSERT_TRUE(updated.has_value()) << updated.error().message;
  EXPECT_EQ(updated->global_indexes.at(0).status, IndexStatus::kCreating);
  tables_->WaitForBackgroundWork();
  ExpectExact("byStatus");
  EXPECT_EQ(tables_->Describe("orders")->global_indexes.at(0).item_count, 1000);
}

TEST_F(Backfill, KeepsOnlyWhatTheIndexProjects) {
  for (int i = 0; i < 10; ++i) Put(std::to_string(i), "open");
  ASSERT_TRUE(tables_->Update(AddIndex("keys", {ProjectionType::kKeysOnly, {}})).has_value());
  tables_->WaitForBackgroundWork();
  ExpectExact("keys");
}

TEST_F(Backfill, OfATableWithoutItemsIsActiveSoon) {
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  tables_->WaitForBackgroundWork();
  ExpectExact("byStatus");
}

TEST_F(Backfill, LeavesOutItemsWithoutTheKeyOrWithOneOfAnotherType) {
  Put("with", "open");
  Write(WriteKind::kPut, Item({{"pk", "without"}}));
  Write(WriteKind::kPut, Item({{"pk", "number"}, {"status", 7}}));
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  tables_->WaitForBackgroundWork();
  ExpectExact("byStatus");
  EXPECT_EQ(tables_->Describe("orders")->global_indexes.at(0).item_count, 1);
  // The counters stay right when such an item is replaced.
  Put("number", "open");
  ExpectExact("byStatus");
}

TEST_F(Backfill, IsExactUnderConcurrentWrites) {
  constexpr int kItems = 3000;
  for (int i = 0; i < kItems; ++i) Put(std::to_string(i), "before");
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    writers.emplace_back([&, seed] {
      std::mt19937 random(seed);
      while (!stop) {
        const std::string pk = std::to_string(random() % (kItems + 500));
        switch (random() % 4) {
          case 0:
            Write(WriteKind::kDelete, Item({{"pk", pk}}));
            break;
          case 1:
            Write(WriteKind::kPut, Item({{"pk", pk}, {"sparse", static_cast<std::int64_t>(random())}}));
            break;
          default:
            Put(pk, "state-" + std::to_string(random() % 5));
        }
      }
    });
  }
  for (int round = 0; round < 3; ++round) {
    const std::string name = "index" + std::to_string(round);
    ASSERT_TRUE(tables_->Update(AddIndex(name)).has_value());
    tables_->WaitForBackgroundWork();
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  for (int round = 0; round < 3; ++round) ExpectExact("index" + std::to_string(round));
}

// A write that began before the index was known holds the version of that time.
TEST_F(Backfill, RemovesEntriesThatWritesFromBeforeItLeftBehind) {
  Put("a", "open");
  Put("b", "open");
  catalog::TablePtr before = catalog_->Find("orders");
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  Put("a", "moved");  // knows the index, and makes an entry
  Put("c", "open");
  WriteWith(before, WriteKind::kDelete, Item({{"pk", "a"}}));
  WriteWith(before, WriteKind::kPut, Item({{"pk", "c"}, {"status", "closed"}}));
  WriteWith(before, WriteKind::kPut, Item({{"pk", "d"}, {"status", "closed"}}));
  EXPECT_EQ(catalog_->Find("orders")->indexes.at(0).status, IndexStatus::kCreating);
  before.reset();
  tables_->WaitForBackgroundWork();
  ExpectExact("byStatus");
  EXPECT_EQ(tables_->Describe("orders")->global_indexes.at(0).item_count, 3);
}

TEST_F(Backfill, IsTakenUpAgainWhenTheDatabaseIsOpened) {
  for (int i = 0; i < 600; ++i) Put(std::to_string(i), "open");
  catalog::TablePtr before = catalog_->Find("orders");
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  Put("1", "closed");
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    before.reset();
  });
  Reopen();
  release.join();
  tables_->WaitForBackgroundWork();
  ExpectExact("byStatus");
}

TEST_F(Backfill, DoneTwiceCountsOnce) {
  for (int i = 0; i < 600; ++i) Put(std::to_string(i), "open");
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  tables_->WaitForBackgroundWork();
  // As after a crash between the last step and publishing.
  ASSERT_TRUE(catalog_
                  ->Change("orders",
                           [](catalog::Table& table) {
                             table.indexes.at(0).status = IndexStatus::kCreating;
                             return Result<void>();
                           })
                  .has_value());
  Reopen();
  tables_->WaitForBackgroundWork();
  ExpectExact("byStatus");
}

TEST_F(Backfill, CountsRightAlsoWhenTheCountersCouldNotBeRead) {
  catalog::TablePtr before = catalog_->Find("orders");
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  for (int i = 0; i < 10; ++i) Put(std::to_string(i), "open");  // each counts in the index already
  store_->FailReads(3);
  before.reset();
  tables_->WaitForBackgroundWork();
  EXPECT_EQ(store_->failures_left(), 0);
  ExpectExact("byStatus");
}

TEST_F(Backfill, StopsAlsoWhileSomeoneHoldsATableThatIsGone) {
  const catalog::TablePtr before = catalog_->Find("orders");
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  CreateTableRequest other = Orders();
  other.table_name = "other";
  ASSERT_TRUE(tables_->Create(other).has_value());
  const catalog::TablePtr gone = catalog_->Find("other");
  ASSERT_TRUE(tables_->Delete("other").has_value());
  tables_.reset();
  EXPECT_EQ(catalog_->Dropped()->size(), 1U) << "it is left for the next start";
}

TEST_F(Backfill, EndsWhenTheIndexIsDeletedMeanwhile) {
  for (int i = 0; i < 2000; ++i) Put(std::to_string(i), "open");
  catalog::TablePtr held = catalog_->Find("orders");
  ASSERT_TRUE(tables_->Update(AddIndex("byStatus")).has_value());
  const codec::SpaceId space = catalog_->Find("orders")->indexes.at(0).space;
  UpdateTableRequest removal;
  removal.table_name = "orders";
  removal.global_index_updates = {DeleteGlobalIndex{"byStatus"}};
  const auto removed = tables_->Update(removal);
  ASSERT_TRUE(removed.has_value()) << removed.error().message;
  EXPECT_EQ(removed->global_indexes.at(0).status, IndexStatus::kDeleting);
  held.reset();
  tables_->WaitForBackgroundWork();
  int left = 0;
  for (const storage::Range& range : {codec::SpaceRange(space), StatisticsRange(space)}) {
    ASSERT_EQ(store_->Scan(range, {},
                           [&](std::string_view, std::string_view) {
                             ++left;
                             return true;
                           }),
              storage::Status::kOk);
  }
  EXPECT_EQ(left, 0);
  EXPECT_TRUE(catalog_->Dropped()->empty());
}

}  // namespace
}  // namespace taula::engine
