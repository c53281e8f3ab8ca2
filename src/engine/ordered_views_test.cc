#include "engine/ordered_views.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "catalog/catalog.h"
#include "codec/stored_item.h"
#include "engine/index_entries.h"
#include "engine/page.h"
#include "engine/statistics.h"
#include "engine/tables.h"
#include "engine/transaction.h"
#include "engine/write.h"
#include "expression/parser.h"
#include "storage/memory/memory_store.h"

namespace taula::engine {
namespace {

IndexDefinition Definition(std::string name, std::vector<KeySchemaElement> key, Projection projection = {}) {
  IndexDefinition index;
  index.name = std::move(name);
  index.key_schema = std::move(key);
  index.projection = std::move(projection);
  return index;
}

// A local index, a global one that shares the table's sort key, one without a
// sort key, and one of several attributes.
CreateTableRequest Things() {
  using enum KeyType;
  CreateTableRequest request;
  request.table_name = "things";
  request.attribute_definitions = {{"pk", Type::kString}, {"sk", Type::kString}, {"a", Type::kNumber},
                                   {"b", Type::kBinary},  {"c", Type::kString},  {"d", Type::kNumber}};
  request.key_schema = {{"pk", kHash}, {"sk", kRange}};
  request.local_indexes = {Definition("local", {{"pk", kHash}, {"a", kRange}})};
  request.global_indexes = {Definition("byB", {{"b", kHash}, {"sk", kRange}}),
                            Definition("byC", {{"c", kHash}}, {.type = ProjectionType::kKeysOnly}),
                            Definition("many", {{"c", kHash}, {"d", kHash}, {"a", kRange}, {"b", kRange}})};
  request.billing_mode = BillingMode::kPayPerRequest;
  return request;
}

UpdateTableRequest AddIndex() {
  UpdateTableRequest request;
  request.table_name = "things";
  request.attribute_definitions = {{"c", Type::kString}, {"a", Type::kNumber}};
  request.global_index_updates = {
      CreateGlobalIndex{Definition("late", {{"c", KeyType::kHash}, {"a", KeyType::kRange}})}};
  return request;
}

UpdateTableRequest DeleteIndex(std::string name) {
  UpdateTableRequest request;
  request.table_name = "things";
  request.global_index_updates = {DeleteGlobalIndex{std::move(name)}};
  return request;
}

class OrderedViews : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(tables_->Create(Things()).has_value()); }

  void Reopen() {
    tables_.reset();
    catalog_ = *catalog::Catalog::Load(*store_);
    tables_ = std::make_unique<Tables>(*store_, *catalog_, "us-east-1", "1");
  }

  [[nodiscard]] catalog::TablePtr Table() const { return catalog_->Find("things"); }

  static WriteAction Action(catalog::TablePtr table, WriteKind kind, Item item) {
    WriteAction action;
    action.kind = kind;
    action.table = std::move(table);
    action.item = std::move(item);
    return action;
  }

  void Write(WriteAction action) {
    std::atomic<bool> done = false;
    WriteItem(*store_, base::Clock::System(), std::move(action), [&](Result<WriteOutcome> outcome) {
      EXPECT_TRUE(outcome.has_value());
      done = true;
      done.notify_one();
    });
    done.wait(false);
  }

  // Whether it was carried out, or stood in the way of another one.
  void Transact(std::vector<WriteAction> actions) {
    std::atomic<bool> done = false;
    Transaction transaction;
    transaction.actions = std::move(actions);
    WriteTransaction(*store_, std::move(transaction), 0, [&](Result<TransactionOutcome> outcome) {
      EXPECT_TRUE(outcome.has_value());
      done = true;
      done.notify_one();
    });
    done.wait(false);
  }

  static Item Key(int n) { return Item({{"pk", "p" + std::to_string(n % 7)}, {"sk", "s" + std::to_string(n)}}); }

