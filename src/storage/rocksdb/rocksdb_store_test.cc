// What the RocksDB store promises beyond the contract of all stores: what is
// on the disk when, and who waits for whom.
#include "storage/rocksdb/rocksdb_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <rocksdb/db.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <thread>

#include "storage/rocksdb/rocksdb_store_testing.h"

namespace taula::storage {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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

TEST_F(RocksDbStoreTest, CopiesAFolderWithItsStates) {
  Open();
  ASSERT_EQ(WriteOne("Da", "x"), Commit::kOk);
  ASSERT_EQ(store_->SaveState("state"), Status::kOk);
  ASSERT_EQ(WriteOne("Da", "y"), Commit::kOk);
  store_.reset();
  const TemporaryFolder folder;
  const std::string to = folder.path() + "/copy";
  const auto copied = CopyRocksDb(folder_.path(), to);
  ASSERT_TRUE(copied.has_value()) << copied.error();
  const auto copy = OpenRocksDb({.path = to});
  ASSERT_TRUE(copy.has_value()) << copy.error();
  EXPECT_EQ(ValueAt(**copy, "Da"), "xy");
  const auto state = (*copy)->OpenState("state");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(ValueAt(*state, "Da"), "x");
}

TEST_F(RocksDbStoreTest, CopiesAFolderToANameWithASlashAtItsEnd) {
  Open();
  ASSERT_EQ(WriteOne("Da", "x"), Commit::kOk);
  store_.reset();
  const TemporaryFolder folder;
  const auto copied = CopyRocksDb(folder_.path() + "/", folder.path() + "/new/copy/");
  ASSERT_TRUE(copied.has_value()) << copied.error();
  const auto copy = OpenRocksDb({.path = folder.path() + "/new/copy"});
  ASSERT_TRUE(copy.has_value()) << copy.error();
  EXPECT_EQ(ValueAt(**copy, "Da"), "x");
}

TEST_F(RocksDbStoreTest, MakesNoDataFolderOfAnyFolderThatIsToBeCopied) {
  const TemporaryFolder other;
  std::ofstream(other.path() + "/letter") << "Dear";
  const std::string to = folder_.path() + "/copy";
  const auto copied = CopyRocksDb(other.path(), to);
  ASSERT_FALSE(copied.has_value());
  EXPECT_THAT(copied.error(), HasSubstr("is not a data folder"));
  EXPECT_FALSE(std::filesystem::exists(other.path() + "/CURRENT"));
  EXPECT_FALSE(std::filesystem::exists(to));
}

// Something that cannot be copied, whoever asks.
void SpoilState(const std::string& data_folder, const std::string& state) {
  const std::string pipe = data_folder + "/states/" + state + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
}

TEST_F(RocksDbStoreTest, MakesNoCopyWithoutAllOfItsStates) {
  Open();
  ASSERT_EQ(store_->SaveState("state"), Status::kOk);
  SpoilState(folder_.path(), "state");
  store_.reset();
  const TemporaryFolder folder;
  const std::string to = folder.path() + "/copy";
  const auto copied = CopyRocksDb(folder_.path(), to);
  ASSERT_FALSE(copied.has_value());
  EXPECT_THAT(copied.error(), AllOf(HasSubstr(to + " cannot be written"), HasSubstr("states/state")));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(RocksDbStoreTest, MakesNoForkWithoutAllOfItsStates) {
  Open();
  ASSERT_EQ(store_->SaveState("state"), Status::kOk);
  SpoilState(folder_.path(), "state");
  testing::internal::CaptureStderr();
  EXPECT_EQ(store_->Fork(), nullptr);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("A fork cannot be made"), HasSubstr("states/state")));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() + "/forks"));
}

bool HasFilesToDelete(const std::string& folder) {
  return std::ranges::any_of(std::filesystem::directory_iterator(folder),
                             [](const auto& file) { return file.path().extension() == ".trash"; });
}

bool HasNoneSoon(const std::string& folder) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (HasFilesToDelete(folder) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return !HasFilesToDelete(folder);
}

// Files go in steps, each of which cuts something off: not from those that a saved
// state has too.
TEST_F(RocksDbStoreTest, DeletesFilesWithoutHarmToSavedStates) {
  constexpr int kValues = 200;
  const auto value_of = [](int i) {
    std::mt19937 random(static_cast<unsigned>(i));
    std::string value(std::size_t{64} << 10, '\0');
    std::ranges::generate(value, [&] { return static_cast<char>(random()); });
    return value;
  };
  Open();
  for (int i = 0; i < kValues; ++i) {
    Write(*store_, [&](Batch& batch) { batch.Put("Dbefore" + std::to_string(i), value_of(i)); });
  }
  ASSERT_EQ(store_->SaveState("state"), Status::kOk);
  ASSERT_EQ(store_->EraseRange({"D", "E"}), Status::kOk);
  ASSERT_TRUE(HasFilesToDelete(folder_.path()));
  ASSERT_TRUE(HasNoneSoon(folder_.path()));
  const auto state = store_->OpenState("state");
  ASSERT_NE(state, nullptr);
  for (int i = 0; i < kValues; ++i) ASSERT_EQ(ValueAt(*state, "Dbefore" + std::to_string(i)), value_of(i));
}

TEST_F(RocksDbStoreTest, DeletesWhatWasLeftToBeDeletedWhenItWasClosed) {
  Open();
  store_.reset();
  std::ofstream(folder_.path() + "/000999.log.trash") << std::string(std::size_t{9} << 20, 'x');
  Open();
  EXPECT_TRUE(HasNoneSoon(folder_.path()));
}

