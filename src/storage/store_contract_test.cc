// What every store promises, run against each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <latch>
#include <map>
#include <random>
#include <thread>

#include "base/home.h"
#include "storage/store_contract_testing.h"

namespace taula::storage {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, AllStores(), NameOfStore);

TEST_P(StoreContract, ReadsNothingFromAnEmptyStore) {
  EXPECT_EQ(ValueAt(*store_, "Da"), std::nullopt);
  EXPECT_THAT(Entries(*store_, {"D", "E"}), IsEmpty());
  EXPECT_THAT(Entries(*store_, {"D", "E"}, {.reverse = true}), IsEmpty());
}

TEST_P(StoreContract, ShowsAWriteOnceItIsDone) {
  EXPECT_EQ(Write(*store_, [](Batch& batch) { batch.Put("Da", "1"); }), Commit::kOk);
  EXPECT_EQ(At("Da"), "1");
  EXPECT_EQ(ValueAt(*store_, "Daa"), std::nullopt);
  EXPECT_EQ(ValueAt(*store_, "D"), std::nullopt);
}

// A thread whose home nobody opens while it waits.
class LockedHome final : public base::Home {
 public:
  void Take(Travellers travellers) override {
    for (auto& traveller : travellers) taken.push_back(std::move(traveller));
  }
  Travellers taken;
};

TEST_P(StoreContract, WhoWaitsForAMutationIsNotSentHomeForIt) {
  std::thread([&] {
    base::Home::Settle(std::make_shared<LockedHome>());
    EXPECT_EQ(Write(*store_, [](Batch& batch) { batch.Put("Da", "1"); }), Commit::kOk);
  }).join();
  EXPECT_EQ(At("Da"), "1");
}

TEST_P(StoreContract, KeepsAnyBytes) {
  const std::string key("D\0\xff\0k", 5);
  const std::string value("\0\n\xff\0", 4);
  Write(*store_, [&](Batch& batch) {
    batch.Put(key, value);
    batch.Put("Dempty", "");
    batch.Put("Dlarge", std::string(500'000, 'x'));
  });
  EXPECT_EQ(ValueAt(*store_, key), value);
  EXPECT_EQ(ValueAt(*store_, "Dempty"), "");
  EXPECT_EQ(ValueAt(*store_, "Dlarge"), std::string(500'000, 'x'));
}

TEST_P(StoreContract, AppliesTheWritesOfABatchInOrder) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "1");
    batch.Put("Da", "2");
    batch.Put("Db", "1");
    batch.Delete("Db");
    batch.Delete("Dc");
    batch.Put("Dc", "3");
  });
  EXPECT_THAT(Entries(*store_, {"D", "E"}), ElementsAre(Pair("Da", "2"), Pair("Dc", "3")));
}

TEST_P(StoreContract, WritesNothingWhenTheDecisionIsNo) {
  Write(*store_, [](Batch& batch) { batch.Put("Da", "1"); });
  const std::vector<Key> reads = {"Da"};
  EXPECT_EQ(MutateAndWait(*store_, reads,
                          [](auto, Batch& batch) {
                            batch.Put("Da", "2");
                            batch.Put("Db", "2");
                            batch.Add("Cn", 1);
                            return false;
                          }),
            Commit::kAborted);
  EXPECT_EQ(At("Da"), "1");
  EXPECT_EQ(ValueAt(*store_, "Db"), std::nullopt);
  EXPECT_EQ(CounterAt(*store_, "Cn"), 0);
}

TEST_P(StoreContract, ShowsTheDecisionTheValuesInTheOrderOfItsKeys) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "1");
    batch.Put("Dc", "3");
  });
  const std::vector<Key> reads = {"Dc", "Db", "Da", "Dc"};
  std::vector<std::optional<std::string>> seen;
  EXPECT_EQ(MutateAndWait(*store_, reads,
                          [&](auto values, Batch&) {
                            seen.assign(values.begin(), values.end());
                            return true;
                          }),
            Commit::kOk);
  EXPECT_THAT(seen, ElementsAre("3", std::nullopt, "1", "3"));
}

