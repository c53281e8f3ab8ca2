#include "storage/rocksdb/read_cache.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <latch>
#include <memory>
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
    const ReadCache::Question question(cache_, HashedKey(key));
    cache_.Get(question, [&](std::string_view found) { value = found; });
    return value;
  }
  void Keep(std::string_view key, std::string_view value) {
    cache_.Keep(ReadCache::Question(cache_, HashedKey(key)), value);
  }

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
    write.Begin(HashedKey("Dkey"));
    EXPECT_EQ(Get("Dkey"), std::nullopt) << "from the moment somebody else may see the new value";
    Keep("Dkey", "read meanwhile");
  }
  EXPECT_EQ(Get("Dkey"), std::nullopt) << "nobody knows which value that was";
  Keep("Dkey", "new");
  EXPECT_EQ(Get("Dkey"), "new");
}

TEST_F(ReadCacheTest, TakesNoAnswerThatAWriteHasOvertaken) {
  const ReadCache::Question question(cache_, HashedKey("Dkey"));
  ReadCache::Write(cache_).Begin(HashedKey("Dkey"));
  cache_.Keep(question, "old");
  EXPECT_EQ(Get("Dkey"), std::nullopt);
}

TEST_F(ReadCacheTest, RenewsOnlyWhatItHas) {
  const auto write = [&] { return ReadCache::Write(cache_).Begin(HashedKey("Dkey")); };
  cache_.Renew(HashedKey("Dkey"), "value", write());
  EXPECT_EQ(Get("Dkey"), std::nullopt);
  Keep("Dkey", "old");
  cache_.Renew(HashedKey("Dkey"), "new", write());
  EXPECT_EQ(Get("Dkey"), "new");
  cache_.Renew(HashedKey("Dkey"), std::string(600'000, 'x'), write());
  EXPECT_FALSE(Get("Dkey")) << "too long to be kept";
}

TEST_F(ReadCacheTest, RenewsWithTheLastOfSeveralWrites) {
  Keep("Dkey", "old");
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  {
    ReadCache::Write write(cache_);
    first = write.Begin(HashedKey("Dkey"));
    last = write.Begin(HashedKey("Dkey"));
    cache_.Renew(HashedKey("Dkey"), "too early", last);
  }
  cache_.Renew(HashedKey("Dkey"), "last", last);
  cache_.Renew(HashedKey("Dkey"), "first", first);
  EXPECT_EQ(Get("Dkey"), "last");
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
  ReadCache::Write(cache_).Begin(HashedKey(KeyOf('p', "new")));
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

TEST_F(ReadCacheTest, HasRoomForBlocksUntilItIsNearlyFull) {
  EXPECT_TRUE(cache_.HasRoomForBlocks());
  for (int i = 0; i < 10'000; ++i) Keep(std::to_string(i), std::string(1000, 'x'));
  const auto has_room = [&] { return cache_.HasRoomForBlocks(); };
  bool noticed = false;
  for (int i = 0; i < 100 && !noticed; ++i) noticed = !has_room();
  EXPECT_TRUE(noticed);
}

class ReadCacheInAStore : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenRocksDb({.path = folder_.path(), .durability = Durability::kRelaxed});
    ASSERT_TRUE(opened.has_value()) << opened.error();
    store_ = std::move(*opened);
  }

  using Fill = std::function<void(Batch&)>;
  std::unique_ptr<Mutation> Make(const Fill& fill, std::function<void(Commit)> done) {
    const auto decide = [fill](auto, Batch& batch) {
      fill(batch);
      return true;
    };
    return std::make_unique<LambdaMutation>(std::vector<Key>{key_}, decide, std::move(done));
  }
  // What is made inside of Done joins the group that follows.
  void CommitInOneGroup(const Fill& first, const Fill& second) {
    std::latch left(3);
    const auto done = [&](Commit) { left.count_down(); };
    const Fill other = [](Batch& batch) { batch.Put("Dother", ""); };
    store_->Mutate(Make(other, [&](Commit commit) {
      store_->Mutate(Make(first, done));
      store_->Mutate(Make(second, done));
      done(commit);
    }));
    left.wait();
  }
  std::optional<std::string> ShownToMutations() {
    std::optional<std::string> shown;
    const std::vector<Key> keys = {key_};
    MutateAndWait(*store_, keys, [&](auto values, Batch&) {
      if (values[0]) shown = *values[0];
      return true;
    });
    return shown;
  }

  const std::string key_ = KeyOf('p', "key");
  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(ReadCacheInAStore, ShowsTheLastOfSeveralWritesOfOneGroup) {
  const std::string long_value(40'000, 'x');
  const auto put = [this](const std::string& value) -> Fill {
    return [this, value](Batch& batch) { batch.Put(key_, value); };
  };
  const Fill remove = [this](Batch& batch) { batch.Delete(key_); };
  const Fill put_twice = [this](Batch& batch) {
    batch.Put(key_, "first");
    batch.Put(key_, "second");
  };
  struct Case {
    Fill first;
    Fill second;
    std::optional<std::string> left;
  };
  const Case cases[] = {{put("new"), remove, std::nullopt},
                        {remove, put("new"), "new"},
                        {put("short"), put(long_value), long_value},
                        {put(long_value), put("short"), "short"},
                        {remove, put_twice, "second"}};
  for (const Case& test : cases) {
    const std::vector<Key> keys = {key_};
    MutateAndWait(*store_, keys, [&](auto, Batch& batch) {
      batch.Put(key_, "old");
      return true;
    });
    ASSERT_EQ(ValueAt(*store_, key_), "old");
    CommitInOneGroup(test.first, test.second);
    EXPECT_EQ(ValueAt(*store_, key_), test.left);
    EXPECT_EQ(ShownToMutations(), test.left);
  }
}

// Writers count up a few keys, delete them and begin again, while readers look
// at them in all ways there are. Each value tells how many writes the key has
// seen; nobody may ever see that go back, whichever way he looked before.
TEST_F(ReadCacheInAStore, NeverShowsAnOlderStateThanWasSeen) {
  constexpr int kKeys = 3;
  constexpr int kWrites = 20'000;
  const auto key = [](int i) { return KeyOf('p', std::to_string(i)); };
  std::atomic<bool> stop = false;
  std::atomic<int> backwards = 0;

  const auto read = [&] {
    std::array<int, kKeys> seen{};
    const auto note = [&](int i, std::string_view value) {
      const int count = std::stoi(std::string(value));
      if (count < seen[static_cast<std::size_t>(i)]) ++backwards;
      seen[static_cast<std::size_t>(i)] = count;
    };
    const auto visit = [&](std::string_view found, std::string_view value) {
      note(found.back() - '0', value);
      return true;
    };
    while (!stop) {
      for (int i = 0; i < kKeys; ++i) store_->Get(key(i), [&](std::string_view value) { note(i, value); });
      store_->Scan(PartitionRange('p'), {}, visit);
      store_->Scan(PartitionRange('p'), {.reverse = true, .items_max = 2}, visit);
      store_->Snapshot()->Scan(PartitionRange('p'), {}, visit);
    }
  };
  std::array<std::atomic<int>, kKeys> counts{};
  std::atomic<int> wrong = 0;
  std::latch left(kWrites);
  // Decisions on one key follow each other, so the count is what the last wrote.
  const auto write = [&](int from, int step) {
    for (int n = from; n < kWrites; n += step) {
      const int i = n % kKeys;
      const auto decide = [&, i](LambdaMutation::Values values, Batch& batch) {
        const int count = counts[static_cast<std::size_t>(i)]++;
        const bool deleted = count % 5 == 0;
        if (values[0].has_value() == deleted || (values[0] && *values[0] != std::to_string(count))) ++wrong;
        if ((count + 1) % 5 == 0) {
          batch.Delete(key(i));
        } else {
          batch.Put(key(i), std::to_string(count + 1));
        }
        return true;
      };
      store_->Mutate(
          std::make_unique<LambdaMutation>(std::vector<Key>{key(i)}, decide, [&](Commit) { left.count_down(); }));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(read);
  std::thread other_writer(write, 1, 2);
  write(0, 2);
  other_writer.join();
  left.wait();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0) << "mutations were shown another value than the last one decided";
  EXPECT_EQ(backwards, 0);
}

}  // namespace
}  // namespace taula::storage
