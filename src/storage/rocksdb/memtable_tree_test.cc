#include "storage/rocksdb/memtable_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace taula::storage {
namespace {

// Entries here are strings that end with a zero.
class TextOrder final : public MemtableTree::Order {
 public:
  [[nodiscard]] std::string_view FirstPartOf(std::string_view key) const override { return key; }
  [[nodiscard]] int Compare(const char* entry, std::string_view key) const override {
    return std::string_view(entry).compare(key);
  }
  [[nodiscard]] std::string_view KeyOf(const char* entry) const override { return entry; }
};

// Lets something happen in the middle of the next comparison.
class InterruptedOrder final : public MemtableTree::Order {
 public:
  mutable std::function<void()> interruption;

  [[nodiscard]] std::string_view FirstPartOf(std::string_view key) const override { return order_.FirstPartOf(key); }
  [[nodiscard]] int Compare(const char* entry, std::string_view key) const override {
    if (interruption) std::exchange(interruption, nullptr)();
    return order_.Compare(entry, key);
  }
  [[nodiscard]] std::string_view KeyOf(const char* entry) const override { return order_.KeyOf(entry); }

 private:
  TextOrder order_;
};

class MemtableTreeTest : public testing::Test {
 protected:
  using Cursor = MemtableTree::Cursor;

  bool Insert(std::string text) { return tree_.Insert(texts_.emplace_back(std::move(text)).c_str()); }

  std::vector<std::string> Forward() {
    std::vector<std::string> all;
    Cursor at(tree_);
    for (at.SeekToFirst(); at.valid(); at.Next()) all.emplace_back(at.entry());
    return all;
  }
  std::vector<std::string> Backward() {
    std::vector<std::string> all;
    Cursor at(tree_);
    for (at.SeekToLast(); at.valid(); at.Previous()) all.emplace_back(at.entry());
    std::ranges::reverse(all);
    return all;
  }
  std::string AtOrAfter(std::string_view key) {
    Cursor at(tree_);
    at.SeekAtOrAfter(key);
    return at.valid() ? at.entry() : "(end)";
  }
  std::string AtOrBefore(std::string_view key) {
    Cursor at(tree_);
    at.SeekAtOrBefore(key);
    return at.valid() ? at.entry() : "(end)";
  }

  void ExpectSameAs(const std::set<std::string>& model) {
    const std::vector<std::string> expected(model.begin(), model.end());
    ASSERT_EQ(Forward(), expected);
    ASSERT_EQ(Backward(), expected);
  }

  TextOrder order_;
  std::deque<std::string> texts_;
  std::vector<std::unique_ptr<std::max_align_t[]>> memory_;
  MemtableTree tree_{order_, [this](std::size_t bytes) {
                       memory_.push_back(std::make_unique<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1));
                       return reinterpret_cast<char*>(memory_.back().get());
                     }};
};

TEST_F(MemtableTreeTest, IsEmptyAtFirst) {
  EXPECT_TRUE(Forward().empty());
  EXPECT_TRUE(Backward().empty());
  EXPECT_EQ(AtOrAfter("a"), "(end)");
  EXPECT_EQ(AtOrBefore("a"), "(end)");
}

TEST_F(MemtableTreeTest, TakesAnEntryOnce) {
  EXPECT_TRUE(Insert("a"));
  EXPECT_FALSE(Insert("a"));
  for (int i = 0; i < 1000; ++i) Insert(std::to_string(i));
  EXPECT_FALSE(Insert("a"));
  EXPECT_FALSE(Insert("500"));
  EXPECT_EQ(Forward().size(), 1001);
}

std::string Digits(int number) {
  std::string text = std::to_string(number);
  return std::string(8 - text.size(), '0') + text;
}

TEST_F(MemtableTreeTest, KeepsOrderWhateverTheOrderOfInsertion) {
  std::set<std::string> model;
  const auto add = [&](const std::string& text) { ASSERT_EQ(Insert(text), model.insert(text).second); };
  for (int i = 0; i < 3000; ++i) add("up " + Digits(i));
  ExpectSameAs(model);
  for (int i = 3000; i > 0; --i) add("down " + Digits(i));
  ExpectSameAs(model);
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) add("random " + std::to_string(random() % 30'000));
  ExpectSameAs(model);
  // From the middle outwards, and with nothing to tell them apart in front.
  for (int i = 0; i < 2000; ++i) add("middle of a long common beginning " + Digits(i % 2 == 0 ? 5000 + i : 5000 - i));
  ExpectSameAs(model);
}

TEST_F(MemtableTreeTest, FindsNeighboursOfWhatIsNotThere) {
  std::mt19937 random(2);
  std::set<std::string> model;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = std::to_string(random() % 100'000);
    Insert(text);
    model.insert(text);
  }
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = std::to_string(random() % 100'000);
    const auto after = model.lower_bound(key);
    ASSERT_EQ(AtOrAfter(key), after == model.end() ? "(end)" : *after);
    const auto behind = model.upper_bound(key);
    ASSERT_EQ(AtOrBefore(key), behind == model.begin() ? "(end)" : *std::prev(behind));
  }
}

// Whatever keys share, at whatever depth, also when one is the beginning of others.
TEST_F(MemtableTreeTest, TellsApartWhatIsAlikeForLong) {
  std::mt19937 random(4);
  const auto make = [&] {
    std::string text;
    for (unsigned parts = random() % 6; parts > 0; --parts)
      text += std::string(random() % 3 * 7, 'k') + "PQ"[random() % 2];
    return text + std::to_string(random() % 50);
  };
  std::set<std::string> model;
  for (int i = 0; i < 30'000; ++i) {
    const std::string text = make();
    ASSERT_EQ(Insert(text), model.insert(text).second) << text;
  }
  ExpectSameAs(model);
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = make();
    const auto after = model.lower_bound(key);
    ASSERT_EQ(AtOrAfter(key), after == model.end() ? "(end)" : *after);
    const auto behind = model.upper_bound(key);
    ASSERT_EQ(AtOrBefore(key), behind == model.begin() ? "(end)" : *std::prev(behind));
  }
}

