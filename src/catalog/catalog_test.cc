#include "catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "storage/memory/memory_store.h"

namespace taula::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Table Simple(std::string name, codec::SpaceId space) {
  Table table;
  table.name = std::move(name);
  table.id = "id-of-" + table.name;
  table.space = space;
  table.attribute_definitions = {{"pk", Type::kString}};
  table.key.partition = {{"pk", Type::kString}};
  return table;
}

Index Global(std::string name, codec::SpaceId space) {
  Index index;
  index.name = std::move(name);
  index.space = space;
  index.key.partition = {{"g", Type::kNumber}};
  return index;
}

class CatalogTest : public testing::Test {
 protected:
  std::unique_ptr<Catalog> Load() {
    auto loaded = Catalog::Load(*store_);
    EXPECT_TRUE(loaded.has_value());
    return std::move(*loaded);
  }

  std::unique_ptr<storage::Store> store_ = storage::MakeMemoryStore();
  std::unique_ptr<Catalog> catalog_ = Load();
};

TEST_F(CatalogTest, StartsEmpty) {
  EXPECT_EQ(catalog_->Find("any"), nullptr);
  EXPECT_THAT(catalog_->Names("", 100), IsEmpty());
  EXPECT_THAT(*catalog_->Dropped(), IsEmpty());
}

TEST_F(CatalogTest, FindsWhatWasAdded) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  ASSERT_NE(catalog_->Find("orders"), nullptr);
  EXPECT_EQ(catalog_->Find("orders")->space, 1u);
  EXPECT_EQ(catalog_->Find("order"), nullptr);
}

TEST_F(CatalogTest, RefusesATakenName) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  const auto again = catalog_->Add(Simple("orders", 2));
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kResourceInUseException);
  EXPECT_EQ(again.error().message, "Table already exists: orders");
  EXPECT_EQ(catalog_->Find("orders")->space, 1u);
}

TEST_F(CatalogTest, ListsNamesInByteOrderBehindAName) {
  for (const char* name : {"beta", "Zeta", "alpha", "gamma"}) ASSERT_TRUE(catalog_->Add(Simple(name, 1)).has_value());
  EXPECT_THAT(catalog_->Names("", 100), ElementsAre("Zeta", "alpha", "beta", "gamma"));
  EXPECT_THAT(catalog_->Names("alpha", 1), ElementsAre("beta"));
  EXPECT_THAT(catalog_->Names("alphabet", 100), ElementsAre("beta", "gamma"));
}

TEST_F(CatalogTest, GivesEachSpaceOnceEvenAfterReopening) {
  EXPECT_EQ(*catalog_->NewSpaces(3), 1u);
  EXPECT_EQ(*catalog_->NewSpaces(1), 4u);
  catalog_ = Load();
  EXPECT_EQ(*catalog_->NewSpaces(1), 5u);
}

TEST_F(CatalogTest, KeepsTablesAcrossReopening) {
  ASSERT_TRUE(catalog_->Add(Simple("kept", 1)).has_value());
  ASSERT_TRUE(catalog_->Add(Simple("removed", 2)).has_value());
  ASSERT_TRUE(catalog_->Remove("removed", [](const Table&) { return Result<void>(); }).has_value());
  catalog_ = Load();
  EXPECT_THAT(catalog_->Names("", 100), ElementsAre("kept"));
}

TEST_F(CatalogTest, RefusesToOpenWithADamagedRecord) {
  storage::MutateAndWait(*store_, {}, [](auto, storage::Batch& batch) {
    batch.Put("Ctbroken", Item({{"name", "broken"}}).encoded());
    return true;
  });
  const auto loaded = Catalog::Load(*store_);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().message, "The record of table broken is damaged");
}

TEST_F(CatalogTest, ChangeMakesANewVersionAndLeavesTheOldOneAlone) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  const TablePtr before = catalog_->Find("orders");
  const auto changed = catalog_->Change("orders", [](Table& table) {
    table.deletion_protection = true;
    return Result<void>();
  });
  ASSERT_TRUE(changed.has_value());
  EXPECT_FALSE(before->deletion_protection);
  EXPECT_TRUE(catalog_->Find("orders")->deletion_protection);
  EXPECT_TRUE(Load()->Find("orders")->deletion_protection);
}

TEST_F(CatalogTest, AChangeThatRefusesLeavesTheTableAlone) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  const auto changed = catalog_->Change("orders", [](Table& table) -> Result<void> {
    table.deletion_protection = true;
    return ValidationError("no");
  });
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().message, "no");
  EXPECT_FALSE(catalog_->Find("orders")->deletion_protection);
}