  // Some attributes, so that items are in some indexes, and come and go.
  static Item RandomItem(int n, std::mt19937& random) {
    Item item = Key(n);
    const auto some = [&random](int values) { return static_cast<int>(random() % static_cast<unsigned>(values)); };
    if (some(4) != 0) item.Set("a", Value::Number(std::to_string(some(9) - 4)).value());
    if (some(4) != 0)
      item.Set("b", Value::Binary(
                        std::string(static_cast<std::size_t>(1 + some(2)), static_cast<char>(some(3) == 0 ? 0 : 255))));
    if (some(4) != 0) item.Set("c", Value(some(2) == 0 ? std::string("c") : std::string("c\0d", 3)));
    if (some(4) != 0) item.Set("d", Value::Number(std::to_string(some(3))).value());
    item.Set("more", Value(std::to_string(some(1000))));
    return item;
  }

  void WriteAtRandom(std::mt19937& random, int keys) {
    const int n = static_cast<int>(random() % static_cast<unsigned>(keys));
    switch (random() % 5) {
      case 0:
        return Write(Action(Table(), WriteKind::kDelete, Key(n)));
      case 2: {
        expression::Bindings bindings;
        const auto syntax = expression::Parse(expression::ExpressionKind::kUpdate,
                                              random() % 2 == 0 ? "REMOVE b SET a = d" : "REMOVE a, d SET more = sk");
        WriteAction action = Action(Table(), WriteKind::kPut, RandomItem(n, random));
        action.item.Set("d", 1);
        action.item.Set("c", "always");
        Write(std::move(action));
        action = Action(Table(), WriteKind::kUpdate, Key(n));
        action.update = *expression::Update::Bind(*syntax, bindings);
        return Write(std::move(action));
      }
      case 1: {
        const int other = (n + 1) % keys;
        return Transact(
            {Action(Table(), WriteKind::kPut, RandomItem(n, random)), Action(Table(), WriteKind::kDelete, Key(other))});
      }
      default:
        return Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
    }
  }

  [[nodiscard]] std::set<std::string> KeysIn(const base::KeyRange& range) const {
    std::set<std::string> keys;
    EXPECT_EQ(store_->Scan(range, {},
                           [&](std::string_view key, std::string_view) {
                             keys.emplace(key);
                             return true;
                           }),
              storage::Status::kOk);
    return keys;
  }

  static void AddParts(std::string& key, const std::vector<catalog::KeyAttribute>& attributes, ValueView item) {
    for (const catalog::KeyAttribute& attribute : attributes) codec::AppendKeyPart(key, *item.Find(attribute.name));
  }

  // What has to be in the views by the items that are in the table.
  [[nodiscard]] std::set<std::string> Expected(const catalog::Table& table) const {
    std::set<std::string> expected;
    const auto add = [&](codec::SpaceId space, const catalog::KeySchema& key, bool in_index, ValueView item) {
      for (const bool by_sort : {false, true}) {
        if (by_sort && key.sort.empty()) continue;
        std::string entry = ViewPrefix(space, by_sort ? ViewOrder::kBySort : ViewOrder::kByPartition);
        AddParts(entry, by_sort ? key.sort : key.partition, item);
        AddParts(entry, by_sort ? key.partition : key.sort, item);
        if (in_index) AddParts(entry, table.key.partition, item);
        if (in_index) AddParts(entry, table.key.sort, item);
        expected.insert(std::move(entry));
      }
    };
    EXPECT_EQ(store_->Scan(codec::SpaceRange(table.space), {},
                           [&](std::string_view, std::string_view stored) {
                             const ValueView item = codec::StoredItemValue(stored);
                             add(table.space, table.key, false, item);
                             for (const catalog::Index& index : table.indexes) {
                               if (!index.global || !IndexStoreKey(table, index, item)) continue;
                               add(index.space, index.key, true, item);
                             }
                             return true;
                           }),
              storage::Status::kOk);
    return expected;
  }

  static base::KeyRange AllViews() { return {"O", "P"}; }