TEST_P(StoreContract, ScansInTheOrderOfBytes) {
  Write(*store_, [](Batch& batch) {
    for (const char* key : {"Db", "Da", "D\xff", "Daa", "Da\x01"}) batch.Put(key, key);
    batch.Put(std::string("Da\0", 3), "zero");
  });
  EXPECT_THAT(Keys(*store_, {"D", "E"}), ElementsAre("Da", std::string("Da\0", 3), "Da\x01", "Daa", "Db", "D\xff"));
  EXPECT_THAT(Keys(*store_, {"D", "E"}, {.reverse = true}),
              ElementsAre("D\xff", "Db", "Daa", "Da\x01", std::string("Da\0", 3), "Da"));
}

TEST_P(StoreContract, ScansFromItsBeginUpToAndWithoutItsEnd) {
  Write(*store_, [](Batch& batch) {
    for (const char* key : {"Da", "Db", "Dc", "Dd"}) batch.Put(key, "");
  });
  EXPECT_THAT(Keys(*store_, {"Db", "Dd"}), ElementsAre("Db", "Dc"));
  EXPECT_THAT(Keys(*store_, {"Db", "Dd"}, {.reverse = true}), ElementsAre("Dc", "Db"));
  EXPECT_THAT(Keys(*store_, {"Dbb", "Dcc"}, {.reverse = true}), ElementsAre("Dc"));
  EXPECT_THAT(Keys(*store_, {"Dc", ""}, {}), testing::Contains("Dd"));
  EXPECT_THAT(Keys(*store_, {"Db", "Db"}), IsEmpty());
  EXPECT_THAT(Keys(*store_, {"Dc", "Db"}), IsEmpty());
  EXPECT_THAT(Keys(*store_, {"Dc", "Db"}, {.reverse = true}), IsEmpty());
}

TEST_P(StoreContract, ScansToTheEndOfAllKeysWhenTheRangeHasNoEnd) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Wa", "");
    batch.Put("Wb", "");
  });
  EXPECT_THAT(Keys(*store_, {"Wa", ""}), ElementsAre("Wa", "Wb"));
  EXPECT_THAT(Keys(*store_, {"Wa", ""}, {.reverse = true}), ElementsAre("Wb", "Wa"));
}

TEST_P(StoreContract, StopsAScanWhenToldTo) {
  Write(*store_, [](Batch& batch) {
    for (const char* key : {"Da", "Db", "Dc"}) batch.Put(key, "");
  });
  for (const bool reverse : {false, true}) {
    int visits = 0;
    const Range range{"D", "E"};
    EXPECT_EQ(store_->Scan(range, {.reverse = reverse}, [&](auto, auto) { return ++visits < 2; }), Status::kOk);
    EXPECT_EQ(visits, 2);
  }
}

// Scans within one partition's prefix take another way than those across.
TEST_P(StoreContract, ScansWithinAPartitionAcrossPartitionsAndInEmptyOnes) {
  const auto key = [](int partition, int item) {
    return std::string("D\0\0\0\1\0\0\0", 8) + static_cast<char>(partition) + "k" + std::to_string(item);
  };
  Write(*store_, [&](Batch& batch) {
    for (const int partition : {1, 2, 4, 255}) {
      for (int item = 0; item < 3; ++item) batch.Put(key(partition, item), "");
    }
  });
  store_->Flush();
  const auto prefix = [&](int partition) { return key(partition, 0).substr(0, 9); };
  const std::string after_last = std::string("D\0\0\0\1\0\0\1", 8);
  for (const bool reverse : {false, true}) {
    const ScanOptions options{.reverse = reverse};
    EXPECT_EQ(Keys(*store_, {prefix(2), prefix(3)}, options).size(), 3u);
    EXPECT_EQ(Keys(*store_, {prefix(255), after_last}, options).size(), 3u);
    EXPECT_EQ(Keys(*store_, {key(2, 1), key(2, 2)}, options), std::vector{key(2, 1)});
    EXPECT_EQ(Keys(*store_, {key(2, 1), prefix(3)}, options).size(), 2u);
    EXPECT_THAT(Keys(*store_, {prefix(3), prefix(4)}, options), IsEmpty());
    EXPECT_EQ(Keys(*store_, {prefix(1), prefix(4)}, options).size(), 6u);
    EXPECT_EQ(Keys(*store_, {key(1, 2), key(4, 1)}, options).size(), 5u);
    EXPECT_EQ(Keys(*store_, {"D", "E"}, options).size(), 12u);
    EXPECT_EQ(Keys(*store_, {prefix(3), "E"}, {.reverse = reverse, .items_max = 5000}).size(), 6u);
  }
}

