#include "codec/json_value_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json_writer.h"
#include "value/encoding.h"

namespace taula::codec {
namespace {

struct Outcome {
  std::optional<Value> value;  // when the types are right
  std::string type_error;
  std::string fault;
  ValueFault::Kind kind{};
};

Outcome Read(std::string_view text, ValueWording wording = ValueWording::kCurrent, bool item = false) {
  simdjson::dom::parser parser;
  Json json;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS) {
    ADD_FAILURE() << "not JSON: " << text;
    return {};
  }
  Outcome outcome;
  std::string encoded;
  JsonValueReader reader(encoded, wording);
  if (item ? !reader.ReadItem(json, JsonPlace::kMember) : !reader.ReadValue(json, JsonPlace::kMember)) {
    outcome.type_error = reader.TakeTypeError();
    return outcome;
  }
  if (auto fault = reader.TakeFault()) {
    outcome.fault = fault->message;
    outcome.kind = fault->kind;
  } else {
    EXPECT_TRUE(value::IsWellFormedValue(encoded)) << text;
  }
  outcome.value = Value::FromEncoded(std::move(encoded));
  return outcome;
}

Outcome ReadItem(std::string_view text) { return Read(text, ValueWording::kCurrent, true); }

void ExpectValue(std::string_view text, const Value& value) {
  const Outcome outcome = Read(text);
  EXPECT_EQ(outcome.type_error, "") << text;
  EXPECT_EQ(outcome.fault, "") << text;
  EXPECT_EQ(outcome.value, value) << text;
}

void ExpectFault(std::string_view text, std::string_view message) {
  const Outcome outcome = Read(text);
  EXPECT_EQ(outcome.type_error, "") << text;
  EXPECT_EQ(outcome.fault, message) << text;
}

std::string Nested(int wraps, std::string_view open, std::string_view inner, std::string_view close) {
  std::string text;
  for (int i = 0; i < wraps; ++i) text.append(open);
  text.append(inner);
  for (int i = 0; i < wraps; ++i) text.append(close);
  return text;
}

constexpr std::string_view kNestingMessage =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
constexpr std::string_view kNoDatatype =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
constexpr std::string_view kSeveralDatatypes =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";

TEST(JsonValueReader, ReadsEveryType) {
  ExpectValue(R"({"S":"h\u00e9llo"})", "h\xc3\xa9llo");
  ExpectValue(R"({"S":""})", "");
  ExpectValue(R"({"S":"a\u0000b"})", std::string_view("a\0b", 3));
  ExpectValue(R"({"S":"\ud83d\ude00"})", "\xf0\x9f\x98\x80");
  ExpectValue(R"({"N":"1.50e1"})", 15);
  ExpectValue(R"({"B":"/+8="})", Value::Binary("\xff\xef"));
  ExpectValue(R"({"B":""})", Value::Binary(""));
  ExpectValue(R"({"BOOL":true})", Value::Bool(true));
  ExpectValue(R"({"BOOL":false})", Value::Bool(false));
  ExpectValue(R"({"NULL":true})", Value::Null());
  ExpectValue(R"({"SS":["b","a",""]})", Value::StringSet({"", "a", "b"}));
  ExpectValue(R"({"NS":["10","9","-1"]})", *Value::NumberSet(std::vector<std::string>{"-1", "9", "10"}));
  ExpectValue(R"({"BS":["/w==","AA=="]})", Value::BinarySet({"\xff", std::string(1, '\0')}));
  ExpectValue(R"({"L":[]})", Value::List({}));
  ExpectValue(R"({"L":[{"S":"a"},{"L":[{"N":"1"}]}]})", Value::List({"a", Value::List({1})}));
  ExpectValue(R"({"M":{"b":{"S":"x"},"a":{"M":{}}}})", Value::Map({{"a", Value::Map({})}, {"b", "x"}}));
}

TEST(JsonValueReader, ReadsWhatTheWriterWrites) {
  const Value value = Value::Map(
      {{"list", Value::List({1, "two", Value::Null(), Value::Bool(true), Value::Binary("3")})},
       {"strings", Value::StringSet({"x", "y"})},
       {"odd \" \\ \n name", Value::Map({{"deep", *Value::NumberSet(std::vector<std::string>{"1", "2.5"})}})}});
  std::string json;
  AppendValueJson(json, value.view());
  ExpectValue(json, value);
}

TEST(JsonValueReader, TakesWordsForBooleans) {
  ExpectValue(R"({"BOOL":"Yes"})", Value::Bool(true));
  ExpectValue(R"({"BOOL":"0"})", Value::Bool(false));
  ExpectValue(R"({"NULL":"TRUE"})", Value::Null());
}

TEST(JsonValueReader, IgnoresNullAndUnknownMembers) {
  ExpectValue(R"({"S":"a","N":null})", "a");
  ExpectValue(R"({"S":"a","X":{"deep":[1]},"SX":1,"":2})", "a");
}

TEST(JsonValueReader, LetsTheLastOfOneNameStay) {
  ExpectValue(R"({"S":"a","S":"b"})", "b");
  ExpectValue(R"({"M":{"a":{"N":"1"},"a":{"N":"2"}}})", Value::Map({{"a", 2}}));
}

TEST(JsonValueReader, RefusesJsonOfTheWrongType) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {R"("a")", "Unexpected field type"},
      {R"(1)", "Unexpected field type"},
      {R"([])", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"S":true})", "TRUE_VALUE cannot be converted to String"},
      {R"({"S":false})", "FALSE_VALUE cannot be converted to String"},
      {R"({"S":1})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"S":1.5})", "DECIMAL_VALUE cannot be converted to String"},
      {R"({"S":[]})", "Unrecognized collection type class java.lang.String"},
      {R"({"S":{}})", "Start of structure or map found where not expected"},
      {R"({"N":5})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"B":5})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"B":true})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"B":[]})", "Unrecognized collection type class java.nio.ByteBuffer"},
      {R"({"B":{}})", "Start of structure or map found where not expected"},
      {R"({"B":"abc"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {R"({"B":"ab=="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"B":"a*=="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"BOOL":1})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"BOOL":"maybe"})", "Unexpected token received from parser"},
      {R"({"BOOL":[]})", "Unrecognized collection type class java.lang.Boolean"},
      {R"({"NULL":{}})", "Start of structure or map found where not expected"},
      {R"({"SS":"a"})", "Unexpected field type"},
      {R"({"SS":{}})", "Start of structure or map found where not expected"},
      {R"({"SS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"NS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"BS":[1]})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"BS":["abc"]})", "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {R"({"L":"a"})", "Unexpected field type"},
      {R"({"L":["a"]})", "Unexpected value type in payload"},
      {R"({"L":[[]]})", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"M":1})", "Unexpected field type"},
      {R"({"M":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"M":{"a":"b"}})", "Unexpected value type in payload"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(Read(text).type_error, message) << text;
}