// Of what is still in memory, past the remembered answers.
TEST_F(RocksDbStoreTest, LookingUpAKeyLeavesNothingBehind) {
  Open();
  WriteOne("Da", "x");
  const auto snapshot = store_->Snapshot();
  const auto look = [&] {
    for (int i = 0; i < 50'000; ++i) ASSERT_EQ(ValueAt(*snapshot, "Da"), "x");
  };
  look();
  const std::size_t before = ::mallinfo2().uordblks;
  look();
  EXPECT_LT(::mallinfo2().uordblks, before + (std::size_t{200} << 10));
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
  auto deleted = StartDeletion("Da");
  auto written = Start({"Da"}, "y");
  faults_.Release();
  EXPECT_EQ(deleted.get(), Commit::kOk);
  EXPECT_EQ(written.get(), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da"), "y");
}

// Every key has been read before, so that its value is remembered, and is written
// more than once by one group.
TEST_F(RocksDbStoreTest, OfAGroupsWritesTheLastIsRemembered) {
  Open();
  const std::vector<Key> keys = {"Dgrows", "Dgoes", "Dcomes back", "Dgets too large"};
  ASSERT_EQ(Start(keys, "x").get(), Commit::kOk);
  for (const Key& key : keys) ASSERT_EQ(ValueAt(*store_, key), "x");
  const std::string large(std::size_t{600} << 10, 'l');
  faults_.Hold();
  std::vector<std::future<Commit>> ends;
  ends.push_back(Start({"Dfirst"}, "f"));  // leaves the others time to come together
  ends.push_back(Start(keys, "y"));
  ends.push_back(Start({"Dgrows"}, "z"));
  ends.push_back(StartDeletion("Dgoes"));
  ends.push_back(StartDeletion("Dcomes back"));
  ends.push_back(Start({"Dcomes back"}, "z"));
  ends.push_back(Start({"Dgets too large"}, large));
  faults_.Release();
  for (std::future<Commit>& end : ends) ASSERT_EQ(end.get(), Commit::kOk);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(ValueAt(*store_, "Dgrows"), "xyz");
    EXPECT_EQ(ValueAt(*store_, "Dgoes"), std::nullopt);
    EXPECT_EQ(ValueAt(*store_, "Dcomes back"), "z");
    EXPECT_EQ(ValueAt(*store_, "Dgets too large"), "xy" + large);
  }
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
// Where mutations end of which each is made by the end of the one before.
std::vector<std::thread::id> EndsOfAChain(Store& store, std::size_t mutations) {
  std::vector<std::thread::id> ends;
  // Shared, for whoever keeps the promise may still be at it when this returns.
  const auto all_done = std::make_shared<std::promise<void>>();
  std::function<void()> mutate = [&] {
    store.Mutate(std::make_unique<LambdaMutation>(
        std::vector<Key>{"Da"},
        [](auto, Batch& batch) {
          batch.Put("Da", "x");
          return true;
        },
        [&, all_done](Commit commit) {
          EXPECT_EQ(commit, Commit::kOk);
          ends.push_back(std::this_thread::get_id());
          if (ends.size() < mutations) {
            mutate();
          } else {
            all_done->set_value();
          }
        }));
  };
  mutate();
  all_done->get_future().wait();
  return ends;
}

TEST_F(RocksDbStoreTest, KeepsACallerForAFewGroupsOnly) {
  constexpr std::size_t kMutations = 20;
  constexpr int kTriesMax = 10'000;
  Open(Durability::kRelaxed);
  const std::thread::id here = std::this_thread::get_id();
  // The store's own thread has begun once it ends a chain, and then waits for work
  // again: until it does, whoever comes finds it at it.
  EXPECT_NE(EndsOfAChain(*store_, kMutations).back(), here);
  int tries = 1;
  while (EndsOfAChain(*store_, 1).front() != here && tries < kTriesMax) ++tries;
  ASSERT_LT(tries, kTriesMax) << "one that is alone needs no other thread";
  const std::vector<std::thread::id> ends = EndsOfAChain(*store_, kMutations);
  EXPECT_EQ(ends.front(), here);
  EXPECT_NE(ends.back(), here);
  EXPECT_LE(std::ranges::count(ends, here), 2);
}

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

TEST_F(RocksDbStoreTest, ForksWhileTheFirstRecordOfItsLogIsBeingWritten) {
  Open();
  WriteOne("Da", "one");
  faults_.TearReads(1);
  const auto fork = store_->Fork();
  ASSERT_NE(fork, nullptr);
  EXPECT_FALSE(faults_.TearsARead()) << "the log has been read";
  EXPECT_EQ(ValueAt(*fork, "Da"), "one");
}

TEST_F(RocksDbStoreTest, MakesNoForkWithALogThatStaysDamaged) {
  Open();
  WriteOne("Da", "one");
  faults_.TearReads(1000);
  EXPECT_EQ(store_->Fork(), nullptr);
}

TEST_F(RocksDbStoreTest, RemovesTheForksOfAProcessThatWasKilled) {
  const std::filesystem::path left = std::filesystem::path(folder_.path()) / "forks" / "left";
  std::filesystem::create_directories(left);
  std::ofstream(left / "000001.sst") << "bytes";
  Open();
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST_F(RocksDbStoreTest, RemovesTheStateThatAKilledProcessWasSaving) {
  Open();
  ASSERT_EQ(store_->SaveState("whole"), Status::kOk);
  store_.reset();
  const std::filesystem::path left = std::filesystem::path(folder_.path()) / "states" / "state.tmp";
  std::filesystem::create_directories(left);
  std::ofstream(left / "000001.sst") << "bytes";
  const TemporaryFolder folder;
  ASSERT_TRUE(CopyRocksDb(folder_.path(), folder.path() + "/copy").has_value());
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/copy/states/state.tmp"));
  Open();
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_NE(store_->OpenState("whole"), nullptr);
}

}  // namespace
}  // namespace taula::storage
