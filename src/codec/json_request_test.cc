#include "codec/json_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::codec {
namespace {

using testing::ElementsAre;

// Parses one body and keeps it.
class Body {
 public:
  explicit Body(std::string_view text) : root_(body_.Parse(text)) { EXPECT_TRUE(root_.has_value()) << text; }
  JsonValue operator[](std::string_view name) const { return (*root_)[name]; }
  [[nodiscard]] std::string error() const { return root_->failed() ? root_->TakeError().message : ""; }

 private:
  JsonBody body_;
  Result<JsonStruct> root_;
};

TEST(JsonRequest, GivesEachTypeItsGetter) {
  const Body body(R"({"s":"text","b":true,"i":7,"l":9000000000,"d":1.5,"x":"/w==","extra":[{}]})");
  EXPECT_EQ(body["s"].String(), "text");
  EXPECT_EQ(body["b"].Boolean(), true);
  EXPECT_EQ(body["i"].Integer(), 7);
  EXPECT_EQ(body["l"].Long(), 9'000'000'000);
  EXPECT_EQ(body["d"].Double(), 1.5);
  EXPECT_EQ(body["i"].Double(), 7.0);
  EXPECT_EQ(body["x"].Blob(), "\xff");
  EXPECT_EQ(body.error(), "");
}

TEST(JsonRequest, TakesNullForAbsent) {
  const Body body(R"({"n":null})");
  for (const std::string_view name : {"n", "absent"}) {
    EXPECT_FALSE(body[name].present());
    EXPECT_EQ(body[name].String(), std::nullopt);
    EXPECT_FALSE(body[name].List().has_value());
    EXPECT_FALSE(body[name].Map("AttributeValue").has_value());
    EXPECT_FALSE(body[name].Struct("Tag").has_value());
  }
  EXPECT_EQ(body.error(), "");
}

TEST(JsonRequest, LetsTheLastOfOneNameStay) {
  const Body body(R"({"a":"1","a":"2","m":{"x":"1","y":"2","x":"3"}})");
  EXPECT_EQ(body["a"].String(), "2");
  std::vector<std::string> seen;
  const auto map = body["m"].Map("java.lang.String");
  ASSERT_TRUE(map.has_value());
  for (const auto& [name, value] : *map) {
    seen.push_back(std::string(name) + std::string(*value.String()));
  }
  EXPECT_THAT(seen, ElementsAre("y2", "x3"));
}

TEST(JsonRequest, CutsOffFractionsOfIntegers) {
  const Body body(R"({"a":1.9,"b":-1.5,"c":1e3})");
  EXPECT_EQ(body["a"].Integer(), 1);
  EXPECT_EQ(body["b"].Long(), -2);
  EXPECT_EQ(body["c"].Integer(), 1000);
}

TEST(JsonRequest, RefusesIntegersThatDoNotFit) {
  for (const std::string_view text :
       {R"({"a":2147483648})", R"({"a":-2147483649})", R"({"a":1e300})", R"({"a":18446744073709551615})"}) {
    const Body body(text);
    EXPECT_EQ(body["a"].Integer(), std::nullopt);
    EXPECT_THAT(body.error(), testing::EndsWith("cannot be converted to Integer")) << text;
  }
  const Body body(R"({"a":9223372036854775808})");
  EXPECT_EQ(body["a"].Long(), std::nullopt);
  EXPECT_EQ(body.error(), "NUMBER_VALUE cannot be converted to Long");
}

TEST(JsonRequest, SaysWhatAmazonSaysOfAWrongType) {
  const auto said = [](std::string_view json, auto get) {
    const Body body(R"({"a":)" + std::string(json) + "}");
    get(body["a"]);
    return body.error();
  };
  const auto string = [](const JsonValue& value) { EXPECT_FALSE(value.String()); };
  const auto boolean = [](const JsonValue& value) { EXPECT_FALSE(value.Boolean()); };
  const auto integer = [](const JsonValue& value) { EXPECT_FALSE(value.Integer()); };
  const auto number = [](const JsonValue& value) { EXPECT_FALSE(value.Double()); };
  const auto blob = [](const JsonValue& value) { EXPECT_FALSE(value.Blob()); };
  const auto list = [](const JsonValue& value) { EXPECT_FALSE(value.List()); };
  const auto map = [](const JsonValue& value) { EXPECT_FALSE(value.Map("Condition")); };
  const auto names = [](const JsonValue& value) { EXPECT_FALSE(value.Map("java.lang.String")); };
  const auto structure = [](const JsonValue& value) { EXPECT_FALSE(value.Struct("Projection")); };
  constexpr std::string_view kObject = "Start of structure or map found where not expected";
  EXPECT_EQ(said("true", string), "TRUE_VALUE cannot be converted to String");
  EXPECT_EQ(said("[]", string), "Unrecognized collection type class java.lang.String");
  EXPECT_EQ(said("{}", string), kObject);
  EXPECT_EQ(said("0.5", boolean), "DECIMAL_VALUE cannot be converted to Boolean");
  EXPECT_EQ(said(R"("perhaps")", boolean), "Unexpected token received from parser");
  EXPECT_EQ(said(R"("1")", integer), "STRING_VALUE cannot be converted to Integer");
  EXPECT_EQ(said("false", integer), "FALSE_VALUE cannot be converted to Integer");
  EXPECT_EQ(said("[]", integer), "Unrecognized collection type class java.lang.Integer");
  EXPECT_EQ(said(R"("1")", number), "STRING_VALUE cannot be converted to Double");
  EXPECT_EQ(said("1", blob), "only base-64-encoded strings are convertible to bytes");
  EXPECT_EQ(said(R"("a")", blob), "Base64 encoded length is expected a multiple of 4 bytes but found: 1");
  EXPECT_EQ(said("1", list), "Unexpected field type");
  EXPECT_EQ(said("{}", list), kObject);
  EXPECT_EQ(said("1", map), "Unexpected field type");
  EXPECT_EQ(said("[]", map),
            "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.Condition>");
  EXPECT_EQ(said("[]", names), "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>");
  EXPECT_EQ(said("1", structure), "Unexpected field type");
  EXPECT_EQ(said("[]", structure), "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Projection");
}

TEST(JsonRequest, SaysItDifferentlyInsideOfAList) {
  constexpr std::string_view kGeneric =
      "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class "
      "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of "
      "loader 'bootstrap')";
  const auto said = [](auto get) {
    const Body body(R"({"a":[1]})");
    const auto elements = body["a"].List();
    for (const JsonValue element : *elements) get(element);
    return body.error();
  };
  EXPECT_EQ(said([](const JsonValue& value) { EXPECT_FALSE(value.Struct("Tag")); }),
            "Unexpected value type in payload");
  EXPECT_EQ(said([](const JsonValue& value) { EXPECT_FALSE(value.List()); }), kGeneric);
  EXPECT_EQ(said([](const JsonValue& value) { EXPECT_FALSE(value.Map("AttributeValue")); }), kGeneric);
  std::optional<ValueFault> fault;
  EXPECT_EQ(said([&](const JsonValue& value) { EXPECT_FALSE(value.Item(fault)); }), kGeneric);
}

TEST(JsonRequest, KeepsTheFirstErrorAndAnswersNothingAfterIt) {
  const Body body(R"({"a":1,"b":"fine","c":true})");
  EXPECT_EQ(body["b"].String(), "fine");
  EXPECT_EQ(body["c"].String(), std::nullopt);
  EXPECT_EQ(body["a"].String(), std::nullopt);
  EXPECT_EQ(body["b"].String(), std::nullopt);
  EXPECT_EQ(body.error(), "TRUE_VALUE cannot be converted to String");
}

TEST(JsonRequest, ReadsItemsAndAttributes) {
  const Body body(R"({"Key":{"PK":{"S":"a"}},"Value":{"N":"1"},"Bad":{"x":{"N":"?"}},"Worse":{"x":{}}})");
  std::optional<ValueFault> fault;
  EXPECT_EQ(body["Key"].Item(fault), (Item{{"PK", "a"}}));
  EXPECT_EQ(body["Value"].Attribute(fault), Value(1));
  EXPECT_FALSE(fault.has_value());
  EXPECT_TRUE(body["Bad"].Item(fault).has_value());
  EXPECT_TRUE(body["Worse"].Item(fault).has_value());
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->message, "The parameter cannot be converted to a numeric value: ?");
  EXPECT_EQ(body.error(), "");
}

TEST(JsonRequest, WalksListsOfStructures) {
  const Body body(R"({"Tags":[{"Key":"a"},{"Key":"b"},null]})");
  const auto tags = body["Tags"].List();
  ASSERT_TRUE(tags.has_value());
  EXPECT_EQ(tags->size(), 3U);
  std::vector<std::string> keys;
  for (const JsonValue tag : *tags) {
    const auto members = tag.Struct("Tag");
    keys.emplace_back(members ? *(*members)["Key"].String() : "null");
  }
  EXPECT_THAT(keys, ElementsAre("a", "b", "null"));
}

TEST(JsonBody, RefusesWhatIsNotAnObjectInJsonWithoutAWord) {
  JsonBody body;
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("1"), std::string("{} {}"),
        std::string(R"({"a":1,})"), std::string("{\"a\":\"\xff\"}"), std::string(R"({"a":"\ud800"})"),
        std::string(R"({"a":"\udc00"})"), std::string("{\"a\":\"\x01\"}"), std::string(R"({"a":01})"),
        std::string(100'000, '['), "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"}) {
    const auto root = body.Parse(text);
    ASSERT_FALSE(root.has_value()) << text.substr(0, 20);
    EXPECT_EQ(root.error().code, ErrorCode::kSerializationException);
    EXPECT_EQ(root.error().message, "");
  }
}

TEST(JsonBody, ReadsBodiesOfAnySizeOneAfterAnother) {
  JsonBody body;
  for (const std::size_t length : {10UL, 5'000UL, 3'000'000UL, 100UL, 2'000'000UL, 0UL}) {
    const std::string text(length, 'x');
    const auto root = body.Parse(R"({"a":")" + text + R"("})");
    ASSERT_TRUE(root.has_value());
    EXPECT_EQ((*root)["a"].String(), text);
  }
}

TEST(JsonBody, ForgetsTheErrorOfTheBodyBefore) {
  JsonBody body;
  auto first = body.Parse(R"({"a":1})");
  EXPECT_FALSE((*first)["a"].String().has_value());
  EXPECT_TRUE(first->failed());
  auto second = body.Parse(R"({"a":"x"})");
  EXPECT_FALSE(second->failed());
  EXPECT_EQ((*second)["a"].String(), "x");
}

}  // namespace
}  // namespace taula::codec
