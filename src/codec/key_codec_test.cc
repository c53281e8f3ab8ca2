#include "codec/key_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/bytes.h"
#include "value/number.h"
#include "value/testing_hex.h"

namespace taula::codec {
namespace {

using value::Hex;

std::string Part(const Value& value) {
  std::string part;
  AppendKeyPart(part, value.view());
  return part;
}

std::string Key(SpaceId space, const Value& partition, const Value& sort) {
  KeyBuilder key(space);
  key.Partition(partition.view());
  key.EndPartition();
  key.Part(sort.view());
  return key.Take();
}

bool Contains(const base::KeyRange& range, std::string_view key) {
  return key >= range.begin && (range.end.empty() || key < range.end);
}

TEST(KeyCodec, PartsCanBeReadAgain) {
  const auto again = [](const Value& value) { return KeyPartText(Part(value), value.view().type()); };
  EXPECT_EQ(again("hi"), "hi");
  EXPECT_EQ(again(std::string_view("\0a\0\0\xff", 5)), std::string_view("\0a\0\0\xff", 5));
  EXPECT_EQ(again(Value::Binary(std::string_view("\0\x01", 2))), std::string_view("\0\x01", 2));
  EXPECT_EQ(again(-42), "-42");
}

TEST(KeyCodec, HasTheBytesThatAreDocumented) {
  EXPECT_EQ(Hex(Part("hi")), "68 69 00 01");
  EXPECT_EQ(Hex(Part(std::string_view("a\0b", 3))), "61 00 ff 62 00 01");
  EXPECT_EQ(Hex(Part(Value::Binary("\xff"))), "ff 00 01");
  EXPECT_EQ(Hex(Part(42)), "02 83 2b 00");
  EXPECT_EQ(Hex(Part("")), "00 01");
  EXPECT_EQ(PartitionHash(""), 0xefd01f60U);
  EXPECT_EQ(Hex(Key(7, "USER#1", 42)), "44 00 00 00 07 78 e5 b0 1f 55 53 45 52 23 31 00 01 02 83 2b 00");
}

TEST(KeyCodec, TellsWhereAPartEnds) {
  const Value texts[] = {"hi", "", std::string_view("a\0b", 3), std::string_view("\0", 1), std::string_view("\0\1", 2)};
  for (const Value& text : texts) {
    const std::string part = Part(text);
    EXPECT_EQ(KeyPartBytes(part, Type::kString), part.size());
    EXPECT_EQ(KeyPartBytes(part + Part("behind"), Type::kString), part.size());
  }
  for (const Value& number : {Value(0), Value(-1), Value(42), Value::Number("-3.14E-100").value()}) {
    EXPECT_EQ(KeyPartBytes(Part(number) + Part(7), Type::kNumber), Part(number).size());
  }
  EXPECT_EQ(KeyPartBytes(Part(Value::Binary("\xff")) + Part(""), Type::kBinary), 3U);
}

TEST(KeyCodec, KeepsTheOrderOfTexts) {
  std::mt19937 random(7);
  // The bytes that escaping and closing are about, and their neighbours.
  constexpr std::string_view kBytes("\x00\x01\x02\x7f\xfe\xff", 6);
  const auto text = [&] {
    std::string bytes(random() % 5, '\0');
    for (char& byte : bytes) byte = kBytes[random() % kBytes.size()];
    return bytes;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::string a = text();
    const std::string b = text();
    EXPECT_EQ(a <=> b, Part(Value::Binary(a)) <=> Part(Value::Binary(b))) << Hex(a) << " and " << Hex(b);
    EXPECT_EQ(Part(Value(a)), Part(Value::Binary(a)));
  }
}

TEST(KeyCodec, KeepsTheOrderOfPairs) {
  std::mt19937 random(8);
  constexpr std::string_view kBytes("\x00\x01\xff", 3);
  const auto text = [&] {
    std::string bytes(random() % 4, '\0');
    for (char& byte : bytes) byte = kBytes[random() % kBytes.size()];
    return bytes;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::pair a{text(), text()};
    const std::pair b{text(), text()};
    const std::string a_key = Part(Value(a.first)) + Part(Value(a.second));
    const std::string b_key = Part(Value(b.first)) + Part(Value(b.second));
    EXPECT_EQ(a <=> b, a_key <=> b_key);
  }
}

TEST(KeyCodec, KeepsTheOrderOfNumbers) {
  const std::vector<std::string> ascending = {"-1E125", "-10",    "-9.5",  "-9",     "-1",   "-0.1", "-1E-130",
                                              "0",      "1E-130", "0.001", "0.0011", "0.5",  "9",    "10",
                                              "10.01",  "11",     "99",    "100",    "1E20", "1E125"};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(Part(*Value::Number(ascending[i - 1])), Part(*Value::Number(ascending[i]))) << ascending[i];
  }
}

TEST(KeyCodec, FindsBeginningsByPrefix) {
  const auto in_prefix = [](std::string_view beginning, const Value& value) {
    std::string prefix;
    AppendKeyPartPrefix(prefix, beginning);
    return Contains({prefix, PrefixEnd(prefix)}, Part(value));
  };
  EXPECT_TRUE(in_prefix("ORDER#", "ORDER#"));
  EXPECT_TRUE(in_prefix("ORDER#", "ORDER#1"));
  EXPECT_TRUE(in_prefix("", "anything"));
  EXPECT_FALSE(in_prefix("ORDER#", "ORDER"));
  EXPECT_FALSE(in_prefix("ORDER#", "ORDER$"));
  EXPECT_TRUE(in_prefix(std::string_view("a\0", 2), std::string_view("a\0\0", 3)));
  EXPECT_FALSE(in_prefix(std::string_view("a\0", 2), "a"));
  EXPECT_FALSE(in_prefix(std::string_view("a\0", 2), "a\x01"));
  EXPECT_TRUE(in_prefix("\xff", Value::Binary("\xff\xff")));
}

TEST(KeyCodec, PutsAPartitionTogetherWhateverFollows) {
  const std::string a = Key(7, "p", 1);
  const std::string b = Key(7, "p", "text");
  EXPECT_EQ(a.substr(0, kPartitionPrefixBytes + 3), b.substr(0, kPartitionPrefixBytes + 3));
  EXPECT_NE(a.substr(0, kPartitionPrefixBytes), Key(7, "q", 1).substr(0, kPartitionPrefixBytes));
  EXPECT_NE(a.substr(0, kSpacePrefixBytes), Key(8, "p", 1).substr(0, kSpacePrefixBytes));
}

TEST(KeyCodec, HashesAllOfThePartitionsParts) {
  KeyBuilder one(1);
  one.Partition(Value("a").view());
  one.Partition(Value("b").view());
  one.EndPartition();
  EXPECT_EQ(base::ReadBigEndianU32(one.key().data() + kSpacePrefixBytes), PartitionHash(Part("a") + Part("b")));
}

TEST(KeyCodec, HoldsASpaceInItsRange) {
  for (const SpaceId space : {0U, 1U, 255U, 256U, 0xffffffU, 0xffffffffU}) {
    const base::KeyRange range = SpaceRange(space);
    EXPECT_TRUE(Contains(range, Key(space, "p", "s")));
    if (space != 0) {
      EXPECT_FALSE(Contains(range, Key(space - 1, "p", "s")));
    }
    if (space != 0xffffffffU) {
      EXPECT_FALSE(Contains(range, Key(space + 1, "p", "s")));
    }
  }
}

TEST(KeyCodec, CoversASpaceWithSegmentsExactlyOnce) {
  for (const std::uint32_t total : {1U, 2U, 3U, 7U, 10U, 1000U, 4096U}) {
    std::string reached = SpaceRange(5).begin;
    for (std::uint32_t segment = 0; segment < total; ++segment) {
      const base::KeyRange range = SegmentRange(5, segment, total);
      ASSERT_EQ(range.begin, reached) << segment << " of " << total;
      ASSERT_LT(range.begin, range.end);
      reached = range.end;
    }
    EXPECT_EQ(reached, SpaceRange(5).end) << total;
  }
}

TEST(KeyCodec, DividesIntoAsManySegmentsAsAScanMayHave) {
  constexpr std::uint32_t kTotal = 1'000'000;
  EXPECT_EQ(SegmentRange(5, 0, kTotal).begin, SpaceRange(5).begin);
  for (const std::uint32_t segment : {0U, 1U, 499'999U, 999'998U}) {
    const base::KeyRange range = SegmentRange(5, segment, kTotal);
    EXPECT_LT(range.begin, range.end);
    EXPECT_EQ(range.end, SegmentRange(5, segment + 1, kTotal).begin);
  }
  EXPECT_EQ(SegmentRange(5, kTotal - 1, kTotal).end, SpaceRange(5).end);
}

TEST(KeyCodec, SpreadsPartitionsEvenlyOverSegments) {
  constexpr std::uint32_t kSegments = 16;
  constexpr int kPartitions = 16'000;
  std::vector<int> count(kSegments);
  std::vector<base::KeyRange> ranges;
  for (std::uint32_t i = 0; i < kSegments; ++i) ranges.push_back(SegmentRange(1, i, kSegments));
  for (int i = 0; i < kPartitions; ++i) {
    const std::string key = Key(1, "USER#" + std::to_string(i), "PROFILE");
    for (std::uint32_t segment = 0; segment < kSegments; ++segment) {
      if (Contains(ranges[segment], key)) ++count[segment];
    }
  }
  int sum = 0;
  for (const int partitions : count) {
    EXPECT_NEAR(partitions, kPartitions / kSegments, 150);
    sum += partitions;
  }
  EXPECT_EQ(sum, kPartitions);
}

TEST(PrefixEnd, IsTheNextPrefix) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("a\xff\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xff"), "");
  EXPECT_EQ(PrefixEnd(""), "");
}

}  // namespace
}  // namespace taula::codec
