#include "engine/backups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codec/stored_item.h"
#include "engine/engine_testing.h"
#include "engine/history.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

using Contents = std::map<std::string, Item>;  // by partition key

// A store that ends all mutations with what it is told to, once it is told, and
// knows which states it keeps.
class RefusingStore final : public storage::Store {
 public:
  void RefuseWith(storage::Commit commit) { refusal_ = commit; }
  [[nodiscard]] const std::set<std::string>& states() const { return states_; }

  storage::Status Get(std::string_view key, base::FunctionRef<void(std::string_view)> found) const override {
    return store_->Get(key, found);
  }
  storage::Status Scan(const storage::Range& range, const storage::ScanOptions& options,
                       base::FunctionRef<bool(std::string_view, std::string_view)> visit) const override {
    return store_->Scan(range, options, visit);
  }
  [[nodiscard]] std::unique_ptr<storage::Reader> Snapshot() const override { return store_->Snapshot(); }
  void Mutate(std::unique_ptr<storage::Mutation> mutation) override {
    if (refusal_ == storage::Commit::kOk) {
      store_->Mutate(std::move(mutation));
    } else {
      mutation->Done(refusal_);
    }
  }
  storage::Status EraseRange(const storage::Range& range) override { return store_->EraseRange(range); }
  [[nodiscard]] std::uint64_t ApproximateBytes(const storage::Range& range) const override {
    return store_->ApproximateBytes(range);
  }
  [[nodiscard]] std::uint64_t LastPosition() const override { return store_->LastPosition(); }
  storage::Status SaveState(const std::string& name) override {
    states_.insert(name);
    return store_->SaveState(name);
  }
  [[nodiscard]] std::unique_ptr<storage::Reader> OpenState(const std::string& name) const override {
    return store_->OpenState(name);
  }
  storage::Status DropState(const std::string& name) override {
    states_.erase(name);
    return store_->DropState(name);
  }
  [[nodiscard]] std::unique_ptr<storage::Store> Fork() const override { return store_->Fork(); }
  storage::Status Flush() override { return store_->Flush(); }

 private:
  const std::unique_ptr<storage::Store> store_ = storage::MakeMemoryStore();
  std::set<std::string> states_;
  std::atomic<storage::Commit> refusal_ = storage::Commit::kOk;
};

class BackupsTest : public EngineTest {
 protected:
  BackupsTest() { CreateTable(); }

  [[nodiscard]] Backups& backups() { return engine_->backups(); }

  Contents ContentsOf(std::string_view name, std::optional<std::string_view> index = std::nullopt) {
    const catalog::TablePtr table = engine_->FindTable(name);
    EXPECT_NE(table, nullptr) << name;
    Contents contents;
    if (table == nullptr) return contents;
    const codec::SpaceId space = index ? table->FindIndex(*index)->space : table->space;
    EXPECT_EQ(storage::Status::kOk,
              engine_->store().Scan(codec::SpaceRange(space), {}, [&](std::string_view, std::string_view stored) {
                const Item item(codec::StoredItemValue(stored));
                contents.emplace(item.Find("PK")->bytes(), item);
                return true;
              }));
    return contents;
  }

  static RestoreRequest To(std::string name) {
    RestoreRequest request;
    request.table_name = std::move(name);
    return request;
  }

  void EnableRecovery() {
    const auto set = backups().SetRecovery(kTable, true, std::nullopt);
    ASSERT_TRUE(set) << set.error().message;
  }

  // The table as it was, as a new table.
  Contents Past(std::int64_t time_ms) {
    static int number = 0;
    const std::string name = "past" + std::to_string(++number);
    const auto begun = backups().RestorePast(kTable, time_ms, To(name));
    EXPECT_TRUE(begun) << begun.error().message;
    engine_->tables().WaitForBackgroundWork();
    return ContentsOf(name);
  }

  static Item Order(const std::string& name, int total) {
    return {{"PK", name}, {"SK", "meta"}, {"status", "status" + std::to_string(total % 3)}, {"total", total}};
  }
  static Item Key(const std::string& name) { return {{"PK", name}, {"SK", "meta"}}; }
};

