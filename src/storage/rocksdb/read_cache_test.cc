#include "storage/rocksdb/read_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_testing.h"

namespace taula::storage {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

// Keys of one partition: they share their first nine bytes.
std::string KeyOf(char partition, std::string_view rest) { return std::string(9, partition) + std::string(rest); }
Range PartitionRange(char partition) {
  return {std::string(9, partition), std::string(9, static_cast<char>(partition + 1))};
}

class ReadCacheTest : public testing::Test {
 protected:
  std::optional<std::string> Get(std::string_view key) {
    std::optional<std::string> value;
    const ReadCache::Question question(cache_, key);
    cache_.Get(question, [&](std::string_view found) { value = found; });
    return value;
  }
  void Keep(std::string_view key, std::string_view value) { cache_.Keep(ReadCache::Question(cache_, key), value); }

  std::optional<Entries> Scan(const Range& range, const ScanOptions& options) {
    Entries entries;
    const ReadCache::Question question(cache_, range, options);
    const bool answered = cache_.Scan(question, options.items_max, [&](std::string_view key, std::string_view value) {
      entries.emplace_back(key, value);
      return true;
    });
    return answered ? std::optional(entries) : std::nullopt;
  }
  void KeepScan(const Range& range, const ScanOptions& options, const Entries& entries, bool complete) {
    ReadCache::Recording recording;
    for (const auto& [key, value] : entries) recording.Add(key, value);
    if (complete) recording.Complete();
    cache_.Keep(ReadCache::Question(cache_, range, options), recording);
  }

