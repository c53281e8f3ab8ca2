#include "design/plain_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::design {
namespace {

Attribute Shaped(AttributeType type) {
  Attribute shape;
  shape.type = type;
  return shape;
}

// What comes back of a member "x" of this shape, or "<path> <what>".
std::string Through(std::string_view json, const Attribute& shape) {
  const auto read = ReadPlainObject(json, [&](std::string_view name) { return name == "x" ? &shape : nullptr; });
  if (!read) return read.error().path + " " + read.error().what;
  std::string out;
  for (const auto& [name, value] : *read) AppendPlainJson(out, value.view());
  return out;
}

TEST(PlainJson, KeepsAllDigitsOfANumber) {
  const Attribute number = Shaped(AttributeType::kNumber);
  EXPECT_EQ(Through(R"({"x":12345678901234567890123456789012345678})", number),
            "12345678901234567890123456789012345678");
  EXPECT_EQ(Through(R"({"x":0.1234567890123456789})", number), "0.1234567890123456789");
  EXPECT_EQ(Through(R"({"x":"5"})", number), "5");
  EXPECT_EQ(Through(R"({"x":1e400})", number), "x is not a number with at most 38 digits");
  EXPECT_EQ(Through(R"({"x":1.5})", Shaped(AttributeType::kInteger)), "x is not a whole number");
}

TEST(PlainJson, SaysWhereAValueDoesNotFit) {
  Attribute list = Shaped(AttributeType::kList);
  list.elements.push_back(Shaped(AttributeType::kMap));
  list.elements[0].fields.push_back(Shaped(AttributeType::kInteger));
  list.elements[0].fields[0].name = "n";
  EXPECT_EQ(Through(R"({"x":[{"n":1},{"n":"many","o":null}]})", list), "x[1].n is not a whole number");
  EXPECT_EQ(Through(R"({"x":[{"n":"7","o":[true,null,"é"]}]})", list), R"([{"n":7,"o":[true,null,"é"]}])");
  EXPECT_EQ(Through(R"({"y":1})", list), "y is unknown");
  EXPECT_EQ(Through(R"({"x":[],"x":[]})", list), "x is given twice");
  EXPECT_EQ(Through(R"({"x":)", list), " is not a JSON object");
  EXPECT_EQ(Through(R"([1])", list), " is not a JSON object");
  EXPECT_EQ(Through(R"({"x":[]} x)", list), " is not a JSON object");
}

TEST(PlainJson, MakesSetsBinariesAndTimesOfWhatJsonHas) {
  EXPECT_EQ(Through(R"({"x":["b","a","b"]})", Shaped(AttributeType::kStringSet)), R"(["a","b"])");
  EXPECT_EQ(Through(R"({"x":[2,"1"]})", Shaped(AttributeType::kNumberSet)), "[1,2]");
  EXPECT_EQ(Through(R"({"x":[]})", Shaped(AttributeType::kStringSet)), "x is empty, which a set cannot be");
  EXPECT_EQ(Through(R"({"x":"AAE="})", Shaped(AttributeType::kBinary)), R"("AAE=")");
  EXPECT_EQ(Through(R"({"x":"A"})", Shaped(AttributeType::kBinary)), "x is not Base64");
  Attribute epoch = Shaped(AttributeType::kTimestamp);
  epoch.format = TimeFormat::kEpoch;
  EXPECT_EQ(Through(R"({"x":"2024-11-02T15:30:00Z"})", epoch), "1730561400");
  EXPECT_EQ(Through(R"({"x":"tomorrow"})", epoch), "x is not a time");
}

TEST(PlainJson, ReadsDeepInputOnlyAsDeepAsItMay) {
  const std::string deep = "{\"x\":" + std::string(5000, '[') + std::string(5000, ']') + "}";
  EXPECT_THAT(Through(deep, Shaped(AttributeType::kAny)),
              ::testing::AnyOf(::testing::HasSubstr("nested too deeply"), ::testing::HasSubstr("not JSON")));
}

TEST(PlainJson, TextOfACommandLineIsReadByItsType) {
  const auto read = [](std::string_view text, AttributeType type) {
    std::string out;
    const auto value = ValueFromText(text, Shaped(type));
    if (!value) return value.error().what;
    AppendPlainJson(out, value->view());
    return out;
  };
  EXPECT_EQ(read("123", AttributeType::kString), R"("123")");
  EXPECT_EQ(read("123", AttributeType::kInteger), "123");
  EXPECT_EQ(read("true", AttributeType::kBoolean), "true");
  EXPECT_EQ(read("yes", AttributeType::kBoolean), "is neither true nor false");
  EXPECT_EQ(read(R"([{"a":1}])", AttributeType::kList), R"([{"a":1}])");
  EXPECT_EQ(read("3", AttributeType::kAny), "3");
  EXPECT_EQ(read("three", AttributeType::kAny), R"("three")");
}

}  // namespace
}  // namespace taula::design