TEST_P(StoreContract, AScanEndsAfterAsManyAsWereAskedFor) {
  const auto key = [](int i) { return std::string(9, 'p') + std::to_string(i); };
  Write(*store_, [&](Batch& batch) {
    for (int i = 0; i < 5; ++i) batch.Put(key(i), "");
  });
  const Range partition{std::string(9, 'p'), std::string(9, 'q')};
  // Twice in each way, for a store may remember what it was asked before.
  for (const std::size_t items_max : {2u, 2u, 4u, 1u, 9u, 5u, 0u, 3u}) {
    const std::size_t expected = items_max == 0 ? 5 : std::min<std::size_t>(items_max, 5);
    const std::vector<std::string> forward = Keys(*store_, partition, {.items_max = items_max});
    ASSERT_EQ(forward.size(), expected) << items_max;
    EXPECT_EQ(forward.front(), key(0));
    const std::vector<std::string> backward = Keys(*store_, partition, {.reverse = true, .items_max = items_max});
    ASSERT_EQ(backward.size(), expected) << items_max;
    EXPECT_EQ(backward.front(), key(4));
    EXPECT_EQ(Keys(*store_->Snapshot(), partition, {.items_max = items_max}), forward);
  }
}

TEST_P(StoreContract, AgreesWithAMapUnderRandomWrites) {
  std::mt19937 random(7);
  std::map<std::string, std::string> expected;
  for (int round = 0; round < 200; ++round) {
    Write(*store_, [&](Batch& batch) {
      for (int i = 0; i < 60; ++i) {
        const std::string key = "D" + std::to_string(random() % 3000);
        // Growing first, then shrinking to nearly nothing.
        if (random() % 200 < static_cast<unsigned>(round)) {
          batch.Delete(key);
          expected.erase(key);
        } else {
          const std::string value = std::to_string(random());
          batch.Put(key, value);
          expected[key] = value;
        }
      }
    });
    if (round % 20 != 0) continue;
    const std::string begin = "D" + std::to_string(random() % 3000);
    std::vector<std::pair<std::string, std::string>> tail(expected.lower_bound(begin), expected.end());
    ASSERT_EQ(Entries(*store_, {begin, "E"}), tail);
    std::ranges::reverse(tail);
    ASSERT_EQ(Entries(*store_, {begin, "E"}, {.reverse = true}), tail);
  }
}

TEST_P(StoreContract, KeepsASnapshotAsItWas) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "1");
    batch.Put("Db", "1");
  });
  const auto before = store_->Snapshot();
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "2");
    batch.Delete("Db");
    batch.Put("Dc", "2");
  });
  const auto after = store_->Snapshot();
  EXPECT_THAT(Entries(*before, {"D", "E"}), ElementsAre(Pair("Da", "1"), Pair("Db", "1")));
  EXPECT_THAT(Entries(*before, {"D", "E"}, {.reverse = true}), ElementsAre(Pair("Db", "1"), Pair("Da", "1")));
  EXPECT_EQ(ValueAt(*before, "Db"), "1");
  EXPECT_EQ(ValueAt(*before, "Dc"), std::nullopt);
  EXPECT_THAT(Entries(*after, {"D", "E"}), ElementsAre(Pair("Da", "2"), Pair("Dc", "2")));
}

TEST_P(StoreContract, KeepsManySnapshotsApartUnderRandomWrites) {
  std::mt19937 random(11);
  std::map<std::string, std::string> now;
  std::vector<std::pair<std::unique_ptr<Reader>, std::map<std::string, std::string>>> kept;
  for (int round = 0; round < 60; ++round) {
    Write(*store_, [&](Batch& batch) {
      for (int i = 0; i < 40; ++i) {
        const std::string key = "D" + std::to_string(random() % 500);
        if (random() % 2 == 0) {
          batch.Delete(key);
          now.erase(key);
        } else {
          batch.Put(key, std::to_string(round));
          now[key] = std::to_string(round);
        }
      }
    });
    kept.emplace_back(store_->Snapshot(), now);
    if (kept.size() > 8) kept.erase(kept.begin() + static_cast<int>(random() % kept.size()));
  }
  for (const auto& [snapshot, expected] : kept) {
    const std::vector<std::pair<std::string, std::string>> all(expected.begin(), expected.end());
    EXPECT_EQ(Entries(*snapshot, {"D", "E"}), all);
  }
}