TEST_F(MemtableTreeTest, TurnsRound) {
  for (int i = 0; i < 100; ++i) Insert(Digits(i));
  Cursor at(tree_);
  at.SeekAtOrAfter(Digits(50));
  for (int i = 0; i < 30; ++i) at.Next();
  EXPECT_EQ(at.entry(), Digits(80));
  for (int i = 0; i < 60; ++i) at.Previous();
  EXPECT_EQ(at.entry(), Digits(20));
}

TEST_F(MemtableTreeTest, ACursorGoesOnWhileOthersAreAdded) {
  for (int i = 0; i < 1000; ++i) Insert(Digits(2 * i));
  Cursor up(tree_);
  Cursor down(tree_);
  up.SeekToFirst();
  down.SeekToLast();
  for (int i = 0; i < 1000; ++i) {
    while (up.entry() != Digits(2 * i)) up.Next();
    while (down.entry() != Digits(2 * (999 - i))) down.Previous();
    Insert(Digits(2 * ((i * 7919) % 1000) + 1));
  }
}

TEST_F(MemtableTreeTest, CountsRoughly) {
  for (int i = 0; i < 10'000; ++i) Insert(Digits(i));
  EXPECT_NEAR(static_cast<double>(tree_.CountBetween(Digits(1000), Digits(3000))), 2000, 50);
  EXPECT_EQ(tree_.CountBetween(Digits(5), Digits(5)), 0);
}

// One thread adds; others look for what it says it has added, and walk from
// there in both directions.
TEST_F(MemtableTreeTest, ReadersFindAllThatWasAddedBeforeTheyBegan) {
  constexpr int kEntries = 60'000;
  std::vector<std::string> order;
  for (int i = 0; i < kEntries; ++i) order.push_back((i % 3 == 0 ? "common beginning " : "") + Digits(i));
  std::ranges::shuffle(order, std::mt19937(3));
  std::atomic<int> added = 0;
  std::atomic<int> missed = 0;
  std::atomic<int> disordered = 0;

  const auto read = [&](unsigned seed) {
    std::mt19937 random(seed);
    while (added.load(std::memory_order_acquire) < kEntries) {
      const int known = added.load(std::memory_order_acquire);
      if (known == 0) continue;
      const std::string& key = order[random() % static_cast<unsigned>(known)];
      Cursor at(tree_);
      at.SeekAtOrAfter(key);
      if (!at.valid() || at.entry() != key) {
        ++missed;
        continue;
      }
      std::string last = key;
      for (at.Next(); at.valid() && random() % 64 != 0; at.Next()) {
        if (at.entry() <= last) ++disordered;
        last = at.entry();
      }
      at.SeekAtOrBefore(key);
      if (!at.valid() || at.entry() != key) {
        ++missed;
        continue;
      }
      last = key;
      for (at.Previous(); at.valid() && random() % 64 != 0; at.Previous()) {
        if (at.entry() >= last) ++disordered;
        last = at.entry();
      }
    }
  };
  const auto count_all = [&] {
    while (added.load(std::memory_order_acquire) < kEntries) {
      const int known = added.load(std::memory_order_acquire);
      if (static_cast<int>(Forward().size()) < known) ++missed;
      const int known_later = added.load(std::memory_order_acquire);
      if (static_cast<int>(Backward().size()) < known_later) ++missed;
    }
  };
  std::vector<std::thread> readers;
  for (unsigned seed = 0; seed < 2; ++seed) readers.emplace_back(read, seed);
  readers.emplace_back(count_all);
  for (const std::string& text : order) {
    tree_.Insert(text.c_str());
    added.fetch_add(1, std::memory_order_release);
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(disordered, 0);
}

// The leaf at the end fills up, and others follow it, while a reader looks for what
// is behind them all: he must not end up before it.
TEST(MemtableTree, ASeekBehindTheEndStaysThereWhileTheTreeGrows) {
  for (const int grown : {111, 115, 116, 120, 140, 170}) {
    InterruptedOrder order;
    std::vector<std::unique_ptr<std::max_align_t[]>> memory;
    MemtableTree tree(order, [&](std::size_t bytes) {
      memory.push_back(std::make_unique<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1));
      return reinterpret_cast<char*>(memory.back().get());
    });
    std::deque<std::string> texts;
    const auto insert = [&](int from, int to) {
      for (int i = from; i < to; ++i) {
        tree.Insert(texts.emplace_back("alike in eight bytes " + std::to_string(i)).c_str());
      }
    };
    insert(100, 110);
    order.interruption = [&] { insert(110, grown); };
    MemtableTree::Cursor at(tree);
    at.SeekAtOrAfter("alike in eight bytes 190");
    ASSERT_FALSE(order.interruption) << "nothing was compared";
    EXPECT_FALSE(at.valid()) << at.entry() << " after " << grown;
  }
}

}  // namespace
}  // namespace taula::storage