  void ExpectExact() {
    const catalog::TablePtr table = Table();
    EXPECT_EQ(table->range_queries, IndexStatus::kActive);
    const std::set<std::string> found = KeysIn(AllViews());
    EXPECT_EQ(found, Expected(*table));
    EXPECT_FALSE(found.empty());
  }

  std::unique_ptr<storage::Store> store_ = storage::MakeMemoryStore();
  std::unique_ptr<catalog::Catalog> catalog_ = *catalog::Catalog::Load(*store_);
  std::unique_ptr<Tables> tables_ = std::make_unique<Tables>(*store_, *catalog_, "us-east-1", "1");
};

TEST_F(OrderedViews, AreNotKeptWithoutTheExtension) {
  Write(Action(Table(), WriteKind::kPut, Key(1)));
  EXPECT_EQ(Table()->range_queries, std::nullopt);
  EXPECT_TRUE(KeysIn(AllViews()).empty());
}

TEST_F(OrderedViews, NeedATable) {
  const auto enabled = tables_->EnableRangeQueries("nothing");
  ASSERT_FALSE(enabled);
  EXPECT_EQ(enabled.error().code, ErrorCode::kResourceNotFoundException);
}

TEST_F(OrderedViews, HaveTheBytesThatAreDocumented) {
  catalog::Table table;
  table.space = 7;
  table.key = {.partition = {{"PK", Type::kString}}, .sort = {{"SK", Type::kNumber}}};
  const std::string item_key = ItemStoreKey(table, Item({{"PK", "USER#1"}, {"SK", 42}}).view());
  using namespace std::string_literals;
  EXPECT_EQ(ViewKey(table, nullptr, ViewOrder::kByPartition, item_key), "O\0\0\0\7pUSER#1\0\1\2\x83\x2b\0"s);
  EXPECT_EQ(ViewKey(table, nullptr, ViewOrder::kBySort, item_key), "O\0\0\0\7s\2\x83\x2b\0USER#1\0\1"s);
}

TEST_F(OrderedViews, TellTheKeysThatTheyStandFor) {
  const catalog::TablePtr table = Table();
  std::mt19937 random(1);
  int in_indexes = 0;
  for (int n = 0; n < 200; ++n) {
    const Item item = RandomItem(n, random);
    const std::string item_key = ItemStoreKey(*table, item.view());
    for (const ViewOrder order : {ViewOrder::kByPartition, ViewOrder::kBySort}) {
      const std::string view_key = ViewKey(*table, nullptr, order, item_key);
      EXPECT_EQ(ViewedKey(*table, nullptr, order, view_key), item_key);
      EXPECT_EQ(ViewedItemKey(*table, nullptr, order, view_key), item_key);
      for (const catalog::Index& index : table->indexes) {
        const auto entry_key = IndexStoreKey(*table, index, item.view());
        if (!entry_key) continue;
        const std::string key = ViewKey(*table, &index, order, *entry_key);
        EXPECT_EQ(ViewedKey(*table, &index, order, key), *entry_key);
        EXPECT_EQ(ViewedItemKey(*table, &index, order, key), item_key);
        ++in_indexes;
      }
    }
  }
  EXPECT_GT(in_indexes, 200);
}

TEST_F(OrderedViews, FollowEveryWrite) {
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 100; ++i) WriteAtRandom(random, 60);
    ExpectExact();
  }
}

TEST_F(OrderedViews, AreNotCounted) {
  std::mt19937 random(3);
  for (int n = 0; n < 50; ++n) Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
  const auto bytes = [this] { return ReadStatistics(*store_, Table()->space).bytes; };
  const std::int64_t before = bytes();
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(ReadStatistics(*store_, Table()->space).items, 50);
}

TEST_F(OrderedViews, OfATableWithDataAreFilledAndStayThroughReopening) {
  std::mt19937 random(4);
  for (int n = 0; n < 1000; ++n) Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  ExpectExact();
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  Reopen();
  ExpectExact();
  for (int i = 0; i < 100; ++i) WriteAtRandom(random, 1000);
  ExpectExact();
}

