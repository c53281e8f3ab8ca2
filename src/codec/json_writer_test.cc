#include "codec/json_writer.h"

#include <gtest/gtest.h>

#include "value/testing_hex.h"

namespace taula::codec {
namespace {

std::string Written(ValueView value) {
  std::string out;
  AppendValueJson(out, value);
  return out;
}

std::string Quoted(std::string_view text) {
  std::string out;
  AppendStringJson(out, text);
  return out;
}

std::string Number(double number) {
  std::string out;
  JsonWriter(out).Double(number);
  return out;
}

TEST(JsonWriter, PutsTheCommas) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("a").Integer(-1);
  json.Key("b").BeginArray();
  json.String("x");
  json.Boolean(true);
  json.BeginObject();
  json.EndObject();
  json.BeginArray();
  json.EndArray();
  json.EndArray();
  json.Key("c").BeginObject();
  json.Key("d").Boolean(false);
  json.EndObject();
  json.Key("e").Item(Item{{"k", "v"}}.attributes());
  json.Key("f").Value(Value(1).view());
  json.Key("g").Binary("\xff");
  json.EndObject();
  EXPECT_EQ(out, R"({"a":-1,"b":["x",true,{},[]],"c":{"d":false},"e":{"k":{"S":"v"}},"f":{"N":"1"},"g":"/w=="})");
}

TEST(JsonWriter, WritesDoublesAsJavaDoes) {
  EXPECT_EQ(Number(0.5), "0.5");
  EXPECT_EQ(Number(1), "1.0");
  EXPECT_EQ(Number(0), "0.0");
  EXPECT_EQ(Number(12345.5), "12345.5");
  EXPECT_EQ(Number(9999999), "9999999.0");
  EXPECT_EQ(Number(10000000), "1.0E7");
  EXPECT_EQ(Number(1700000000.123), "1.700000000123E9");
  EXPECT_EQ(Number(0.00025), "2.5E-4");
  EXPECT_EQ(Number(-1e100), "-1.0E100");
}

TEST(JsonWriter, WritesTheLongestIntegers) {
  std::string out;
  JsonWriter json(out);
  json.BeginArray();
  json.Integer(INT64_MIN);
  json.Integer(INT64_MAX);
  json.EndArray();
  EXPECT_EQ(out, "[-9223372036854775808,9223372036854775807]");
}

TEST(JsonWriter, EscapesWhatMustBe) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("say \"hi\" \\ bye"), R"("say \"hi\" \\ bye")");
  EXPECT_EQ(Quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(Quoted(std::string_view("\x00\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001F\x7f\"");
  EXPECT_EQ(Quoted("a/b h\xc3\xa9 \xf0\x9f\x98\x80"), "\"a/b h\xc3\xa9 \xf0\x9f\x98\x80\"");
}

TEST(JsonWriter, EscapesAtEveryPlaceOfALongText) {
  for (const auto& [raw, escaped] : {std::pair{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\x1f', "\\u001F"}}) {
    for (std::size_t length = 1; length < 40; ++length) {
      for (std::size_t place = 0; place < length; ++place) {
        std::string text(length, '\xc3');
        text[place] = raw;
        const std::string expected =
            "\"" + std::string(place, '\xc3') + escaped + std::string(length - place - 1, '\xc3') + "\"";
        ASSERT_EQ(Quoted(text), expected);
      }
    }
  }
}

TEST(JsonWriter, WritesEveryTypeOfValue) {
  EXPECT_EQ(Written(Value::Null().view()), R"({"NULL":true})");
  EXPECT_EQ(Written(Value::Bool(false).view()), R"({"BOOL":false})");
  EXPECT_EQ(Written(Value::Number("-1.50")->view()), R"({"N":"-1.5"})");
  EXPECT_EQ(Written(Value("a\"b").view()), R"({"S":"a\"b"})");
  EXPECT_EQ(Written(Value::Binary("foob").view()), R"({"B":"Zm9vYg=="})");
  EXPECT_EQ(Written(Value::StringSet({"b", "a"}).view()), R"({"SS":["a","b"]})");
  EXPECT_EQ(Written(Value::NumberSet(std::vector<std::string>{"10", "9", "-1"})->view()), R"({"NS":["-1","9","10"]})");
  EXPECT_EQ(Written(Value::BinarySet({"foo"}).view()), R"({"BS":["Zm9v"]})");
  EXPECT_EQ(Written(Value::List({1, Value::List({})}).view()), R"({"L":[{"N":"1"},{"L":[]}]})");
  EXPECT_EQ(Written(Value::Map({{"x\n", 1}, {"m", Value::Map({})}}).view()), R"({"M":{"m":{"M":{}},"x\n":{"N":"1"}}})");
}

TEST(JsonWriter, WritesAnEmptyItem) {
  std::string out;
  AppendItemJson(out, Item().attributes());
  EXPECT_EQ(out, "{}");
}

}  // namespace
}  // namespace taula::codec