  std::shared_ptr<rocksdb::Cache> blocks_ = rocksdb::NewLRUCache(1 << 20);
  ReadCache cache_{blocks_};
};

TEST_F(ReadCacheTest, RemembersValues) {
  EXPECT_EQ(Get("Dkey"), std::nullopt);
  Keep("Dkey", "value");
  EXPECT_EQ(Get("Dkey"), "value");
  EXPECT_EQ(Get("Dkez"), std::nullopt);
  EXPECT_EQ(Get("Dke"), std::nullopt);
}

TEST_F(ReadCacheTest, TellsKeysOfEveryLengthApart) {
  for (std::size_t length = 0; length < 40; ++length) Keep(std::string(length, '\0'), std::to_string(length));
  for (std::size_t length = 0; length < 40; ++length) EXPECT_EQ(Get(std::string(length, '\0')), std::to_string(length));
}

TEST_F(ReadCacheTest, ForgetsWhatIsWritten) {
  Keep("Dkey", "old");
  {
    ReadCache::Write write(cache_);
    write.Begin("Dkey");
    EXPECT_EQ(Get("Dkey"), std::nullopt) << "from the moment somebody else may see the new value";
    Keep("Dkey", "read meanwhile");
  }
  EXPECT_EQ(Get("Dkey"), std::nullopt) << "nobody knows which value that was";
  Keep("Dkey", "new");
  EXPECT_EQ(Get("Dkey"), "new");
}

TEST_F(ReadCacheTest, TakesNoAnswerThatAWriteHasOvertaken) {
  const ReadCache::Question question(cache_, "Dkey");
  ReadCache::Write(cache_).Begin("Dkey");
  cache_.Keep(question, "old");
  EXPECT_EQ(Get("Dkey"), std::nullopt);
}

TEST_F(ReadCacheTest, RenewsOnlyWhatItHas) {
  cache_.Renew("Dkey", "value");
  EXPECT_EQ(Get("Dkey"), std::nullopt);
  Keep("Dkey", "old");
  ReadCache::Write(cache_).Begin("Dkey");
  cache_.Renew("Dkey", "newest");
  cache_.Renew("Dkey", "an older one of the same group");
  EXPECT_EQ(Get("Dkey"), "newest");
}

TEST_F(ReadCacheTest, RemembersScans) {
  const Entries three = {{KeyOf('p', "1"), "a"}, {KeyOf('p', "2"), "b"}, {KeyOf('p', "3"), "c"}};
  KeepScan(PartitionRange('p'), {}, three, true);
  EXPECT_EQ(Scan(PartitionRange('p'), {}), three);
  EXPECT_EQ(Scan(PartitionRange('p'), {.reverse = true}), std::nullopt);
  EXPECT_EQ(Scan(PartitionRange('q'), {}), std::nullopt);
  EXPECT_EQ(Scan(PartitionRange('p'), {.items_max = 2}), Entries(three.begin(), three.begin() + 2));
  EXPECT_EQ(Scan(PartitionRange('p'), {.items_max = 9}), three);
}

TEST_F(ReadCacheTest, KnowsWhenAScanWentNotFarEnough) {
  const Entries two = {{KeyOf('p', "1"), "a"}, {KeyOf('p', "2"), "b"}};
  KeepScan(PartitionRange('p'), {.items_max = 2}, two, false);
  EXPECT_EQ(Scan(PartitionRange('p'), {.items_max = 2}), two);
  EXPECT_EQ(Scan(PartitionRange('p'), {.items_max = 1}), Entries(two.begin(), two.begin() + 1));
  EXPECT_EQ(Scan(PartitionRange('p'), {.items_max = 3}), std::nullopt);
  EXPECT_EQ(Scan(PartitionRange('p'), {}), std::nullopt);
}

TEST_F(ReadCacheTest, ForgetsScansOfAPartitionThatIsWritten) {
  KeepScan(PartitionRange('p'), {}, {}, true);
  KeepScan(PartitionRange('q'), {}, {}, true);
  ReadCache::Write(cache_).Begin(KeyOf('p', "new"));
  EXPECT_EQ(Scan(PartitionRange('p'), {}), std::nullopt);
  EXPECT_EQ(Scan(PartitionRange('q'), {}), Entries());
}

TEST_F(ReadCacheTest, ForgetsAll) {
  Keep("Dkey", "value");
  KeepScan(PartitionRange('p'), {}, {}, true);
  cache_.ForgetAll();
  EXPECT_EQ(Get("Dkey"), std::nullopt);
  EXPECT_EQ(Scan(PartitionRange('p'), {}), std::nullopt);
}

TEST_F(ReadCacheTest, StaysWithinItsCapacity) {
  for (int i = 0; i < 10'000; ++i) Keep(std::to_string(i), std::string(1000, 'x'));
  EXPECT_LE(blocks_->GetUsage(), blocks_->GetCapacity());
  Keep("long", std::string(1 << 20, 'x'));
  EXPECT_EQ(Get("long"), std::nullopt) << "would push out everything else";
}

// One writer counts up a key while readers look at it in all ways there are.
// Nobody may ever see the count go back, whichever way he looked before.
TEST(ReadCacheInAStore, NeverShowsAnOlderStateThanWasSeen) {
  const TemporaryFolder folder;
  auto opened = OpenRocksDb({.path = folder.path(), .durability = Durability::kRelaxed});
  ASSERT_TRUE(opened.has_value()) << opened.error();
  Store& store = **opened;
  const std::string key = KeyOf('p', "count");
  std::atomic<bool> stop = false;
  std::atomic<int> backwards = 0;

  const auto read = [&] {
    int seen = 0;
    const auto note = [&](std::string_view value) {
      const int count = std::stoi(std::string(value));
      if (count < seen) ++backwards;
      seen = count;
    };
    while (!stop) {
      store.Get(key, note);
      const auto visit = [&](std::string_view, std::string_view value) {
        note(value);
        return true;
      };
      store.Scan(PartitionRange('p'), {}, visit);
      store.Get(key, note);
      store.Scan(PartitionRange('p'), {.reverse = true, .items_max = 1}, visit);
      store.Snapshot()->Get(key, note);
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) readers.emplace_back(read);
  const std::vector<Key> keys = {key};
  for (int i = 1; i <= 5000; ++i) {
    const Commit commit = MutateAndWait(store, keys, [&](auto values, Batch& batch) {
      EXPECT_EQ(values[0].value_or("0"), std::to_string(i - 1));
      batch.Put(key, std::to_string(i));
      return true;
    });
    ASSERT_EQ(commit, Commit::kOk);
    ASSERT_EQ(ValueAt(store, key), std::to_string(i)) << "who wrote sees it";
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(backwards, 0);
}

}  // namespace
}  // namespace taula::storage