// A write that began before the extension was on may end after it.
TEST_F(OrderedViews, AreRightAfterWritesThatDoNotKnowThem) {
  std::mt19937 random(5);
  const Item item = RandomItem(1, random);
  WriteAction late = Action(Table(), WriteKind::kDelete, Key(1));
  ASSERT_TRUE(catalog_->Change("things", [](catalog::Table& table) -> Result<void> {
    table.range_queries = IndexStatus::kCreating;
    return {};
  }));
  Write(Action(Table(), WriteKind::kPut, item));
  Write(Action(Table(), WriteKind::kPut, RandomItem(2, random)));
  EXPECT_EQ(KeysIn(AllViews()), Expected(*Table()));
  Write(std::move(late));  // leaves the first item's entries behind
  EXPECT_NE(KeysIn(AllViews()), Expected(*Table()));
  late = {};
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  ExpectExact();
}

TEST_F(OrderedViews, AreFilledAgainWhenThatWasInterrupted) {
  std::mt19937 random(6);
  for (int n = 0; n < 100; ++n) Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
  ASSERT_TRUE(catalog_->Change("things", [](catalog::Table& table) -> Result<void> {
    table.range_queries = IndexStatus::kCreating;
    return {};
  }));
  Reopen();
  tables_->WaitForBackgroundWork();
  ExpectExact();
}

TEST_F(OrderedViews, AreExactWhenFilledWhileOthersWrite) {
  std::mt19937 random(7);
  constexpr int kItems = 2000;
  for (int n = 0; n < kItems; ++n) Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (unsigned seed = 0; seed < 2; ++seed) {
    writers.emplace_back([&, seed] {
      std::mt19937 own(100 + seed);
      while (!stop) {
        const int n = static_cast<int>(own() % kItems);
        if (own() % 2 == 0) {
          Write(Action(Table(), WriteKind::kPut, RandomItem(n, own)));
        } else {
          Write(Action(Table(), WriteKind::kDelete, Key(n)));
        }
      }
    });
  }
  EXPECT_TRUE(tables_->Update(AddIndex()));
  EXPECT_TRUE(tables_->EnableRangeQueries("things"));
  stop = true;
  for (std::thread& writer : writers) writer.join();
  tables_->WaitForBackgroundWork();
  ExpectExact();
}

TEST_F(OrderedViews, OfAnIndexThatIsMadeLaterAreFilledWithIt) {
  std::mt19937 random(8);
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  for (int n = 0; n < 500; ++n) Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
  ASSERT_TRUE(tables_->Update(AddIndex()));
  for (int i = 0; i < 200; ++i) WriteAtRandom(random, 500);
  tables_->WaitForBackgroundWork();
  ASSERT_NE(Table()->FindIndex("late"), nullptr);
  EXPECT_FALSE(KeysIn(ViewsRange(Table()->FindIndex("late")->space)).empty());
  ExpectExact();
}

TEST_F(OrderedViews, AreErasedWithTheIndexAndTheTable) {
  std::mt19937 random(9);
  ASSERT_TRUE(tables_->EnableRangeQueries("things"));
  for (int n = 0; n < 100; ++n) Write(Action(Table(), WriteKind::kPut, RandomItem(n, random)));
  const codec::SpaceId space = Table()->FindIndex("byB")->space;
  ASSERT_FALSE(KeysIn(ViewsRange(space)).empty());
  ASSERT_TRUE(tables_->Update(DeleteIndex("byB")));
  tables_->WaitForBackgroundWork();
  EXPECT_TRUE(KeysIn(ViewsRange(space)).empty());
  ExpectExact();
  ASSERT_TRUE(tables_->Delete("things"));
  tables_->WaitForBackgroundWork();
  EXPECT_TRUE(KeysIn(AllViews()).empty());
}

}  // namespace
}  // namespace taula::engine