TEST_P(StoreContract, LetsAScanCallTheStore) {
  Write(*store_, [](Batch& batch) {
    batch.Put("Da", "1");
    batch.Put("Db", "1");
  });
  int visits = 0;
  const Range range{"D", "E"};
  store_->Scan(range, {}, [&](std::string_view key, auto) {
    ++visits;
    const std::string copy = "Dx" + std::string(key);
    EXPECT_EQ(Write(*store_, [&](Batch& batch) { batch.Put(copy, "1"); }), Commit::kOk);
    return true;
  });
  EXPECT_EQ(visits, 2) << "a scan must not see what is written during it";
  EXPECT_EQ(Keys(*store_, range).size(), 4u);
}

TEST_P(StoreContract, LetsDoneStartTheNextMutation) {
  std::atomic<int> left = 100;
  std::latch finished(1);
  std::function<void(Commit)> next = [&](Commit commit) {
    EXPECT_EQ(commit, Commit::kOk);
    if (--left == 0) {
      finished.count_down();
      return;
    }
    store_->Mutate(std::make_unique<LambdaMutation>(
        std::vector<Key>{"Da"},
        [](auto values, Batch& batch) {
          batch.Put("Da", std::string(values[0].value_or("")) + "x");
          return true;
        },
        next));
  };
  next(Commit::kOk);
  finished.wait();
  EXPECT_EQ(At("Da").size(), 99u);
}

TEST_P(StoreContract, AddsToCountersThatStartAtZero) {
  Write(*store_, [](Batch& batch) {
    batch.Add("Ca", 5);
    batch.Add("Cb", -3);
    batch.Add("Ca", 1);
  });
  Write(*store_, [](Batch& batch) { batch.Add("Ca", -10); });
  EXPECT_EQ(CounterAt(*store_, "Ca"), -4);
  EXPECT_EQ(CounterAt(*store_, "Cb"), -3);
}

TEST_P(StoreContract, KeepsCountersExactUnderConcurrency) {
  constexpr int kThreads = 16;
  constexpr int kMutations = 100;
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kMutations; ++i) {
      Write(*store_, [&](Batch& batch) {
        batch.Add("Ctotal", 1);
        batch.Add("Cthread" + std::to_string(thread % 4), 2);
      });
    }
  });
  EXPECT_EQ(CounterAt(*store_, "Ctotal"), kThreads * kMutations);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(CounterAt(*store_, "Cthread" + std::to_string(i)), 2 * 4 * kMutations);
}

TEST_P(StoreContract, LosesNoUpdateOnHotKeys) {
  constexpr int kThreads = 64;
  constexpr int kIncrements = 60;
  constexpr int kKeys = 10;
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kIncrements; ++i) {
      const std::vector<Key> reads = {"Dhot" + std::to_string((thread + i) % kKeys)};
      ASSERT_EQ(MutateAndWait(*store_, reads,
                              [&](auto values, Batch& batch) {
                                batch.Put(reads[0], std::to_string(ToNumber(values[0]) + 1));
                                return true;
                              }),
                Commit::kOk);
    }
  });
  std::int64_t total = 0;
  for (int i = 0; i < kKeys; ++i) total += ToNumber(ValueAt(*store_, "Dhot" + std::to_string(i)));
  EXPECT_EQ(total, kThreads * kIncrements);
}

