// What the RocksDB store promises beyond the contract of all stores: what is
// on the disk when, and what happens when the disk fails.
#include "storage/rocksdb/rocksdb_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "storage/rocksdb/faulty_file_system.h"
#include "storage/store_testing.h"

namespace taula::storage {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class RocksDbStoreTest : public testing::Test {
 protected:
  // Opens, or opens again.
  void Open(Durability durability = Durability::kSync) {
    store_.reset();
    options_.path = folder_.path();
    options_.durability = durability;
    options_.env = env_.get();
    auto opened = OpenRocksDb(options_);
    ASSERT_TRUE(opened.has_value()) << opened.error();
    store_ = std::move(*opened);
  }

  static std::string WhyNot(const std::string& path) {
    const auto opened = OpenRocksDb({.path = path});
    return opened ? "(opened)" : opened.error();
  }

  // Starts a mutation over `reads` that appends `suffix` to each, or aborts
  // when there is none. The future is ready when it is done.
  std::future<Commit> Start(const std::vector<Key>& reads, const std::string& suffix, bool exclusive = false) {
    auto promise = std::make_shared<std::promise<Commit>>();
    auto mutation = std::make_unique<LambdaMutation>(
        reads,
        [reads, suffix](auto values, Batch& batch) {
          for (std::size_t i = 0; i < reads.size() && !suffix.empty(); ++i) {
            batch.Put(reads[i], std::string(values[i].value_or("")) + suffix);
          }
          if (!suffix.empty()) batch.Add("Cwrites", 1);
          return !suffix.empty();
        },
        [promise](Commit commit) { promise->set_value(commit); });
    if (exclusive) mutation->set_exclusive();
    store_->Mutate(std::move(mutation));
    return promise->get_future();
  }

  static bool IsDone(const std::future<Commit>& end) {
    return end.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready;
  }

  Commit WriteOne(const Key& key, const std::string& suffix) { return Start({key}, suffix).get(); }

  // Mutates until it works.
  bool BecomesWritable() {
    for (int i = 0; i < 200; ++i) {
      if (WriteOne("Dprobe", "p") == Commit::kOk) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  TemporaryFolder folder_;
  LogFaults faults_;
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(faults_));
  RocksDbOptions options_;
  std::unique_ptr<Store> store_;
};

TEST_F(RocksDbStoreTest, KeepsEverythingWhenOpenedAgain) {
  for (const Durability durability : {Durability::kSync, Durability::kRelaxed}) {
    Open(durability);
    EXPECT_EQ(WriteOne("Da", "x"), Commit::kOk);
  }
  Open();
  EXPECT_EQ(ValueAt(*store_, "Da"), "xx");
  EXPECT_EQ(CounterAt(*store_, "Cwrites"), 2);
}

TEST_F(RocksDbStoreTest, LogsOnAtGreaterPositionsWhenOpenedAgain) {
  Open();
  std::uint64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    Write(*store_, [](Batch& batch) { batch.Log("L", "value"); });
    EXPECT_GT(store_->LastPosition(), last);
    last = store_->LastPosition();
    Open();
    EXPECT_GE(store_->LastPosition(), last);
  }
  EXPECT_EQ(Entries(*store_, {"L", "M"}).size(), 3U);
}

TEST_F(RocksDbStoreTest, KeepsItsStatesWhenOpenedAgain) {
  Open();
  ASSERT_EQ(WriteOne("Da", "x"), Commit::kOk);
  ASSERT_EQ(store_->SaveState("state"), Status::kOk);
  ASSERT_EQ(WriteOne("Da", "y"), Commit::kOk);
  Open();
  const auto state = store_->OpenState("state");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(ValueAt(*state, "Da"), "x");
  EXPECT_EQ(ValueAt(*store_, "Da"), "xy");
}

TEST_F(RocksDbStoreTest, MakesTheFolderWithItsParents) {
  const auto opened = OpenRocksDb({.path = folder_.path() + "/some/where"});
  EXPECT_TRUE(opened.has_value());
}

TEST_F(RocksDbStoreTest, RefusesAFolderThatIsInUse) {
  Open();
  EXPECT_EQ(WhyNot(folder_.path()), "the data folder " + folder_.path() + " is in use by another process");
}

TEST_F(RocksDbStoreTest, RefusesWhatIsNotAFolder) {
  const std::string file = folder_.path() + "/file";
  std::ofstream(file) << "text";
  EXPECT_THAT(WhyNot(file), AllOf(HasSubstr("the data folder"), HasSubstr(file), Not(HasSubstr("\n"))));
  EXPECT_THAT(WhyNot(file + "/below"), HasSubstr("cannot be made"));
  EXPECT_THAT(WhyNot("/proc/taula"), HasSubstr("cannot be made"));
}

TEST_F(RocksDbStoreTest, RefusesAFolderOfANewerFormat) {
  Open();
  Write(*store_, [](Batch& batch) { batch.Put("Vformat", std::string("\2\0\0\0", 4)); });
  store_.reset();
  EXPECT_THAT(WhyNot(folder_.path()), HasSubstr("newer version of taula (format 2; this one knows formats up to 1)"));
}

TEST_F(RocksDbStoreTest, RefusesTheDatabaseOfAnotherProgram) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* foreign = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, folder_.path(), &foreign).ok());
  ASSERT_TRUE(foreign->Put({}, "key", "value").ok());
  delete foreign;
  EXPECT_THAT(WhyNot(folder_.path()), HasSubstr("another program"));
}

