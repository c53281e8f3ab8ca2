// What every store promises about the states it keeps and the forks it makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <thread>

#include "storage/store_contract_testing.h"

namespace taula::storage {
namespace {

using testing::ElementsAre;
using testing::Pair;

class StoreCopies : public StoreContract {};

INSTANTIATE_TEST_SUITE_P(Stores, StoreCopies, AllStores(), NameOfStore);

TEST_P(StoreCopies, KeepsStatesUnderTheirNames) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "one");
    batch.Put("Db", "one");
  });
  ASSERT_EQ(store_->SaveState("first"), Status::kOk);
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "two");
    batch.Delete("Db");
  });
  ASSERT_EQ(store_->SaveState("second"), Status::kOk);
  ASSERT_EQ(store_->EraseRange({"D", "E"}), Status::kOk);

  const auto first = store_->OpenState("first");
  const auto second = store_->OpenState("second");
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(ValueAt(*first, "Da"), "one");
  EXPECT_THAT(Entries(*first, {"D", "E"}), ElementsAre(Pair("Da", "one"), Pair("Db", "one")));
  EXPECT_THAT(Entries(*second, {"D", "E"}), ElementsAre(Pair("Da", "two")));
  EXPECT_EQ(store_->OpenState("third"), nullptr);
}

TEST_P(StoreCopies, DropsAState) {
  Write(*store_, [](Batch& batch) { batch.Put("Da", "one"); });
  ASSERT_EQ(store_->SaveState("state"), Status::kOk);
  ASSERT_EQ(store_->DropState("state"), Status::kOk);
  EXPECT_EQ(store_->OpenState("state"), nullptr);
  EXPECT_EQ(store_->DropState("state"), Status::kOk);
  EXPECT_EQ(At("Da"), "one");
}

TEST_P(StoreCopies, AForkBeginsWithAllThereIsAndGoesItsOwnWay) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "one");
    batch.Put("Db", "one");
    batch.Add("Ccounter", 5);
  });
  const auto fork = store_->Fork();
  ASSERT_NE(fork, nullptr);
  EXPECT_THAT(Entries(*fork, {"D", "E"}), ElementsAre(Pair("Da", "one"), Pair("Db", "one")));

  // Each is asked for the keys that the other has just been asked for, too.
  Write(*store_, [](Batch& batch) { batch.Put("Da", "here"); });
  Write(*fork, [](Batch& batch) {
    batch.Put("Da", "there");
    batch.Delete("Db");
    batch.Add("Ccounter", 1);
  });
  EXPECT_EQ(At("Da"), "here");
  EXPECT_EQ(ValueAt(*fork, "Da"), "there");
  EXPECT_EQ(At("Db"), "one");
  EXPECT_EQ(ValueAt(*fork, "Db"), std::nullopt);
  EXPECT_EQ(base::ReadU64(At("Ccounter").data()), 5);
  EXPECT_EQ(base::ReadU64(ValueAt(*fork, "Ccounter")->data()), 6);
}

TEST_P(StoreCopies, AForkKeepsWhatItsOriginErasesAndOutlivesIt) {
  Write(*store_, [](Batch& batch) { batch.Put("Da", "one"); });
  const auto fork = store_->Fork();
  ASSERT_NE(fork, nullptr);
  ASSERT_EQ(store_->EraseRange({"D", "E"}), Status::kOk);
  EXPECT_EQ(At("Da"), "(absent)");
  store_.reset();
  EXPECT_EQ(ValueAt(*fork, "Da"), "one");
  const auto second = fork->Fork();
  ASSERT_NE(second, nullptr);
  Write(*second, [](Batch& batch) { batch.Put("Da", "two"); });
  EXPECT_EQ(ValueAt(*fork, "Da"), "one");
  EXPECT_EQ(ValueAt(*second, "Da"), "two");
}

TEST_P(StoreCopies, AForkHasTheSavedStatesAndItsOwnLaterOnes) {
  Write(*store_, [](Batch& batch) { batch.Put("Da", "one"); });
  ASSERT_EQ(store_->SaveState("early"), Status::kOk);
  Write(*store_, [](Batch& batch) { batch.Put("Da", "two"); });
  const auto fork = store_->Fork();
  ASSERT_NE(fork, nullptr);
  ASSERT_EQ(store_->DropState("early"), Status::kOk);
  ASSERT_EQ(fork->SaveState("late"), Status::kOk);
  const auto early = fork->OpenState("early");
  ASSERT_NE(early, nullptr);
  EXPECT_EQ(ValueAt(*early, "Da"), "one");
  EXPECT_NE(fork->OpenState("late"), nullptr);
  EXPECT_EQ(store_->OpenState("late"), nullptr);
}

TEST_P(StoreCopies, AForkLogsOnFromWhereItsOriginWas) {
  Write(*store_, [](Batch& batch) { batch.Log("Llog", "before"); });
  const std::uint64_t position = store_->LastPosition();
  const auto fork = store_->Fork();
  ASSERT_NE(fork, nullptr);
  EXPECT_GE(fork->LastPosition(), position);
  Write(*fork, [](Batch& batch) { batch.Log("Llog", "after"); });
  std::vector<std::string> values;
  for (const auto& [key, value] : Entries(*fork, {"L", "M"})) values.push_back(value);
  EXPECT_THAT(values, ElementsAre("before", "after"));
  EXPECT_THAT(Entries(*store_, {"L", "M"}), testing::SizeIs(1));
}

}  // namespace
}  // namespace taula::storage