TEST_P(StoreContract, ConservesATotalThatEverySnapshotSees) {
  constexpr int kAccounts = 8;
  constexpr std::int64_t kTotal = kAccounts * 100;
  const auto account = [](unsigned i) { return "Daccount" + std::to_string(i % kAccounts); };
  Write(*store_, [&](Batch& batch) {
    for (unsigned i = 0; i < kAccounts; ++i) batch.Put(account(i), "100");
  });
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    while (!stop) {
      std::int64_t by_scan = 0;
      const auto snapshot = store_->Snapshot();
      for (const auto& [key, value] : Entries(*snapshot, {"Da", "Db"})) by_scan += ToNumber(value);
      ASSERT_EQ(by_scan, kTotal);
      std::int64_t by_get = 0;
      for (unsigned i = 0; i < kAccounts; ++i) by_get += ToNumber(ValueAt(*snapshot, account(i)));
      ASSERT_EQ(by_get, kTotal);
      std::int64_t without_snapshot = 0;
      for (const auto& [key, value] : Entries(*store_, {"Da", "Db"})) without_snapshot += ToNumber(value);
      ASSERT_EQ(without_snapshot, kTotal);
    }
  });
  RunThreads(8, [&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    for (int i = 0; i < 150; ++i) {
      const unsigned from = random();
      const std::vector<Key> reads = {account(from), account(from + 1 + random() % (kAccounts - 1))};
      const Commit commit = MutateAndWait(*store_, reads, [&](auto values, Batch& batch) {
        const std::int64_t available = ToNumber(values[0]);
        if (available < 10) return false;
        batch.Put(reads[0], std::to_string(available - 10));
        batch.Put(reads[1], std::to_string(ToNumber(values[1]) + 10));
        return true;
      });
      ASSERT_TRUE(commit == Commit::kOk || commit == Commit::kAborted);
    }
  });
  stop = true;
  reader.join();
}

std::uint64_t PositionOf(std::string_view log_key) {
  return base::ReadBigEndianU64(log_key.data() + log_key.size() - 8);
}

TEST_P(StoreContract, LogsValuesUnderGrowingPositions) {
  Write(*store_, [](Batch& batch) {
    batch.Log("Lb", "one");
    batch.Put("Lc", "between");
    batch.Log("La", "two");
    batch.Log("Lb", "three");
  });
  const std::uint64_t middle = store_->LastPosition();
  Write(*store_, [](Batch& batch) { batch.Log("Lb", "four"); });
  const auto entries = Entries(*store_, {"Lb", "Lc"});
  ASSERT_EQ(entries.size(), 3U);
  std::vector<std::uint64_t> positions;
  for (const auto& [key, value] : entries) {
    EXPECT_EQ(key.size(), 2U + 8U);
    positions.push_back(PositionOf(key));
  }
  EXPECT_EQ(entries[0].second, "one");
  EXPECT_EQ(entries[1].second, "three");
  EXPECT_EQ(entries[2].second, "four");
  const std::uint64_t two = PositionOf(Entries(*store_, {"La", "Lb"}).front().first);
  EXPECT_LT(positions[0], two);
  EXPECT_LT(two, positions[1]);
  EXPECT_LE(positions[1], middle);
  EXPECT_GT(positions[2], middle);
  EXPECT_LE(positions[2], store_->LastPosition());
}

// What a reader of a log relies on: nothing ever appears behind it.
TEST_P(StoreContract, ShowsALogInItsOrderWhileManyWriteIt) {
  constexpr int kThreads = 8;
  constexpr int kMutations = 150;
  const Range log{"La", "Lb"};
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    std::vector<std::uint64_t> seen;
    while (!stop) {
      const std::uint64_t last = store_->LastPosition();
      std::vector<std::uint64_t> now;
      for (const auto& [key, value] : Entries(*store_, log)) now.push_back(PositionOf(key));
      ASSERT_GE(now.size(), seen.size());
      ASSERT_TRUE(std::equal(seen.begin(), seen.end(), now.begin())) << "something appeared behind the reader";
      ASSERT_TRUE(seen.empty() || seen.back() <= last);
      seen = std::move(now);
    }
  });
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kMutations; ++i) {
      Write(*store_, [&](Batch& batch) {
        batch.Put("Dkey" + std::to_string(thread), std::to_string(i));
        batch.Log("La", std::to_string(thread) + "/" + std::to_string(i));
      });
    }
  });
  stop = true;
  reader.join();
  std::map<std::string, int> next;
  for (const auto& [key, value] : Entries(*store_, log)) {
    const std::string thread = value.substr(0, value.find('/'));
    EXPECT_EQ(value, thread + "/" + std::to_string(next[thread]++)) << "in the order of its writer";
  }
  EXPECT_EQ(next.size(), std::size_t{kThreads});
  for (const auto& [thread, count] : next) EXPECT_EQ(count, kMutations);
}

