#include "codec/plain_json.h"

#include <gtest/gtest.h>

namespace taula::codec {
namespace {

// As plain JSON with marks, and back; the text if it comes back the same.
std::string Through(const Value& value) {
  std::string text;
  AppendPlainJson(text, value.view(), TypeMarks::kWritten);
  const auto read = PlainJsonReader(TypeMarks::kWritten).ReadValue(text);
  if (!read) return text + " " + read.error().path + " " + read.error().what;
  return *read == value ? text : text + " came back as something else";
}

std::string WhyNot(std::string_view json) {
  const auto read = PlainJsonReader(TypeMarks::kWritten).ReadItem(json);
  return read ? "read" : read.error().path + " " + read.error().what;
}

TEST(PlainJson, SaysWhatBinariesAndSetsAre) {
  EXPECT_EQ(Through(Value::Binary(std::string("\0\1", 2))), R"({"$binary":"AAE="})");
  EXPECT_EQ(Through(Value::StringSet({"b", "a"})), R"({"$set":["a","b"]})");
  EXPECT_EQ(Through(*Value::NumberSet(std::vector<std::string>{"10", "9"})), R"({"$set":[9,10]})");
  EXPECT_EQ(Through(Value::BinarySet({"hi"})), R"({"$set":[{"$binary":"aGk="}]})");
}

TEST(PlainJson, DoesNotMistakeMapsForThem) {
  EXPECT_EQ(Through(Value::Map({{"$set", Value::List({"a"})}})), R"({"$$set":["a"]})");
  EXPECT_EQ(Through(Value::Map({{"$binary", "aGk="}})), R"({"$$binary":"aGk="})");
  EXPECT_EQ(Through(Value::Map({{"$$set", 1}})), R"({"$$$set":1})");
  EXPECT_EQ(Through(Value::Map({{"$other", 1}})), R"({"$$other":1})");
  EXPECT_EQ(Through(Value::Map({{"$set", 1}, {"b", 2}})), R"({"$set":1,"b":2})");
  EXPECT_EQ(Through(Value::Map({{"set", 1}})), R"({"set":1})");
}

TEST(PlainJson, TakesAnItemForAnItem) {
  const Item item({{"$set", Value::List({"a"})}});
  std::string text;
  AppendPlainItem(text, item.attributes());
  EXPECT_EQ(text, R"({"$set":["a"]})");
  EXPECT_EQ(PlainJsonReader(TypeMarks::kWritten).ReadItem(text).value(), item);
}

TEST(PlainJson, KeepsNumbersExactly) {
  for (const char* text :
       {"0", "-1.5", "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678"}) {
    EXPECT_EQ(Through(*Value::Number(text)), text);
  }
  for (const char* text : {"1E-130", "9.9999999999999999999999999999999999999E+125"}) {
    EXPECT_EQ(Through(*Value::Number(text)), Value::Number(text)->view().number_text());
  }
}

TEST(PlainJson, KeepsDeepValues) {
  Value deep = Value::BinarySet({"x"});
  for (int level = 0; level < 31; ++level) deep = level % 2 == 0 ? Value::List({deep}) : Value::Map({{"m", deep}});
  EXPECT_FALSE(Through(deep).contains(' '));
}

TEST(PlainJson, SaysWhatIsWrongWithAMark) {
  EXPECT_EQ(WhyNot(R"({"a":{"$set":[]}})"), "a.$set is empty, which a set cannot be");
  EXPECT_EQ(WhyNot(R"({"a":{"$set":[1,"b"]}})"), "a.$set has elements of several types");
  EXPECT_EQ(WhyNot(R"({"a":{"$set":[true]}})"),
            "a.$set has elements that are neither strings nor numbers nor binaries");
  EXPECT_EQ(WhyNot(R"({"a":[{"$binary":"!"}]})"), "a[0].$binary is not Base64");
  EXPECT_EQ(WhyNot(R"({"a":1)"), " is not a JSON object");
}

TEST(PlainJson, WithoutMarksTakesTheNamesAsTheyAre) {
  const auto read = PlainJsonReader().ReadValue(R"({"$set":[1]})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->type(), Type::kMap);
}

}  // namespace
}  // namespace taula::codec