TEST_F(BackupsTest, ABackupBringsBackWhatWasThere) {
  for (int i = 0; i < 1200; ++i) Put(Order("order" + std::to_string(i), i));
  const Contents before = ContentsOf(kTable);
  const Contents index_before = ContentsOf(kTable, "byStatus");
  const auto backup = backups().Create(kTable, "monday");
  ASSERT_TRUE(backup) << backup.error().message;
  EXPECT_EQ((*backup)->items, 1200);
  Put(Order("order1", 999'999));
  Delete(Key("order2"));

  const auto begun = backups().Restore(backups().Arn(**backup), To("again"));
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_EQ(begun->status, TableStatus::kCreating);
  ASSERT_TRUE(begun->restore);
  EXPECT_EQ(begun->restore->source_backup_arn, backups().Arn(**backup));
  engine_->tables().WaitForBackgroundWork();
  const auto described = engine_->tables().Describe("again");
  EXPECT_EQ(described->status, TableStatus::kActive);
  EXPECT_FALSE(described->restore);
  EXPECT_EQ(described->item_count, 1200);
  EXPECT_EQ(described->global_indexes.front().item_count, 1200);
  EXPECT_EQ(ContentsOf("again"), before);
  EXPECT_EQ(ContentsOf("again", "byStatus"), index_before);
}

TEST_F(BackupsTest, KeepsNoStateForABackupThatIsNotNoted) {
  auto owned = std::make_unique<RefusingStore>();
  RefusingStore& store = *owned;
  auto opened = Engine::Open(std::move(owned), {.clock = &clock_, .expiry_interval = {}});
  ASSERT_TRUE(opened) << opened.error().message;
  engine_ = *std::move(opened);
  CreateTable();
  engine_->tables().WaitForBackgroundWork();
  store.RefuseWith(storage::Commit::kUnavailable);
  EXPECT_FALSE(backups().Create(kTable, "backup"));
  EXPECT_THAT(store.states(), IsEmpty());
  store.RefuseWith(storage::Commit::kUnknown);
  EXPECT_FALSE(backups().Create(kTable, "backup"));
  EXPECT_THAT(store.states(), SizeIs(1)) << "the backup may have been noted";
  store.RefuseWith(storage::Commit::kOk);
}

TEST_F(BackupsTest, ABackupOutlivesItsTable) {
  Put(Order("a", 1));
  const auto backup = backups().Create(kTable, "last");
  ASSERT_TRUE(backup);
  ASSERT_TRUE(backups().DeleteTable(kTable));
  engine_->tables().WaitForBackgroundWork();
  ASSERT_TRUE(backups().Restore(backups().Arn(**backup), To(std::string(kTable))));
  engine_->tables().WaitForBackgroundWork();
  EXPECT_THAT(ContentsOf(kTable), SizeIs(1));
}

TEST_F(BackupsTest, AreListedFoundAndDeleted) {
  const auto first = backups().Create(kTable, "one");
  clock_.Advance(1);
  const auto second = backups().Create(kTable, "one");
  ASSERT_TRUE(first && second) << "names need not differ";
  EXPECT_THAT(backups().List(), ElementsAre(*first, *second));
  const std::string arn = backups().Arn(**first);
  EXPECT_EQ(*backups().Find(arn), *first);
  ASSERT_TRUE(backups().Delete(arn));
  EXPECT_THAT(backups().List(), ElementsAre(*second));
  const auto again = backups().Delete(arn);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kBackupNotFoundException);
  EXPECT_EQ(again.error().message, "Backup not found: " + arn);
}

TEST_F(BackupsTest, RefuseWhatIsNotThere) {
  EXPECT_EQ(backups().Create("nothing", "x").error().code, ErrorCode::kTableNotFoundException);
  EXPECT_EQ(backups().Find("orders").error().code, ErrorCode::kValidationException);
  const auto backup = backups().Create(kTable, "x");
  const auto taken = backups().Restore(backups().Arn(**backup), To(std::string(kTable)));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::kTableAlreadyExistsException);
  const auto without = backups().RestorePast(kTable, std::nullopt, To("new"));
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kPointInTimeRecoveryUnavailableException);
}

TEST_F(BackupsTest, ARestoreMayLeaveIndexesOutAndChangeTheBilling) {
  Put(Order("a", 1));
  const auto backup = backups().Create(kTable, "x");
  RestoreRequest request = To("plain");
  request.global_indexes.emplace();
  request.billing_mode = BillingMode::kProvisioned;
  EXPECT_FALSE(backups().Restore(backups().Arn(**backup), request)) << "provisioned means a throughput";
  request.provisioned_throughput = Throughput{5, 6};
  ASSERT_TRUE(backups().Restore(backups().Arn(**backup), request));
  engine_->tables().WaitForBackgroundWork();
  const auto table = engine_->tables().Describe("plain");
  EXPECT_THAT(table->global_indexes, IsEmpty());
  EXPECT_THAT(table->attribute_definitions, SizeIs(2));
  EXPECT_EQ(table->provisioned_throughput.write_units, 6);
  IndexDefinition unknown;
  unknown.name = "unknown";
  request.table_name = "other";
  request.global_indexes = {unknown};
  const auto refused = backups().Restore(backups().Arn(**backup), request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "Index unknown does not match a secondary index that existed in the source table and cannot be created during "
      "the restore operation");
}