TEST_F(CatalogTest, ChangingOrRemovingWhatIsNotThereIsNotFound) {
  const auto changed = catalog_->Change("none", [](Table&) { return Result<void>(); });
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().code, ErrorCode::kResourceNotFoundException);
  EXPECT_EQ(changed.error().message, "Requested resource not found: Table: none not found");
  const auto removed = catalog_->Remove("none", [](const Table&) { return Result<void>(); });
  ASSERT_FALSE(removed.has_value());
  EXPECT_EQ(removed.error().code, ErrorCode::kResourceNotFoundException);
}

TEST_F(CatalogTest, RemembersTheSpacesOfARemovedTableUntilForgotten) {
  Table table = Simple("orders", 7);
  table.indexes = {Global("first", 8), Global("second", 9)};
  ASSERT_TRUE(catalog_->Add(std::move(table)).has_value());
  ASSERT_TRUE(catalog_->Remove("orders", [](const Table&) { return Result<void>(); }).has_value());
  catalog_ = Load();
  EXPECT_THAT(*catalog_->Dropped(), UnorderedElementsAre(7, 8, 9));
  ASSERT_TRUE(catalog_->ForgetDropped(8).has_value());
  EXPECT_THAT(*catalog_->Dropped(), UnorderedElementsAre(7, 9));
}

TEST_F(CatalogTest, RemembersTheSpaceOfADroppedIndexOnly) {
  Table table = Simple("orders", 7);
  table.indexes = {Global("first", 8), Global("second", 9)};
  ASSERT_TRUE(catalog_->Add(std::move(table)).has_value());
  ASSERT_TRUE(catalog_
                  ->Change("orders",
                           [](Table& edited) {
                             edited.indexes.erase(edited.indexes.begin());
                             return Result<void>();
                           })
                  .has_value());
  EXPECT_THAT(*catalog_->Dropped(), ElementsAre(8));
}

TEST_F(CatalogTest, WaitsForTheReadersOfReplacedVersionsOnly) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  TablePtr old_version = catalog_->Find("orders");
  ASSERT_TRUE(catalog_->Change("orders", [](Table&) { return Result<void>(); }).has_value());
  const TablePtr current = catalog_->Find("orders");

  std::atomic<bool> released = false;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    released = true;
    old_version.reset();
  });
  EXPECT_TRUE(catalog_->WaitForReaders("id-of-orders"));
  EXPECT_TRUE(released);
  reader.join();
  EXPECT_TRUE(catalog_->WaitForReaders("id-of-orders"));
  EXPECT_TRUE(catalog_->WaitForReaders("id-of-another"));
}

TEST_F(CatalogTest, WaitsForTheReadersOfARemovedTable) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  TablePtr held = catalog_->Find("orders");
  ASSERT_TRUE(catalog_->Remove("orders", [](const Table&) { return Result<void>(); }).has_value());
  std::atomic<bool> released = false;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    released = true;
    held.reset();
  });
  EXPECT_TRUE(catalog_->WaitForReaders("id-of-orders"));
  EXPECT_TRUE(released);
  reader.join();
}

TEST_F(CatalogTest, WaitsForReadersNoLongerThanItIsToldTo) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  const TablePtr held = catalog_->Find("orders");
  ASSERT_TRUE(catalog_->Remove("orders", [](const Table&) { return Result<void>(); }).has_value());
  std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_FALSE(catalog_->WaitForReaders("id-of-orders", stop.get_token()));
  stopper.join();
}

TEST_F(CatalogTest, FindSeesWholeVersionsWhileTheyChange) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  std::atomic<bool> stop = false;
  std::atomic<int> torn = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const TablePtr table = catalog_->Find("orders");
        if (table == nullptr || table->tags.size() != static_cast<std::size_t>(table->created_ms)) ++torn;
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(catalog_
                    ->Change("orders",
                             [](Table& table) {
                               table.tags.push_back({"k", "v"});
                               table.created_ms++;
                               return Result<void>();
                             })
                    .has_value());
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(catalog_->Find("orders")->tags.size(), 50u);
}

TEST_F(CatalogTest, ConcurrentChangesAreNotLost) {
  ASSERT_TRUE(catalog_->Add(Simple("orders", 1)).has_value());
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int n = 0; n < 25; ++n) {
        EXPECT_TRUE(catalog_
                        ->Change("orders",
                                 [](Table& table) {
                                   table.created_ms++;
                                   return Result<void>();
                                 })
                        .has_value());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(catalog_->Find("orders")->created_ms, 100);
}

}  // namespace
}  // namespace taula::catalog