// Exclusive mutations either win or lose; whichever it is, the sum tells.
TEST_P(StoreContract, AppliesAnExclusiveMutationExactlyWhenItSaysSo) {
  std::atomic<int> won = 0;
  RunThreads(16, [&](int) {
    for (int i = 0; i < 40; ++i) {
      std::latch ended(1);
      auto mutation = std::make_unique<LambdaMutation>(
          std::vector<Key>{"Da", "Db"},
          [](auto values, Batch& batch) {
            EXPECT_EQ(ToNumber(values[0]), ToNumber(values[1]));
            batch.Put("Da", std::to_string(ToNumber(values[0]) + 1));
            batch.Put("Db", std::to_string(ToNumber(values[1]) + 1));
            return true;
          },
          [&](Commit commit) {
            EXPECT_TRUE(commit == Commit::kOk || commit == Commit::kConflict);
            if (commit == Commit::kOk) ++won;
            ended.count_down();
          });
      mutation->set_exclusive();
      store_->Mutate(std::move(mutation));
      ended.wait();
    }
  });
  EXPECT_GT(won, 0);
  EXPECT_EQ(At("Da"), std::to_string(won));
  EXPECT_EQ(At("Db"), std::to_string(won));
}

TEST_P(StoreContract, TakesAHundredKeysInOneMutation) {
  std::vector<Key> reads;
  for (int i = 0; i < 100; ++i) reads.push_back("D" + std::to_string(i));
  RunThreads(4, [&](int thread) {
    std::vector<Key> mine = reads;
    std::ranges::shuffle(mine, std::mt19937(static_cast<unsigned>(thread)));
    for (int i = 0; i < 5; ++i) {
      MutateAndWait(*store_, mine, [&](auto values, Batch& batch) {
        for (std::size_t k = 0; k < mine.size(); ++k) batch.Put(mine[k], std::to_string(ToNumber(values[k]) + 1));
        return true;
      });
    }
  });
  for (const auto& [key, value] : Entries(*store_, {"D", "E"})) EXPECT_EQ(value, "20") << key;
}

TEST_P(StoreContract, ErasesARangeAndNothingElse) {
  Write(*store_, [](Batch& batch) {
    for (int i = 1000; i < 3000; ++i) batch.Put("D" + std::to_string(i), std::string(100, 'x'));
    batch.Add("D1500counter", 7);
    batch.Add("Ckept", 7);
  });
  EXPECT_EQ(store_->EraseRange({"D1100", "D2900"}), Status::kOk);
  EXPECT_EQ(Keys(*store_, {"D", "E"}).size(), 200u);
  EXPECT_EQ(Keys(*store_, {"D", "E"}, {.reverse = true}).front(), "D2999");
  EXPECT_EQ(ValueAt(*store_, "D1100"), std::nullopt);
  EXPECT_EQ(At("D2900"), std::string(100, 'x'));
  Write(*store_, [](Batch& batch) {
    batch.Put("D2000", "again");
    batch.Add("D1500counter", 1);
    batch.Add("Ckept", 1);
  });
  EXPECT_EQ(At("D2000"), "again");
  EXPECT_EQ(CounterAt(*store_, "D1500counter"), 1);
  EXPECT_EQ(CounterAt(*store_, "Ckept"), 8);
  EXPECT_EQ(store_->EraseRange({"D", ""}), Status::kOk);
  EXPECT_THAT(Keys(*store_, {"D", "E"}), IsEmpty());
  EXPECT_EQ(store_->EraseRange({"D5", "D4"}), Status::kOk);
}

TEST_P(StoreContract, EstimatesTheBytesOfARange) {
  Write(*store_, [](Batch& batch) {
    for (int i = 1000; i < 3000; ++i) batch.Put("D" + std::to_string(i), std::string(1000, static_cast<char>(i)));
  });
  const std::uint64_t all = store_->ApproximateBytes({"D", "E"});
  EXPECT_GT(all, 500'000u);
  EXPECT_LT(all, 8'000'000u);
  EXPECT_LT(store_->ApproximateBytes({"E", "F"}), all / 10);
}

}  // namespace
}  // namespace taula::storage