TEST_F(BackupsTest, ATableIsBroughtBackToAnyTimeOfItsHistory) {
  Put(Order("before", 1));
  EnableRecovery();
  std::mt19937 random(7);
  std::map<std::int64_t, Contents> states;
  for (int i = 0; i < 300; ++i) {
    clock_.Advance(1000);
    const std::string name = "order" + std::to_string(random() % 25);
    if (random() % 4 == 0) {
      Delete(Key(name));
    } else {
      Put(Order(name, i));
    }
    if (i % 20 == 0) states[clock_.NowMs()] = ContentsOf(kTable);
  }
  for (const auto& [time, contents] : states) EXPECT_EQ(Past(time), contents) << time;
  EXPECT_EQ(Past(clock_.NowMs()), ContentsOf(kTable));
}

TEST_F(BackupsTest, APastOfMoreItemsThanAreReadAtOnce) {
  EnableRecovery();
  for (int i = 0; i < 2500; ++i) Put(Order("order" + std::to_string(i), i));
  const std::int64_t then = clock_.NowMs();
  const Contents before = ContentsOf(kTable);
  clock_.Advance(1000);
  for (int i = 0; i < 2500; i += 2) Delete(Key("order" + std::to_string(i)));
  for (int i = 0; i < 2500; ++i) Put(Order("new" + std::to_string(i), i));
  for (int i = 1; i < 2500; i += 2) Put(Order("order" + std::to_string(i), -i));
  EXPECT_EQ(Past(then), before);
}

TEST_F(BackupsTest, APastOfItemsThatAreLargeAndGone) {
  EnableRecovery();
  const auto large = [](int i) {
    return Order("order" + std::to_string(i), i).Set("text", Value(std::string(300'000, 'x')));
  };
  for (int i = 0; i < 40; ++i) Put(large(i));
  const std::int64_t then = clock_.NowMs();
  const Contents before = ContentsOf(kTable);
  clock_.Advance(1000);
  for (int i = 0; i < 40; i += 3) Put(Order("order" + std::to_string(i), -i));
  for (int i = 1; i < 40; i += 3) Delete(Key("order" + std::to_string(i)));
  EXPECT_EQ(Past(then), before);
  for (int i = 0; i < 40; ++i) Delete(Key("order" + std::to_string(i)));
  EXPECT_EQ(Past(then), before);
}

TEST_F(BackupsTest, TheWindowBeginsWhenItIsTurnedOnAndIsAsLongAsAsked) {
  EXPECT_EQ(*backups().Window(kTable), std::nullopt);
  EnableRecovery();
  EXPECT_EQ((*backups().Window(kTable))->earliest_ms, kStartMs);
  EXPECT_EQ((*backups().Window(kTable))->days, 35);
  clock_.Advance(10 * kDayMs);
  ASSERT_TRUE(backups().SetRecovery(kTable, true, 3));
  EXPECT_EQ((*backups().Window(kTable))->earliest_ms, kStartMs + 7 * kDayMs);
  EXPECT_EQ((*backups().Window(kTable))->latest_ms, clock_.NowMs());
  for (const std::int64_t time : {clock_.NowMs() + 1, kStartMs}) {
    const auto refused = backups().RestorePast(kTable, time, To("new"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidRestoreTimeException);
  }
}

TEST_F(BackupsTest, HistoryIsForgottenWithItsWindowAndWhenItIsTurnedOff) {
  EnableRecovery();
  const codec::SpaceId space = engine_->FindTable(kTable)->recovery->space;
  const auto count = [&] {
    std::size_t records = 0;
    EXPECT_EQ(storage::Status::kOk,
              engine_->store().Scan(HistoryRange(space), {},
                                    [&](std::string_view, std::string_view) { return ++records > 0; }));
    return records;
  };
  Put(Order("a", 1));
  Put(Order("a", 1));
  EXPECT_EQ(count(), 1U) << "what changes nothing leaves nothing";
  clock_.Advance(20 * kDayMs);
  Put(Order("a", 2));
  clock_.Advance(16 * kDayMs);
  backups().Keep();
  EXPECT_EQ(count(), 1U);
  ASSERT_TRUE(backups().SetRecovery(kTable, false, std::nullopt));
  engine_->tables().WaitForBackgroundWork();
  EXPECT_EQ(count(), 0U);
}

TEST_F(BackupsTest, ATableThatCouldBeBroughtBackLeavesABackup) {
  EnableRecovery();
  Put(Order("a", 1));
  ASSERT_TRUE(backups().DeleteTable(kTable));
  const auto left = backups().List();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0]->name, "orders$DeletedTableBackup");
  EXPECT_TRUE(left[0]->of_deleted_table);
  EXPECT_FALSE(backups().Delete(backups().Arn(*left[0])));
  engine_->tables().WaitForBackgroundWork();
  ASSERT_TRUE(backups().Restore(backups().Arn(*left[0]), To("orders")));
  engine_->tables().WaitForBackgroundWork();
  EXPECT_THAT(ContentsOf("orders"), SizeIs(1));
  clock_.Advance(36 * kDayMs);
  backups().Keep();
  EXPECT_THAT(backups().List(), IsEmpty());
}

}  // namespace
}  // namespace taula::engine