TEST_F(RocksDbStoreTest, RefusesADamagedFolder) {
  Open();
  store_.reset();
  std::ofstream(folder_.path() + "/CURRENT") << "nonsense";
  EXPECT_THAT(WhyNot(folder_.path()), AllOf(HasSubstr("damaged"), Not(HasSubstr("\n"))));
}

TEST_F(RocksDbStoreTest, KeepsItsOwnKeysWhenEverythingIsErased) {
  Open();
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "1");
    batch.Put("Xa", "1");
  });
  EXPECT_EQ(store_->EraseRange({"", ""}), Status::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da"), std::nullopt);
  EXPECT_EQ(ValueAt(*store_, "Xa"), std::nullopt);
  Open();
  EXPECT_EQ(ValueAt(*store_, "Da"), std::nullopt);
}

TEST_F(RocksDbStoreTest, PipelinesMutationsOfOneKeyAndShowsNothingBeforeItIsDurable) {
  Open();
  faults_.Hold();
  std::vector<std::future<Commit>> ends;
  for (int i = 0; i < 10; ++i) ends.push_back(Start({"Da"}, std::to_string(i)));
  faults_.AwaitHeldSync();
  for (const auto& end : ends) EXPECT_NE(end.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_EQ(ValueAt(*store_, "Da"), std::nullopt);
  faults_.Release();
  for (auto& end : ends) EXPECT_EQ(end.get(), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da"), "0123456789");
}

TEST_F(RocksDbStoreTest, SeesAPendingDeletion) {
  Open();
  WriteOne("Da", "x");
  faults_.Hold();
  std::promise<Commit> deleted;
  store_->Mutate(std::make_unique<LambdaMutation>(
      std::vector<Key>{"Da"},
      [](auto, Batch& batch) {
        batch.Delete("Da");
        return true;
      },
      [&](Commit commit) { deleted.set_value(commit); }));
  auto written = Start({"Da"}, "y");
  faults_.Release();
  EXPECT_EQ(deleted.get_future().get(), Commit::kOk);
  EXPECT_EQ(written.get(), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da"), "y");
}

TEST_F(RocksDbStoreTest, AnswersAnAbortOnlyWhenWhatItSawIsDurable) {
  Open();
  faults_.Hold();
  auto written = Start({"Da"}, "x");
  auto aborted = Start({"Da"}, "");
  auto unrelated = Start({"Db"}, "");
  EXPECT_TRUE(IsDone(unrelated));
  EXPECT_FALSE(IsDone(aborted));
  faults_.Release();
  EXPECT_EQ(written.get(), Commit::kOk);
  EXPECT_EQ(aborted.get(), Commit::kAborted);
  EXPECT_EQ(unrelated.get(), Commit::kAborted);
}

TEST_F(RocksDbStoreTest, ConflictsWithAnExclusiveMutationUntilItIsDurable) {
  Open();
  WriteOne("Dchecked", "c");
  faults_.Hold();
  std::promise<Commit> ended;
  auto transaction = std::make_unique<LambdaMutation>(
      std::vector<Key>{"Dwritten", "Dchecked"},
      [](auto, Batch& batch) {
        batch.Put("Dwritten", "t");
        return true;
      },
      [&](Commit commit) { ended.set_value(commit); });
  transaction->set_exclusive();
  store_->Mutate(std::move(transaction));

  EXPECT_EQ(Start({"Dwritten"}, "x").get(), Commit::kConflict);
  EXPECT_EQ(Start({"Dchecked"}, "x").get(), Commit::kConflict);
  EXPECT_EQ(Start({"Dother", "Dchecked"}, "x", true).get(), Commit::kConflict);
  auto other = Start({"Dother"}, "x");

  std::set<std::size_t> conflicts;
  auto meets_both = std::make_unique<LambdaMutation>(
      std::vector<Key>{"Dchecked", "Dfree", "Dwritten"}, [](auto, Batch&) { return true; }, [](Commit) {});
  meets_both->set_conflicts(&conflicts);
  store_->Mutate(std::move(meets_both));
  EXPECT_EQ(conflicts, (std::set<std::size_t>{0, 2})) << "each read that is held is named";

  faults_.Release();
  EXPECT_EQ(ended.get_future().get(), Commit::kOk);
  EXPECT_EQ(other.get(), Commit::kOk);
  EXPECT_EQ(WriteOne("Dchecked", "x"), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Dwritten"), "t");
  EXPECT_EQ(ValueAt(*store_, "Dchecked"), "cx");
}

TEST_F(RocksDbStoreTest, LetsAnExclusiveMutationFollowOthers) {
  Open();
  faults_.Hold();
  auto first = Start({"Da"}, "1");
  auto exclusive = Start({"Da", "Db"}, "2", true);
  auto late = Start({"Db"}, "3");
  faults_.Release();
  EXPECT_EQ(first.get(), Commit::kOk);
  EXPECT_EQ(exclusive.get(), Commit::kOk);
  EXPECT_EQ(late.get(), Commit::kConflict);
  EXPECT_EQ(ValueAt(*store_, "Da"), "12");
  EXPECT_EQ(ValueAt(*store_, "Db"), "2");
}

TEST_F(RocksDbStoreTest, HoldsBackWhoeverWouldOverfillTheQueue) {
  options_.queue_mutations_max = 4;
  Open();
  faults_.Hold();
  std::vector<std::future<Commit>> ends;
  for (int i = 0; i < 4; ++i) ends.push_back(Start({"Da"}, "x"));
  std::atomic<bool> taken = false;
  std::thread late([&] {
    auto end = Start({"Da"}, "y");
    taken = true;
    EXPECT_EQ(end.get(), Commit::kOk);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(taken);
  faults_.Release();
  late.join();
  for (auto& end : ends) EXPECT_EQ(end.get(), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da"), "xxxxy");
}

TEST_F(RocksDbStoreTest, CompletesWhatItHasTakenWhenItCloses) {
  Open();
  faults_.Hold();
  std::vector<std::future<Commit>> ends;
  for (int i = 0; i < 50; ++i) ends.push_back(Start({"D" + std::to_string(i)}, "x"));
  std::promise<Commit> after_closing;
  store_->Mutate(std::make_unique<LambdaMutation>(
      std::vector<Key>{"Dlast"},
      [](auto, Batch& batch) {
        batch.Put("Dlast", "x");
        return true;
      },
      [&, store = store_.get()](Commit) {
        store->Mutate(std::make_unique<LambdaMutation>(
            std::vector<Key>{"Dtoo late"},
            [](auto, Batch& batch) {
              batch.Put("Dtoo late", "x");
              return true;
            },
            [&](Commit commit) { after_closing.set_value(commit); }));
      }));
  faults_.AwaitHeldSync();
  std::thread closer([&] { store_.reset(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  faults_.Release();
  closer.join();
  for (auto& end : ends) EXPECT_EQ(end.get(), Commit::kOk);
  EXPECT_EQ(after_closing.get_future().get(), Commit::kUnavailable);
  Open();
  EXPECT_EQ(Keys(*store_, {"D", "E"}).size(), 51u);
}

// Each Done queues the next mutation, as other threads might.
TEST_F(RocksDbStoreTest, KeepsACallerForAFewGroupsOnly) {
  constexpr int kMutations = 20;
  Open(Durability::kRelaxed);
  std::vector<std::thread::id> done_on;
  std::promise<void> all_done;
  std::function<void()> mutate = [&] {
    store_->Mutate(std::make_unique<LambdaMutation>(
        std::vector<Key>{"Da"},
        [](auto, Batch& batch) {
          batch.Put("Da", "x");
          return true;
        },
        [&](Commit commit) {
          EXPECT_EQ(commit, Commit::kOk);
          done_on.push_back(std::this_thread::get_id());
          if (done_on.size() < kMutations) {
            mutate();
          } else {
            all_done.set_value();
          }
        }));
  };
  mutate();
  all_done.get_future().wait();
  EXPECT_EQ(done_on.front(), std::this_thread::get_id()) << "one that is alone needs no other thread";
  EXPECT_NE(done_on.back(), std::this_thread::get_id());
  EXPECT_LE(std::ranges::count(done_on, std::this_thread::get_id()), 2);
}

// How RocksDB recovers depends on whether its memtable is empty, and on the
// error.
struct DiskFailure {
  const char* name;
  bool empty_memtable;
  rocksdb::IOStatus error;
};

TEST_F(RocksDbStoreTest, AForkLeavesNoFiles) {
  Open();
  WriteOne("Da", "one");
  const std::filesystem::path forks = std::filesystem::path(folder_.path()) / "forks";
  {
    const auto fork = store_->Fork();
    ASSERT_NE(fork, nullptr);
    const auto second = fork->Fork();
    ASSERT_NE(second, nullptr);
    Write(*second, [](Batch& batch) { batch.Put("Db", "two"); });
    EXPECT_FALSE(std::filesystem::is_empty(forks));
  }
  EXPECT_TRUE(std::filesystem::is_empty(forks));
}

TEST_F(RocksDbStoreTest, RemovesTheForksOfAProcessThatWasKilled) {
  const std::filesystem::path left = std::filesystem::path(folder_.path()) / "forks" / "left";
  std::filesystem::create_directories(left);
  std::ofstream(left / "000001.sst") << "bytes";
  Open();
  EXPECT_FALSE(std::filesystem::exists(left));
}

class FailingDisk : public RocksDbStoreTest, public testing::WithParamInterface<DiskFailure> {
 protected:
  void OpenWithOneWrite(Durability durability) {
    Open(durability);
    WriteOne("Da", "1");
    if (GetParam().empty_memtable) Open(durability);
  }

  // Opens a copy of the folder, as after the death of the process.
  void CheckThatACopyHolds(const EntryList& expected) {
    const TemporaryFolder copy;
    std::filesystem::copy(folder_.path(), copy.path(), std::filesystem::copy_options::recursive);
    auto reopened = OpenRocksDb({.path = copy.path()});
    ASSERT_TRUE(reopened.has_value()) << reopened.error();
    EXPECT_EQ(Entries(**reopened, {"D", "E"}), expected);
  }
};

INSTANTIATE_TEST_SUITE_P(Failures, FailingDisk,
                         testing::Values(DiskFailure{"FullWithEmptyMemtable", true, rocksdb::IOStatus::NoSpace("full")},
                                         DiskFailure{"FullWithMemtable", false, rocksdb::IOStatus::NoSpace("full")},
                                         DiskFailure{"BrokenWithEmptyMemtable", true,
                                                     rocksdb::IOStatus::IOError("bad")},
                                         DiskFailure{"BrokenWithMemtable", false, rocksdb::IOStatus::IOError("bad")}),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(FailingDisk, EndsEverythingThatDependedOnAFailedWriteAndRecovers) {
  OpenWithOneWrite(Durability::kSync);
  faults_.Hold();
  auto first = Start({"Da"}, "2");
  faults_.AwaitHeldSync();
  auto second = Start({"Da"}, "3");
  auto aborted = Start({"Da"}, "");
  auto unrelated = Start({"Db"}, "x");
  faults_.FailWith(GetParam().error);
  faults_.Release();
  EXPECT_EQ(first.get(), Commit::kUnknown);
  EXPECT_EQ(second.get(), Commit::kUnavailable);
  EXPECT_EQ(aborted.get(), Commit::kUnavailable);
  EXPECT_EQ(unrelated.get(), Commit::kUnavailable);

  EXPECT_EQ(WriteOne("Da", "4"), Commit::kUnavailable);
  EXPECT_EQ(ValueAt(*store_, "Da"), "1") << "reads go on";
  EXPECT_EQ(Keys(*store_, {"D", "E"}), std::vector<std::string>{"Da"});

  faults_.FailWith(rocksdb::IOStatus::OK());
  ASSERT_TRUE(BecomesWritable());
  EXPECT_EQ(WriteOne("Da", "5"), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da"), "15");
  EXPECT_EQ(CounterAt(*store_, "Cwrites"), 3) << "what failed does not count: 1, the probe and 5 do";

  Open();
  EXPECT_EQ(ValueAt(*store_, "Da"), "15");
  EXPECT_EQ(CounterAt(*store_, "Cwrites"), 3);
}

TEST_P(FailingDisk, SurvivesFailingAgainAndAgain) {
  OpenWithOneWrite(Durability::kSync);
  faults_.FailWith(GetParam().error);
  for (int i = 0; i < 15; ++i) {
    EXPECT_THAT(WriteOne("Da", "2"), AnyOf(Commit::kUnknown, Commit::kUnavailable));
    EXPECT_EQ(ValueAt(*store_, "Da"), "1");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  faults_.FailWith(rocksdb::IOStatus::OK());
  ASSERT_TRUE(BecomesWritable());
  CheckThatACopyHolds({{"Da", "1"}, {"Dprobe", "p"}});
}

TEST_P(FailingDisk, RefusesEverythingThatWouldTouchTheLogAndCloses) {
  for (const Durability durability : {Durability::kSync, Durability::kRelaxed}) {
    OpenWithOneWrite(durability);
    const auto before = ValueAt(*store_, "Da");
    faults_.FailAppendsWith(GetParam().error);
    faults_.FailWith(GetParam().error);
    EXPECT_NE(store_->EraseRange({"D", "E"}), Status::kOk);
    EXPECT_NE(store_->EraseRange({"D", "E"}), Status::kOk);
    EXPECT_NE(store_->Flush(), Status::kOk);
    EXPECT_EQ(WriteOne("Da", "2"), Commit::kUnavailable);
    EXPECT_EQ(ValueAt(*store_, "Da"), before);
    faults_.FailAppendsWith(rocksdb::IOStatus::OK());
    faults_.FailWith(rocksdb::IOStatus::OK());
    Open(durability);
    EXPECT_EQ(ValueAt(*store_, "Da"), before);
  }
}

TEST_P(FailingDisk, RecoversFromAnErasureThatFailed) {
  OpenWithOneWrite(Durability::kSync);
  faults_.FailWith(GetParam().error);
  EXPECT_NE(store_->EraseRange({"Dx", "Dy"}), Status::kOk);
  faults_.FailWith(rocksdb::IOStatus::OK());
  ASSERT_TRUE(BecomesWritable());
  EXPECT_EQ(store_->EraseRange({"Dx", "Dy"}), Status::kOk);
  CheckThatACopyHolds({{"Da", "1"}, {"Dprobe", "p"}});
}

TEST_P(FailingDisk, RecoversWithoutAnyoneWriting) {
  for (const Durability durability : {Durability::kSync, Durability::kRelaxed}) {
    OpenWithOneWrite(durability);
    faults_.FailWith(GetParam().error);
    EXPECT_NE(store_->Flush(), Status::kOk);
    EXPECT_EQ(Start({"Da"}, "2").get(), Commit::kUnavailable) << "the queue knows at once";
    faults_.FailWith(rocksdb::IOStatus::OK());
    Status flushed = Status::kUnavailable;
    for (int i = 0; i < 200 && flushed != Status::kOk; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      flushed = store_->Flush();
    }
    EXPECT_EQ(flushed, Status::kOk);
    EXPECT_EQ(WriteOne("Db", "x"), Commit::kOk);
  }
}

TEST_P(FailingDisk, SaysInTheLogWhatFailedAndThatItIsOver) {
  OpenWithOneWrite(Durability::kSync);
  testing::internal::CaptureStderr();
  faults_.FailWith(GetParam().error);
  EXPECT_EQ(WriteOne("Da", "2"), Commit::kUnknown);
  faults_.FailWith(rocksdb::IOStatus::OK());
  EXPECT_TRUE(BecomesWritable());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("cannot write: " + GetParam().error.ToString()), HasSubstr("has recovered")));
}

// A process that dies after the recovery must not bring back what had failed.
TEST_P(FailingDisk, NeverReplaysAFailedSyncAfterItHasRecovered) {
  OpenWithOneWrite(Durability::kSync);
  faults_.FailWith(GetParam().error);
  EXPECT_EQ(WriteOne("Da", "2"), Commit::kUnknown);
  faults_.FailWith(rocksdb::IOStatus::OK());
  ASSERT_TRUE(BecomesWritable());
  WriteOne("Db", "b");
  CheckThatACopyHolds({{"Da", "1"}, {"Db", "b"}, {"Dprobe", "p"}});
}

TEST_P(FailingDisk, LosesNothingThatFollowsAHalfWrittenRecord) {
  for (const Durability durability : {Durability::kSync, Durability::kRelaxed}) {
    OpenWithOneWrite(durability);
    const std::string before = ValueAt(*store_, "Da").value_or("");
    faults_.FailAppendsWith(GetParam().error);
    EXPECT_EQ(WriteOne("Da", "2"), Commit::kUnknown);
    faults_.FailAppendsWith(rocksdb::IOStatus::OK());
    ASSERT_TRUE(BecomesWritable());
    WriteOne("Db", "b");
    CheckThatACopyHolds(
        {{"Da", before}, {"Db", before.size() == 1 ? "b" : "bb"}, {"Dprobe", before.size() == 1 ? "p" : "pp"}});
  }
}

TEST_F(RocksDbStoreTest, RecoversFromAFullDiskUnderLoad) {
  Open();
  std::atomic<int> acknowledged = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 4; ++thread) {
    writers.emplace_back([&] {
      while (!stop) {
        const Commit commit = WriteOne("Dhot", "x");
        if (commit == Commit::kOk) ++acknowledged;
      }
    });
  }
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    faults_.FailWith(rocksdb::IOStatus::NoSpace("no space left"));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    faults_.FailWith(rocksdb::IOStatus::OK());
    ASSERT_TRUE(BecomesWritable());
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(ValueAt(*store_, "Dhot").value_or("").size(), static_cast<std::size_t>(acknowledged));
}

// Cuts the power while a write is on its way to the disk, with every possible
// part of it there, and with the part behind a hole there.
TEST_F(RocksDbStoreTest, KeepsWhatIsAcknowledgedAndNoHalfMutationAfterAPowerCut) {
  Open();
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Start({"Da", "Db"}, "x").get(), Commit::kOk);
  faults_.Hold();
  auto cut = Start({"Da", "Db"}, "x");
  faults_.AwaitHeldSync();
  std::string log;
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    if (file.path().extension() == ".log") log = file.path();
  }
  const std::uintmax_t synced = faults_.SyncedBytes(log);
  const std::uintmax_t written = std::filesystem::file_size(log);
  ASSERT_GT(synced, 0u);
  ASSERT_GT(written, synced);
  for (const bool with_hole : {false, true}) {
    for (std::uintmax_t size = synced; size <= written; size += 7) {
      const TemporaryFolder copy;
      std::filesystem::copy(folder_.path(), copy.path(), std::filesystem::copy_options::recursive);
      const std::string copied_log = copy.path() + "/" + std::filesystem::path(log).filename().string();
      if (with_hole) {
        std::fstream hole(copied_log, std::ios::in | std::ios::out | std::ios::binary);
        hole.seekp(static_cast<std::streamoff>(synced));
        hole << std::string(size - synced, '\0');
      } else {
        std::filesystem::resize_file(copied_log, size);
      }
      auto reopened = OpenRocksDb({.path = copy.path()});
      ASSERT_TRUE(reopened.has_value()) << reopened.error();
      const auto value = ValueAt(**reopened, "Da");
      ASSERT_THAT(value, AnyOf("xxxxx", "xxxxxx"));
      ASSERT_EQ(ValueAt(**reopened, "Db"), value);
      ASSERT_EQ(CounterAt(**reopened, "Cwrites"), static_cast<std::int64_t>(value->size()));
    }
  }
  faults_.Release();
  EXPECT_EQ(cut.get(), Commit::kOk);
}

}  // namespace
}  // namespace taula::storage
