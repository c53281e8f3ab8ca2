#include "taula/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/encoding.h"
#include "value/map_builder.h"
#include "value/size.h"
#include "value/testing_hex.h"

namespace taula {
namespace {

using testing::ElementsAre;
using value::Hex;

Value Sample() {
  return Value::Map({{"null", Value::Null()},
                     {"yes", Value::Bool(true)},
                     {"number", *Value::Number("-12.5")},
                     {"text", "hello"},
                     {"bytes", Value::Binary(std::string_view("\0\xff", 2))},
                     {"strings", Value::StringSet({"b", "a"})},
                     {"numbers", *Value::NumberSet(std::vector<std::string>{"10", "9", "-1"})},
                     {"binaries", Value::BinarySet({"y", "x"})},
                     {"list", Value::List({1, "two", Value::List({})})},
                     {"map", Value::Map({{"inner", 7}})}});
}

TEST(Value, HasTheBytesThatAreDocumented) {
  EXPECT_EQ(Hex(Value::Null().encoded()), "01");
  EXPECT_EQ(Hex(Value::Bool(false).encoded()), "02 00");
  EXPECT_EQ(Hex(Value::Bool(true).encoded()), "02 01");
  EXPECT_EQ(Hex(Value(42).encoded()), "03 02 83 2b 00");
  EXPECT_EQ(Hex(Value("hi").encoded()), "04 02 68 69");
  EXPECT_EQ(Hex(Value::Binary("\xff").encoded()), "05 01 ff");
  EXPECT_EQ(Hex(Value::StringSet({"b", "a"}).encoded()), "06 04 00 00 00 01 61 01 62");
  EXPECT_EQ(Hex(Value::NumberSet(std::vector<std::string>{"1", "0"})->encoded()),
            "07 07 00 00 00 01 01 04 02 82 0b 00");
  EXPECT_EQ(Hex(Value::BinarySet({"\xff"}).encoded()), "08 02 00 00 00 01 ff");
  EXPECT_EQ(Hex(Value::List({"hi", Value::Null()}).encoded()), "09 05 00 00 00 04 02 68 69 01");
  EXPECT_EQ(Hex(Value::Map({{"b", Value::Null()}, {"a", Value::Bool(true)}}).encoded()),
            "0a 07 00 00 00 01 61 02 01 01 62 01");
}

TEST(Value, ReadsBackEveryType) {
  const Value sample = Sample();
  const ValueView map = sample.view();
  EXPECT_EQ(map.Find("null")->type(), Type::kNull);
  EXPECT_TRUE(map.Find("yes")->boolean());
  EXPECT_EQ(map.Find("number")->number_text(), "-12.5");
  EXPECT_EQ(map.Find("text")->bytes(), "hello");
  EXPECT_EQ(map.Find("bytes")->bytes(), std::string_view("\0\xff", 2));
  const SetView strings = map.Find("strings")->set();
  EXPECT_THAT(std::vector<std::string>(strings.begin(), strings.end()), ElementsAre("a", "b"));
  const SetView binaries = map.Find("binaries")->set();
  EXPECT_THAT(std::vector<std::string>(binaries.begin(), binaries.end()), ElementsAre("x", "y"));
  EXPECT_EQ(map.Find("list")->list().At(1)->bytes(), "two");
  EXPECT_EQ(map.Find("list")->list().At(2)->list().size(), 0U);
  EXPECT_EQ(map.Find("list")->list().At(3), std::nullopt);
  EXPECT_EQ(map.Find("map")->Find("inner")->number_text(), "7");
  EXPECT_EQ(map.Find("absent"), std::nullopt);
  EXPECT_EQ(map.Find(""), std::nullopt);
  EXPECT_EQ(map.Find("zzz"), std::nullopt);
  EXPECT_EQ(map.map().size(), 10U);
}

TEST(Value, HasTheSameBytesHoweverItWasBuilt) {
  EXPECT_EQ(Value::Map({{"a", 1}, {"b", 2}}), Value::Map({{"b", 2}, {"a", 1}}));
  EXPECT_EQ(Value::StringSet({"a", "b", "a"}), Value::StringSet({"b", "a"}));
  EXPECT_EQ(Value::NumberSet(std::vector<std::string>{"1.0", "2"}),
            Value::NumberSet(std::vector<std::string>{"2", "1"}));
  EXPECT_EQ(Value::Number("1e2"), Value(100));
  EXPECT_NE(Value::List({1, 2}), Value::List({2, 1}));
  EXPECT_NE(Value("1"), Value(1));
  EXPECT_NE(Value("a"), Value::Binary("a"));
}

TEST(Value, RefusesWhatIsNoNumber) {
  EXPECT_EQ(Value::Number("ten"), std::nullopt);
  EXPECT_EQ(Value::NumberSet(std::vector<std::string>{"1", "ten"}), std::nullopt);
}

TEST(Value, KeepsLongTexts) {
  for (const std::size_t length : {127, 128, 16383, 16384, 400'000}) {
    const std::string text(length, 'x');
    const Value list = Value::List({text, 1});
    EXPECT_EQ(list.view().list().At(0)->bytes(), text);
    EXPECT_EQ(list.view().list().At(1)->number_text(), "1");
    EXPECT_TRUE(value::IsWellFormedValue(list.encoded()));
  }
}

TEST(ValueView, IgnoresWhatFollows) {
  const std::string bytes = Sample().encoded() + "tail";
  EXPECT_EQ(ValueView(bytes.data()).encoded(), Sample().encoded());
}

TEST(SetView, FindsItsElements) {
  const Value set = Value::StringSet({"b", "d", "", "bb"});
  for (const std::string_view element : {"", "b", "bb", "d"}) EXPECT_TRUE(set.view().set().Contains(element));
  for (const std::string_view element : {"a", "bbb", "c", "e"}) EXPECT_FALSE(set.view().set().Contains(element));
  EXPECT_EQ(set.view().set().size(), 4U);
}

TEST(MapView, GoesByNameInByteOrder) {
  const Value map = Value::Map({{"b", 1}, {"\xc3\xa9", 2}, {"a", 3}, {"ab", 4}, {"B", 5}});
  std::vector<std::string> names;
  for (const auto& [name, value] : map.view().map()) names.emplace_back(name);
  EXPECT_THAT(names, ElementsAre("B", "a", "ab", "b", "\xc3\xa9"));
}

TEST(MapBuilder, LetsTheLastOfOneNameStay) {
  EXPECT_EQ(Value::Map({{"a", 1}, {"a", 2}}), Value::Map({{"a", 2}}));
  EXPECT_EQ(Value::Map({{"b", 1}, {"a", 2}, {"b", 3}, {"a", 4}}), Value::Map({{"a", 4}, {"b", 3}}));
  EXPECT_EQ(Value::Map({{"", 1}, {"", 2}}), Value::Map({{"", 2}}));
}

TEST(MapBuilder, BuildsInsideOfALongerBuffer) {
  std::string out = "before";
  value::MapBuilder outer(out);
  outer.Name("z");
  value::MapBuilder inner(out);
  inner.Name("y");
  value::AppendNull(out);
  inner.Name("x");
  value::AppendBool(out, true);
  inner.Finish();
  outer.Add("a", Value("first").view());
  outer.Finish();
  const Value expected =
      Value::Map({{"a", "first"}, {"z", Value::Map({{"x", Value::Bool(true)}, {"y", Value::Null()}})}});
  EXPECT_EQ(out, "before" + expected.encoded());
}

TEST(Item, SetsAttributesInAnyOrder) {
  Item item;
  EXPECT_TRUE(item.empty());
  item.Set("m", 1).Set("z", 2).Set("a", 3).Set("m", "new");
  EXPECT_EQ(item, (Item{{"a", 3}, {"m", "new"}, {"z", 2}}));
  EXPECT_EQ(item.Find("m")->bytes(), "new");
  EXPECT_FALSE(item.empty());
}

TEST(Size, CountsAsDynamoDbDoes) {
  using value::ValueSize;
  EXPECT_EQ(ValueSize(Value::Null().view()), 1U);
  EXPECT_EQ(ValueSize(Value::Bool(true).view()), 1U);
  EXPECT_EQ(ValueSize(Value("h\xc3\xa9").view()), 3U);
  EXPECT_EQ(ValueSize(Value("").view()), 0U);
  EXPECT_EQ(ValueSize(Value::Binary("abc").view()), 3U);
  EXPECT_EQ(ValueSize(Value(-42).view()), 3U);
  EXPECT_EQ(ValueSize(Value::StringSet({"a", "bcd"}).view()), 4U);
  EXPECT_EQ(ValueSize(Value::NumberSet(std::vector<std::string>{"1", "-42"})->view()), 5U);
  EXPECT_EQ(ValueSize(Value::List({}).view()), 3U);
  EXPECT_EQ(ValueSize(Value::List({"ab", Value::Null()}).view()), 3U + 3 + 2);
  EXPECT_EQ(ValueSize(Value::Map({}).view()), 3U);
  EXPECT_EQ(ValueSize(Value::Map({{"key", "ab"}}).view()), 3U + 1 + 3 + 2);
  const Item item{{"PK", "USER#1"}, {"list", Value::List({Value::Map({{"a", 1}})})}};
  EXPECT_EQ(value::ItemSize(item.attributes()), 2U + 6 + 4 + (3 + 1 + (3 + 1 + 1 + 2)));
  EXPECT_EQ(value::ItemSize(Item().attributes()), 0U);
}

TEST(Size, KnowsTheDepth) {
  using value::NestingDepth;
  EXPECT_EQ(NestingDepth(Value(1).view()), 0U);
  EXPECT_EQ(NestingDepth(Value::StringSet({"a"}).view()), 0U);
  EXPECT_EQ(NestingDepth(Value::List({}).view()), 0U);
  EXPECT_EQ(NestingDepth(Value::List({1}).view()), 1U);
  EXPECT_EQ(NestingDepth(Value::List({1, Value::Map({{"a", Value::List({1})}}), 2}).view()), 3U);
}

TEST(WellFormed, TakesWhatIsBuilt) {
  EXPECT_TRUE(value::IsWellFormedValue(Sample().encoded()));
  EXPECT_TRUE(value::IsWellFormedValue(Value::Map({}).encoded()));
}

TEST(WellFormed, RefusesWhatIsCutOffOrGoesOn) {
  const std::string bytes = Sample().encoded();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    // Copied, so that a sanitizer sees a read beyond the end.
    const std::string cut(bytes, 0, length);
    EXPECT_FALSE(value::IsWellFormedValue(cut)) << length;
  }
  EXPECT_FALSE(value::IsWellFormedValue(bytes + "x"));
}

TEST(WellFormed, NeverReadsOutsideOfDamagedBytes) {
  const std::string bytes = Sample().encoded();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      if (!value::IsWellFormedValue(damaged)) continue;
      EXPECT_EQ(ValueView(damaged.data()).encoded(), damaged);
    }
  }
}

