// What the RocksDB store does when the disk fails, is full, or loses power.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "storage/rocksdb/direct_log_files.h"
#include "storage/rocksdb/rocksdb_store_testing.h"

namespace taula::storage {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

using FailingLog = RocksDbStoreTest;

// How RocksDB recovers depends on whether its memtable is empty, on the error,
// and on what is still in the log's buffer.
struct DiskFailure {
  const char* name;
  bool empty_memtable;
  rocksdb::IOStatus error;
  bool direct_log = false;
};

class FailingDisk : public RocksDbStoreTest, public testing::WithParamInterface<DiskFailure> {
 protected:
  FailingDisk() {
    if (!GetParam().direct_log) return;
    env_ = rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(faults_, DirectLogFiles()->GetFileSystem()));
  }

  // A direct log is for those who sync.
  static std::vector<Durability> Durabilities() {
    if (GetParam().direct_log) return {Durability::kSync};
    return {Durability::kSync, Durability::kRelaxed};
  }

  void OpenWithOneWrite(Durability durability) {
    Open(durability);
    WriteOne("Da", "1");
    if (GetParam().empty_memtable) Open(durability);
  }

  // Again while an old log is just being cut off or removed.
  void CopyTo(const std::string& path) {
    std::error_code error;
    for (int i = 0; i < 100; ++i) {
      std::filesystem::remove_all(path);
      std::filesystem::copy(folder_.path(), path, std::filesystem::copy_options::recursive, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << error.message();
  }

  // Opens a copy of the folder, as after the death of the process.
  void CheckThatACopyHolds(const EntryList& expected) {
    const TemporaryFolder copy;
    CopyTo(copy.path());
    auto reopened = OpenRocksDb({.path = copy.path()});
    ASSERT_TRUE(reopened.has_value()) << reopened.error();
    EXPECT_EQ(Entries(**reopened, {"D", "E"}), expected);
  }
};

INSTANTIATE_TEST_SUITE_P(
    Failures, FailingDisk,
    testing::Values(DiskFailure{"FullWithEmptyMemtable", true, rocksdb::IOStatus::NoSpace("full")},
                    DiskFailure{"FullWithMemtable", false, rocksdb::IOStatus::NoSpace("full")},
                    DiskFailure{"BrokenWithEmptyMemtable", true, rocksdb::IOStatus::IOError("bad")},
                    DiskFailure{"BrokenWithMemtable", false, rocksdb::IOStatus::IOError("bad")},
                    DiskFailure{"FullWithEmptyMemtableAndDirectLog", true, rocksdb::IOStatus::NoSpace("full"), true},
                    DiskFailure{"FullWithMemtableAndDirectLog", false, rocksdb::IOStatus::NoSpace("full"), true},
                    DiskFailure{"BrokenWithMemtableAndDirectLog", false, rocksdb::IOStatus::IOError("bad"), true}),
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
  for (const Durability durability : Durabilities()) {
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
  for (const Durability durability : Durabilities()) {
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
    EXPECT_TRUE(BecomesWritable()) << "at once, or as soon as the queue has heard of it";
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
  for (const Durability durability : Durabilities()) {
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

class FailingFiles : public RocksDbStoreTest, public testing::WithParamInterface<const char*> {
 protected:
  void BreakFiles() { faults_.FailFilesWith(GetParam(), rocksdb::IOStatus::IOError("bad")); }
  void Heal() {
    faults_.FailFilesWith(GetParam(), rocksdb::IOStatus::OK());
    faults_.FailWith(rocksdb::IOStatus::OK());
  }

  // More than is held in memory, so that some of it must go to a file.
  void WriteUntilRefused() {
    const std::string value(std::size_t{256} << 10, 'x');
    for (int i = 0; i < 400 && written_.size() == static_cast<std::size_t>(i); ++i) {
      const std::string key = "E" + std::to_string(1000 + i);
      if (WriteOne(key, value) == Commit::kOk) written_.push_back(key);
    }
    ASSERT_LT(written_.size(), 400U);
  }

  void CheckThatNothingIsLost() {
    const std::vector<std::string> keys = Keys(*store_, {"E", "F"});
    for (const std::string& key : written_) EXPECT_THAT(keys, testing::Contains(key));
  }

  void CheckThatItRecovers() {
    ASSERT_TRUE(BecomesWritable());
    EXPECT_EQ(WriteOne("Da", "2"), Commit::kOk);
    CheckThatNothingIsLost();
    Open();
    EXPECT_EQ(ValueAt(*store_, "Da"), "12");
    CheckThatNothingIsLost();
  }

  std::vector<std::string> written_;
};

INSTANTIATE_TEST_SUITE_P(Files, FailingFiles, testing::Values(".sst", "MANIFEST"),
                         [](const auto& part) { return part.param[0] == '.' ? "Tables" : "Manifest"; });

TEST_P(FailingFiles, RecoversWhenTheLogAndMemoryCouldNotBeWritten) {
  Open();
  WriteOne("Da", "1");
  BreakFiles();
  faults_.FailWith(rocksdb::IOStatus::IOError("bad"));
  EXPECT_EQ(WriteOne("Db", "x"), Commit::kUnknown);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(WriteOne("Db", "x"), Commit::kUnavailable);
  Heal();
  CheckThatItRecovers();
  EXPECT_EQ(ValueAt(*store_, "Db"), std::nullopt) << "what has failed does not come back";
}

TEST_P(FailingFiles, RecoversWhenMemoryCouldNotBeWritten) {
  options_.write_buffer_bytes = std::size_t{2} << 20;
  Open();
  WriteOne("Da", "1");
  BreakFiles();
  WriteUntilRefused();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(WriteOne("Da", "x"), Commit::kUnavailable);
  CheckThatNothingIsLost();
  Heal();
  CheckThatItRecovers();
}

TEST_P(FailingFiles, KeepsEverythingWhenItDiesBeforeItHasRecovered) {
  Open();
  WriteOne("Da", "1");
  BreakFiles();
  faults_.FailWith(rocksdb::IOStatus::IOError("bad"));
  EXPECT_EQ(WriteOne("Db", "x"), Commit::kUnknown);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const TemporaryFolder copy;
  std::filesystem::copy(folder_.path(), copy.path(),
                        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  auto reopened = OpenRocksDb({.path = copy.path()});
  ASSERT_TRUE(reopened.has_value()) << reopened.error();
  EXPECT_EQ(ValueAt(**reopened, "Da"), "1");
  Heal();
}

TEST_F(FailingLog, SaysWhenOnlyARestartHelpsThoughItHasSaidMuchBefore) {
  constexpr auto kSomeTries = std::chrono::milliseconds(400);
  Open();
  WriteOne("Da", "1");
  testing::internal::CaptureStderr();
  faults_.FailWith(rocksdb::IOStatus::IOError("bad log"));
  faults_.FailFilesWith(".sst", rocksdb::IOStatus::IOError("bad table"));
  EXPECT_EQ(WriteOne("Da", "2"), Commit::kUnknown);
  std::this_thread::sleep_for(kSomeTries);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("cannot recover: IO error: bad table"), testing::Not(HasSubstr("restarted"))));

  testing::internal::CaptureStderr();
  faults_.FailFilesWith(".sst", rocksdb::IOStatus::Corruption("worse"));
  std::this_thread::sleep_for(3 * kSomeTries);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("worse; the server must be restarted"));
  faults_.FailFilesWith(".sst", rocksdb::IOStatus::OK());
  faults_.FailWith(rocksdb::IOStatus::OK());
  EXPECT_EQ(WriteOne("Da", "3"), Commit::kUnavailable);
  Open();
  EXPECT_EQ(WriteOne("Da", "4"), Commit::kOk);
  EXPECT_EQ(ValueAt(*store_, "Da").value_or("").front(), '1');
}

TEST_F(FailingLog, RecoversFromAFullDiskUnderLoad) {
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
TEST_F(FailingLog, KeepsWhatIsAcknowledgedAndNoHalfMutationAfterAPowerCut) {
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