TEST(JsonValueReader, PrefersAWrongTypeToAnEarlierFault) {
  EXPECT_EQ(Read(R"({"L":[{"N":"abc"},{"S":1}]})").type_error, "NUMBER_VALUE cannot be converted to String");
}

TEST(JsonValueReader, FindsFaultWithDatatypes) {
  ExpectFault("{}", kNoDatatype);
  ExpectFault(R"({"S":null})", kNoDatatype);
  ExpectFault(R"({"X":"a"})", kNoDatatype);
  ExpectFault(R"({"L":[null]})", kNoDatatype);
  ExpectFault(R"({"SS":["a",null]})", kNoDatatype);
  ExpectFault(R"({"S":"a","N":"1"})", kSeveralDatatypes);
  EXPECT_EQ(Read("{}").kind, ValueFault::Kind::kDatatypes);
  EXPECT_EQ(Read(R"({"N":"x"})").kind, ValueFault::Kind::kContent);
}

TEST(JsonValueReader, FindsFaultWithContent) {
  ExpectFault(R"({"NULL":false})",
              "One or more parameter values were invalid: Null attribute value types must have the value of true");
  ExpectFault(R"({"SS":[]})", "One or more parameter values were invalid: An string set  may not be empty");
  ExpectFault(R"({"NS":[]})", "One or more parameter values were invalid: An number set  may not be empty");
  ExpectFault(R"({"BS":[]})", "One or more parameter values were invalid: Binary sets should not be empty");
  ExpectFault(R"({"N":"abc"})", "The parameter cannot be converted to a numeric value: abc");
  ExpectFault(R"({"N":""})", "The parameter cannot be converted to a numeric value: ");
  ExpectFault(R"({"NS":["1",""]})", "The parameter cannot be converted to a numeric value: ");
  ExpectFault(R"({"N":"1E126"})",
              "Number overflow. Attempting to store a number with magnitude larger than supported range");
  ExpectFault(R"({"N":"1E-131"})",
              "Number underflow. Attempting to store a number with magnitude smaller than supported range");
  ExpectFault(R"({"N":"123456789012345678901234567890123456789"})",
              "Attempting to store more than 38 significant digits in a Number");
}

