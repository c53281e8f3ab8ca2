#include "design/attribute_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::design {
namespace {

using ::testing::HasSubstr;

Attribute Of(AttributeType type) {
  Attribute attribute;
  attribute.name = "a";
  attribute.type = type;
  return attribute;
}

// The clauses, or nothing.
std::string Problem(const Attribute& attribute, const Value& value) {
  Problems problems;
  CheckValue(attribute, value.view(), {.name = attribute.name}, problems);
  return problems.empty() ? "" : problems.Message("").substr(2);
}

std::string Problem(AttributeType type, const Value& value) { return Problem(Of(type), value); }

TEST(CheckValue, WantsTheAttributesType) {
  const std::vector<std::pair<AttributeType, Value>> right = {
      {AttributeType::kString, "x"},
      {AttributeType::kString, ""},
      {AttributeType::kNumber, *Value::Number("1.5")},
      {AttributeType::kInteger, 3},
      {AttributeType::kBoolean, Value::Bool(false)},
      {AttributeType::kBinary, Value::Binary("x")},
      {AttributeType::kList, Value::List({1, "x"})},
      {AttributeType::kMap, Value::Map({{"x", 1}})},
      {AttributeType::kStringSet, Value::StringSet({"x"})},
      {AttributeType::kNumberSet, *Value::NumberSet(std::vector<std::string>{"1"})},
      {AttributeType::kBinarySet, Value::BinarySet({"x"})},
      {AttributeType::kDate, "2024-02-29"},
      {AttributeType::kUuid, "9c5b94b1-35ad-49bb-b118-8e8fc24abf80"},
  };
  for (const auto& [type, value] : right) EXPECT_EQ(Problem(type, value), "") << static_cast<int>(type);
  for (const auto& [type, value] : right) {
    EXPECT_NE(Problem(type, Value::Null()), "") << static_cast<int>(type);
    EXPECT_EQ(Problem(AttributeType::kAny, value), "");
  }
  EXPECT_EQ(Problem(AttributeType::kString, 5), "a must be a string, not 5");
  EXPECT_EQ(Problem(AttributeType::kNumber, "5"), "a must be a number, not '5'");
  EXPECT_EQ(Problem(AttributeType::kBoolean, 1), "a must be true or false, not 1");
  EXPECT_EQ(Problem(AttributeType::kStringSet, Value::List({"x"})), "a must be a set of strings, not a list");
  EXPECT_EQ(Problem(AttributeType::kNumberSet, Value::StringSet({"x"})), "a must be a set of numbers, not a set");
  EXPECT_EQ(Problem(AttributeType::kAny, Value::Null()), "");
}

TEST(CheckValue, LooksOnlyAtElementsThatAreNew) {
  Attribute list = Of(AttributeType::kList);
  list.elements.push_back(Of(AttributeType::kInteger));
  const Value before = Value::List({"old", 1, "older"});
  const auto problem = [&](const Value& value) {
    Problems problems;
    CheckValue(list, value.view(), {.name = "a"}, problems, before.view());
    return problems.empty() ? "" : problems.Message("").substr(2);
  };
  EXPECT_EQ(problem(before), "");
  EXPECT_EQ(problem(Value::List({"older", 2})), "");
  EXPECT_EQ(problem(Value::List({"old", 1, "new"})), "a[2] must be a whole number, not 'new'");
}

TEST(CheckValue, KnowsWholeNumbers) {
  for (const char* text : {"0", "-7", "120", "1e30", "12345678901234567890123456789012345678", "1e125"}) {
    EXPECT_EQ(Problem(AttributeType::kInteger, *Value::Number(text)), "") << text;
  }
  for (const char* text : {"1.5", "0.1", "-2.25", "1e-5", "120.5"}) {
    EXPECT_THAT(Problem(AttributeType::kInteger, *Value::Number(text)), HasSubstr("a must be a whole number")) << text;
  }
}

TEST(CheckValue, KnowsTheValuesOfAnEnum) {
  Attribute attribute = Of(AttributeType::kEnum);
  attribute.values = {"red", "green", 3};
  EXPECT_EQ(Problem(attribute, "red"), "");
  EXPECT_EQ(Problem(attribute, 3), "");
  EXPECT_EQ(Problem(attribute, "3"), "a must be one of red, green, 3, not '3'");
  EXPECT_EQ(Problem(attribute, "Red"), "a must be one of red, green, 3, not 'Red'");
}

TEST(CheckValue, KeepsNumbersInTheirRange) {
  Attribute attribute = Of(AttributeType::kNumber);
  attribute.min = *Value::Number("-1.5");
  attribute.max = Value(45);
  for (const char* text : {"-1.5", "0", "45", "44.999"}) EXPECT_EQ(Problem(attribute, *Value::Number(text)), "");
  EXPECT_EQ(Problem(attribute, *Value::Number("-1.51")), "a must be at least -1.5, not -1.51");
  EXPECT_EQ(Problem(attribute, *Value::Number("45.001")), "a must be at most 45, not 45.001");
  EXPECT_EQ(Problem(attribute, *Value::Number("-100")), "a must be at least -1.5, not -100");
}

TEST(CheckValue, CountsCharactersNotBytes) {
  Attribute attribute = Of(AttributeType::kString);
  attribute.min_length = 2;
  attribute.max_length = 3;
  EXPECT_EQ(Problem(attribute, "äöü"), "");
  EXPECT_EQ(Problem(attribute, "ab"), "");
  EXPECT_EQ(Problem(attribute, "ä"), "a must have at least 2 characters, not 1");
  EXPECT_EQ(Problem(attribute, "abcd"), "a must have at most 3 characters, not 4");
}

TEST(CheckValue, KnowsEmails) {
  for (const char* good : {"a@example.com", "first.last+tag@sub.example.co.uk", "o'neil@example.com", "x@b-c.io",
                           "jürgen@exämple.de", "_@example.com"}) {
    EXPECT_EQ(Problem(AttributeType::kEmail, good), "") << good;
  }
  for (const char* bad :
       {"", "a", "@example.com", "a@", "a@example", "a@@example.com", "a@b@example.com", "a b@example.com",
        "a@exa mple.com", ".a@example.com", "a.@example.com", "a..b@example.com", "a@.example.com", "a@example.com.",
        "a@example..com", "a@example.com\n", "<a@example.com>", "a@exam_ple.com", "a,b@example.com"}) {
    EXPECT_THAT(Problem(AttributeType::kEmail, bad), HasSubstr("a must be an email address, not ")) << bad;
  }
  EXPECT_TRUE(IsEmail(std::string(64, 'a') + "@example.com"));
  EXPECT_FALSE(IsEmail(std::string(65, 'a') + "@example.com"));
  EXPECT_FALSE(IsEmail("a@" + std::string(250, 'b') + ".com"));
}

TEST(CheckValue, KnowsIdsWithTheirPrefix) {
  Attribute ulid = Of(AttributeType::kUlid);
  EXPECT_EQ(Problem(ulid, "01ARZ3NDEKTSV4RRFFQ69G5FAV"), "");
  EXPECT_EQ(Problem(ulid, "123"), "a must be a ULID, not '123'");
  ulid.prefix = "usr_";
  EXPECT_EQ(Problem(ulid, "usr_01ARZ3NDEKTSV4RRFFQ69G5FAV"), "");
  EXPECT_EQ(Problem(ulid, "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            "a must be 'usr_' and a ULID, not '01ARZ3NDEKTSV4RRFFQ69G5FAV'");
  Attribute uuid = Of(AttributeType::kUuid);
  uuid.prefix = "u-";
  EXPECT_EQ(Problem(uuid, "u-9c5b94b1-35ad-49bb-b118-8e8fc24abf80"), "");
  EXPECT_EQ(Problem(uuid, "u-9c5b94b1"), "a must be 'u-' and a UUID, not 'u-9c5b94b1'");
}

TEST(CheckValue, KnowsTimestampsOfEachFormat) {
  Attribute attribute = Of(AttributeType::kTimestamp);
  EXPECT_EQ(Problem(attribute, "2024-11-02T15:30:00.000Z"), "");
  EXPECT_EQ(Problem(attribute, "2024-11-02T15:30:00Z"), "");
  EXPECT_EQ(Problem(attribute, "2024-11-02"),
            "a must be a timestamp such as 2024-11-02T15:30:00.000Z, not '2024-11-02'");
  EXPECT_NE(Problem(attribute, "2023-02-29T15:30:00.000Z"), "");
  EXPECT_NE(Problem(attribute, 1730561400), "");
  attribute.format = TimeFormat::kSeconds;
  EXPECT_EQ(Problem(attribute, "2024-11-02T15:30:00Z"), "");
  EXPECT_EQ(Problem(attribute, "2024-11-02T15:30:00.000Z"),
            "a must be a timestamp such as 2024-11-02T15:30:00Z, not '2024-11-02T15:30:00.000Z'");
  attribute.format = TimeFormat::kEpoch;
  EXPECT_EQ(Problem(attribute, 1730561400), "");
  EXPECT_NE(Problem(attribute, *Value::Number("1730561400.5")), "");
  EXPECT_NE(Problem(attribute, "1730561400"), "");
}

TEST(CheckValue, KnowsDates) {
  EXPECT_EQ(Problem(AttributeType::kDate, "2024-11-31"), "a must be a date such as 2024-11-02, not '2024-11-31'");
}

TEST(CheckValue, KnowsBcryptHashes) {
  const std::string rest(53, 'x');
  EXPECT_TRUE(IsBcryptHash("$2a$10$" + rest));
  EXPECT_TRUE(IsBcryptHash("$2b$04$" + rest));
  EXPECT_TRUE(IsBcryptHash("$2y$31$" + std::string(52, '/') + "."));
  EXPECT_FALSE(IsBcryptHash("$2x$10$" + rest));
  EXPECT_FALSE(IsBcryptHash("$2b$03$" + rest));
  EXPECT_FALSE(IsBcryptHash("$2b$32$" + rest));
  EXPECT_FALSE(IsBcryptHash("$2b$1a$" + rest));
  EXPECT_FALSE(IsBcryptHash("$2b$10$" + rest.substr(1)));
  EXPECT_FALSE(IsBcryptHash("$2b$10$" + rest + "x"));
  EXPECT_FALSE(IsBcryptHash("$2b$10$" + rest.substr(1) + "$"));
  EXPECT_FALSE(IsBcryptHash("password"));
  EXPECT_FALSE(IsBcryptHash(""));
}

TEST(CheckValue, LooksIntoMapsAndLists) {
  Attribute size = Of(AttributeType::kInteger);
  size.name = "size";
  size.required = true;
  Attribute tags = Of(AttributeType::kList);
  tags.name = "tags";
  tags.elements = {Of(AttributeType::kString)};
  Attribute attribute = Of(AttributeType::kMap);
  attribute.fields = {size, tags};
  EXPECT_EQ(Problem(attribute, Value::Map({{"size", 1}, {"tags", Value::List({"x"})}, {"other", 5}})), "");
  EXPECT_EQ(Problem(attribute, Value::Map({{"tags", Value::List({"x", 1, "y", 2})}})),
            "a.size is required; a.tags[1] must be a string, not 1; a.tags[3] must be a string, not 2");
}

TEST(CheckValue, ShowsLongTextCutBetweenCharacters) {
  std::string text(79, 'x');
  text += "äää";
  EXPECT_EQ(Problem(AttributeType::kNumber, text), "a must be a number, not '" + std::string(79, 'x') + "…'");
}

TEST(CheckValue, NeverShowsASecret) {
  Attribute attribute = Of(AttributeType::kNumber);
  attribute.secret = true;
  EXPECT_EQ(Problem(attribute, "hunter2"), "a must be a number");
}

}  // namespace
}  // namespace taula::design
