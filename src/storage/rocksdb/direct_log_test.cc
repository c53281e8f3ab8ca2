#include "storage/rocksdb/direct_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_testing.h"

namespace taula::storage {
namespace {

using testing::AnyOf;

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Noise(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string noise(bytes, '\0');
  for (char& one : noise) one = static_cast<char>(1 + random() % 255);
  return noise;
}

class DirectLogTest : public testing::Test {
 protected:
  void SetUp() override {
    log_ = DirectLog::Open(path_);
    if (log_ == nullptr) GTEST_SKIP() << "the temporary folder's file system has no direct files";
  }

  void AppendAndSync(const std::string& data) {
    ASSERT_TRUE(log_->Append(data).ok());
    ASSERT_TRUE(log_->Sync().ok());
    expected_ += data;
  }

  // What was synced is in the file, and nothing but zeros behind it.
  void CheckFile() {
    const std::string contents = Contents(path_);
    ASSERT_GE(contents.size(), expected_.size());
    EXPECT_TRUE(contents.starts_with(expected_));
    EXPECT_EQ(contents.find_first_not_of('\0', expected_.size()), std::string::npos);
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.path() + "/000001.log";
  std::unique_ptr<DirectLog> log_;
  std::string expected_;
};

TEST_F(DirectLogTest, HoldsWhatWasSyncedAndZerosBehindIt) {
  for (const std::size_t bytes : {1, 7, 4087, 1, 4096, 5000, 100'000, 3, 65'536}) {
    AppendAndSync(Noise(bytes, static_cast<unsigned>(bytes)));
    EXPECT_EQ(log_->size(), expected_.size());
    EXPECT_EQ(log_->synced_bytes(), expected_.size());
    CheckFile();
  }
}

TEST_F(DirectLogTest, HoldsNothingThatWasNotSynced) {
  AppendAndSync("synced");
  ASSERT_TRUE(log_->Append("not synced").ok());
  EXPECT_EQ(log_->size(), 16u);
  EXPECT_EQ(log_->synced_bytes(), 6u);
  CheckFile();
}

TEST_F(DirectLogTest, EndsWhereTheDataEndsOnceClosed) {
  AppendAndSync(Noise(10'000, 1));
  ASSERT_TRUE(log_->Append("the rest").ok());
  ASSERT_TRUE(log_->Close().ok());
  EXPECT_EQ(Contents(path_), expected_ + "the rest");
}

TEST_F(DirectLogTest, TakesMoreAtOnceThanItsBufferHolds) {
  AppendAndSync(Noise(100, 1));
  AppendAndSync(Noise(5'000'000, 2));
  AppendAndSync(Noise(100, 3));
  CheckFile();
  ASSERT_TRUE(log_->Close().ok());
  EXPECT_EQ(Contents(path_), expected_);
}

// Zeros are written in the background all the while, at times just where the data
// is about to go.
TEST_F(DirectLogTest, NeverLosesDataToZeros) {
  std::mt19937 random(1);
  while (expected_.size() < (std::size_t{24} << 20)) {
    AppendAndSync(Noise(1 + random() % 200'000, random()));
    if (random() % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(random() % 4));
  }
  CheckFile();
  ASSERT_TRUE(log_->Close().ok());
  EXPECT_EQ(Contents(path_), expected_);
}

TEST_F(DirectLogTest, IsLongerThanTheDataButNotByMuch) {
  constexpr std::size_t kLeast = std::size_t{1} << 20;
  constexpr std::size_t kMost = std::size_t{7} << 20;
  while (expected_.size() < (std::size_t{20} << 20)) {
    AppendAndSync(Noise(50'000, static_cast<unsigned>(expected_.size())));
    EXPECT_LE(std::filesystem::file_size(path_), expected_.size() + kMost);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::filesystem::file_size(path_) < expected_.size() + kLeast) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "nothing is prepared for what comes next";
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CheckFile();
}

TEST_F(DirectLogTest, WritesNothingMoreAfterAFailure) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handled_before = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 256 << 10, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  rocksdb::IOStatus status;
  for (int i = 0; i < 1000 && status.ok(); ++i) {
    const std::string data = Noise(1000, static_cast<unsigned>(i));
    status = log_->Append(data);
    if (status.ok()) status = log_->Sync();
    if (status.ok()) expected_ += data;
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handled_before);
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_FALSE(log_->Sync().ok()) << "although there would be room now";
  EXPECT_FALSE(log_->Close().ok());
  EXPECT_EQ(Contents(path_), expected_);
}

class StoreOnDirectLog : public testing::Test {
 protected:
  static Commit Append(Store& store, const std::string& suffix) {
    const std::vector<Key> reads = {"Da", "Db"};
    return MutateAndWait(store, reads, [&](auto values, Batch& batch) {
      for (std::size_t i = 0; i < reads.size(); ++i) batch.Put(reads[i], std::string(values[i].value_or("")) + suffix);
      batch.Add("Cwrites", 1);
      return true;
    });
  }

  [[nodiscard]] std::string Log() const {
    for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
      if (file.path().extension() == ".log") return file.path();
    }
    return {};
  }

  // The data without the zeros behind it.
  [[nodiscard]] static std::size_t DataBytes(const std::string& log) {
    return Contents(log).find_last_not_of('\0') + 1;
  }

  const TemporaryFolder folder_;
};

// The power fails while a write is on its way to the disk: any part of it may be
// there, from its beginning or behind a hole, and zeros are where it is not.
TEST_F(StoreOnDirectLog, KeepsWhatIsAcknowledgedAndNoHalfMutationAfterAPowerCut) {
  auto store = OpenRocksDb({.path = folder_.path()});
  ASSERT_TRUE(store.has_value()) << store.error();
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Append(**store, "x"), Commit::kOk);
  const std::size_t synced = DataBytes(Log());
  ASSERT_EQ(Append(**store, "y"), Commit::kOk);
  const std::size_t written = DataBytes(Log());
  ASSERT_GT(written, synced);
  for (const bool with_hole : {false, true}) {
    for (std::size_t cut = synced; cut <= written; cut += 5) {
      const TemporaryFolder copy;
      std::filesystem::copy(folder_.path(), copy.path(), std::filesystem::copy_options::recursive);
      std::fstream log(copy.path() / std::filesystem::path(Log()).filename(),
                       std::ios::in | std::ios::out | std::ios::binary);
      log.seekp(static_cast<std::streamoff>(with_hole ? synced : cut));
      log << std::string(with_hole ? cut - synced : written - cut, '\0');
      log.close();
      auto reopened = OpenRocksDb({.path = copy.path()});
      ASSERT_TRUE(reopened.has_value()) << reopened.error();
      const auto value = ValueAt(**reopened, "Da");
      ASSERT_THAT(value, AnyOf("xxxxx", "xxxxxy"));
      ASSERT_EQ(ValueAt(**reopened, "Db"), value);
      ASSERT_EQ(CounterAt(**reopened, "Cwrites"), static_cast<std::int64_t>(value->size()));
      ASSERT_EQ(Append(**reopened, "z"), Commit::kOk);
      reopened->reset();
      reopened = OpenRocksDb({.path = copy.path()});
      ASSERT_TRUE(reopened.has_value()) << reopened.error();
      ASSERT_EQ(ValueAt(**reopened, "Da"), *value + "z");
    }
  }
}

}  // namespace
}  // namespace taula::storage