TEST(JsonValueReader, ListsDuplicatesAsAmazonDoes) {
  constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";
  const auto fault = [&](std::string_view text, ValueWording wording) { return Read(text, wording).fault; };
  const auto invalid = [&](std::string_view what) { return std::string(kInvalid).append(what); };
  constexpr std::string_view kStrings = R"({"SS":["b","a","b"]})";
  constexpr std::string_view kBinaries = R"({"BS":["/w==","AA==","AA=="]})";
  constexpr std::string_view kNumbers = R"({"NS":["1","1.0"]})";
  EXPECT_EQ(fault(kStrings, ValueWording::kCurrent),
            invalid(R"(Input collection ["a", "b", "b"] contains duplicates.)"));
  EXPECT_EQ(fault(R"({"SS":["c","b","a","b","z","y"]})", ValueWording::kCurrent),
            invalid(R"(Input collection ["a", "b", "c", "b", "z", "y"] contains duplicates.)"));
  EXPECT_EQ(fault(kStrings, ValueWording::kOlder), invalid("Input collection [b, a, b] contains duplicates."));
  EXPECT_EQ(fault(kBinaries, ValueWording::kCurrent),
            invalid(R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)"));
  EXPECT_EQ(fault(kBinaries, ValueWording::kOlder),
            invalid("Input collection [/w==, AA==, AA==]of type BS contains duplicates."));
  EXPECT_EQ(fault(kNumbers, ValueWording::kCurrent), invalid("Input collection contains duplicates."));
  EXPECT_EQ(fault(kNumbers, ValueWording::kOlder), "Input collection contains duplicates");
}

TEST(JsonValueReader, WordsAnEmptyNumberInTwoWays) {
  EXPECT_EQ(Read(R"({"N":""})", ValueWording::kOlder).fault, "The parameter cannot be converted to a numeric value");
}

TEST(JsonValueReader, ReportsTheFirstFault) {
  ExpectFault(R"({"L":[{"S":"fine"},{"N":"x"},{}]})", "The parameter cannot be converted to a numeric value: x");
  ExpectFault(R"({"N":"x","S":"y"})", "The parameter cannot be converted to a numeric value: x");
}

TEST(JsonValueReader, TakesThirtyTwoLevelsAndNoMore) {
  const auto maps = [](int wraps) { return Nested(wraps, R"({"M":{"a":)", R"({"S":"leaf"})", "}}"); };
  const auto lists = [](int wraps) { return Nested(wraps, R"({"L":[)", R"({"S":"leaf"})", "]}"); };
  ExpectFault(maps(31), "");
  ExpectFault(maps(32), kNestingMessage);
  ExpectFault(lists(31), "");
  ExpectFault(lists(32), kNestingMessage);
  ExpectFault(lists(400), kNestingMessage);
  ExpectFault(Nested(31, R"({"L":[)", R"({"M":{}})", "]}"), "");
  EXPECT_EQ(Read(maps(32)).kind, ValueFault::Kind::kNesting);
  EXPECT_EQ(ReadItem(R"({"x":)" + maps(31) + "}").fault, "");
  EXPECT_EQ(ReadItem(R"({"x":)" + maps(32) + "}").fault, kNestingMessage);
}

TEST(JsonValueReader, ReadsItems) {
  const Outcome outcome = ReadItem(R"({"b":{"S":"x"},"a":{"N":"1"},"b":{"S":"y"}})");
  EXPECT_EQ(outcome.value, Value::Map({{"a", 1}, {"b", "y"}}));
  EXPECT_EQ(ReadItem("{}").value, Value::Map({}));
  EXPECT_EQ(ReadItem(R"({"a":null})").fault, kNoDatatype);
  EXPECT_EQ(ReadItem(R"({"a":"b"})").type_error, "Unexpected value type in payload");
  EXPECT_EQ(ReadItem("[]").type_error,
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_EQ(ReadItem("1").type_error, "Unexpected field type");
}

TEST(JsonValueReader, ReportsAnEmptyNameFirstInTheItemAndLastInAMap) {
  const Outcome in_item = ReadItem(R"({"a":{"N":"x"},"":{"S":"a"}})");
  EXPECT_EQ(in_item.fault, "Empty attribute name");
  EXPECT_EQ(in_item.kind, ValueFault::Kind::kEmptyAttributeName);
  EXPECT_EQ(ReadItem(R"({"m":{"M":{"":{"S":"a"}}}})").fault, "Empty attribute name");
  EXPECT_EQ(ReadItem(R"({"m":{"M":{"":{"S":"a"}}},"n":{"N":"x"}})").fault,
            "The parameter cannot be converted to a numeric value: x");
}

TEST(JsonValueReader, LimitsTheLengthOfNames) {
  const std::string longest(65535, 'n');
  const auto item = [](const std::string& name) { return R"({")" + name + R"(":{"S":"a"}})"; };
  EXPECT_EQ(ReadItem(item(longest)).fault, "");
  EXPECT_EQ(ReadItem(item(longest + "n")).fault, "Attribute name is too large, must be less than 65536 bytes");
  EXPECT_EQ(ReadItem(R"({"m":{"M":)" + item(longest + "n") + "}}").fault,
            "Attribute name is too large, must be less than 65536 bytes");
}

TEST(JsonValueReader, SortsOutALargeHostileSet) {
  std::string json = R"({"SS":[)";
  for (int i = 200'000; i > 0; --i) json += "\"" + std::to_string(1'000'000 + i) + "\",";
  json += R"("1000001"]})";
  EXPECT_THAT(Read(json).fault, testing::EndsWith(R"("1200000", "1000001"] contains duplicates.)"));
}

}  // namespace
}  // namespace taula::codec