TEST(WellFormed, RefusesASecondWayToWriteAValue) {
  const auto refused = [](std::string_view bytes) { return !value::IsWellFormedValue(bytes); };
  using std::string_view_literals::operator""sv;
  EXPECT_TRUE(refused("\x00"sv));                                    // no such type
  EXPECT_TRUE(refused("\x0b"sv));                                    // no such type
  EXPECT_TRUE(refused("\x02\x02"sv));                                // no such truth
  EXPECT_TRUE(refused("\x04\x81\x00x"sv));                           // a length with a zero behind it
  EXPECT_TRUE(refused("\x04\xff\xff\xff\xff\xff\x01"sv));            // a length of more than 32 bits
  EXPECT_TRUE(refused("\x06\x04\0\0\0\x01\x62\x01\x61"sv));          // elements out of order
  EXPECT_TRUE(refused("\x06\x04\0\0\0\x01\x61\x01\x61"sv));          // one element twice
  EXPECT_TRUE(refused("\x07\x02\0\0\0\x01\x61"sv));                  // no number
  EXPECT_TRUE(refused("\x0a\x06\0\0\0\x01\x62\x01\x01\x61\x01"sv));  // names out of order
}

TEST(WellFormed, RefusesHostileDepth) {
  const auto nested = [](int levels) {
    Value value(1);
    for (int i = 0; i < levels; ++i) value = Value::List({value});
    return value;
  };
  EXPECT_TRUE(value::IsWellFormedValue(nested(32).encoded()));
  EXPECT_FALSE(value::IsWellFormedValue(nested(33).encoded()));
  EXPECT_FALSE(value::IsWellFormedValue(nested(5000).encoded()));
}

}  // namespace
}  // namespace taula
