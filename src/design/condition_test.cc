#include "design/condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::design {
namespace {

using ::testing::HasSubstr;

Attribute Shaped(std::string name, AttributeType type, std::string map = {}) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.type = type;
  attribute.map = std::move(map);
  return attribute;
}

class ConditionTest : public ::testing::Test {
 protected:
  ConditionTest() {
    attributes_ = {Shaped("status", AttributeType::kString, "data"), Shaped("stock", AttributeType::kInteger),
                   Shaped("dueAt", AttributeType::kTimestamp), Shaped("expires", AttributeType::kTimestamp)};
    attributes_[3].format = TimeFormat::kEpoch;
    scope_.Set("quantity", Value(3));
    scope_.Set("text", Value("7"));
  }

  // The expression, followed by its values; or "<offset>: <what>".
  std::string Compile(std::string_view text) {
    const auto parsed = Condition::Parse(text);
    if (!parsed) return std::to_string(parsed.error().offset) + ": " + parsed.error().what;
    Placeholders placeholders;
    const auto resolve = [&](std::string_view path) -> std::expected<ItemPath, std::string> {
      for (const Attribute& attribute : attributes_) {
        if (attribute.name == path) return PathOf(attribute);
      }
      if (path == "tags[0]") return ItemPath{{"tags", "[0]"}, nullptr};
      return std::unexpected("no " + std::string(path));
    };
    auto compiled = parsed->Compile(resolve, scope_, placeholders);
    if (!compiled) return std::to_string(compiled.error().offset) + ": " + compiled.error().what;
    for (const auto& [placeholder, value] : placeholders.values()) {
      compiled->append(" " + placeholder + "=");
      codec::AppendValueJson(*compiled, value.view());
    }
    return *compiled;
  }

  std::vector<Attribute> attributes_;
  Scope scope_{1'700'000'000'000};
};

TEST_F(ConditionTest, NamesAttributesByTheirPlaceInTheItem) {
  EXPECT_EQ(Compile("status = 'active'"), R"(#data.#status = :v1 :v1={"S":"active"})");
  EXPECT_EQ(Compile("attribute_not_exists(tags[0])"), "attribute_not_exists(#tags[0])");
}

TEST_F(ConditionTest, TakesEveryFormOfTheLanguage) {
  EXPECT_EQ(Compile("stock >= {quantity} AND NOT status IN ('a', 'b')"),
            R"(#stock >= :v1 AND NOT #data.#status IN (:v2, :v3) :v1={"N":"3"} :v2={"S":"a"} :v3={"S":"b"})");
  EXPECT_EQ(Compile("stock between 1 and 2.5e1 or size(status) < 3"),
            R"((#stock BETWEEN :v1 AND :v2 OR size(#data.#status) < :v3) :v1={"N":"1"} :v2={"N":"25"} :v3={"N":"3"})");
  EXPECT_EQ(Compile("contains(status, 'it''s') AND stock <> -1"),
            R"(contains(#data.#status, :v1) AND #stock <> :v2 :v1={"S":"it's"} :v2={"N":"-1"})");
  EXPECT_EQ(Compile("attribute_type(status, 'S') AND status <> null"),
            R"(attribute_type(#data.#status, :v1) AND #data.#status <> :v2 :v1={"S":"S"} :v2={"NULL":true})");
  EXPECT_THAT(Compile("status = true"), HasSubstr("status is not text"));
}

TEST_F(ConditionTest, KeepsOnlyTheParenthesesThatAreNeeded) {
  EXPECT_EQ(Compile("((stock = 1)) AND ((stock = 2 OR stock = 3))"),
            R"(#stock = :v1 AND (#stock = :v2 OR #stock = :v3) :v1={"N":"1"} :v2={"N":"2"} :v3={"N":"3"})");
  EXPECT_EQ(Compile("NOT (stock = 1 AND stock = 2)"),
            R"(NOT (#stock = :v1 AND #stock = :v2) :v1={"N":"1"} :v2={"N":"2"})");
  EXPECT_EQ(Compile("stock = 1 AND (stock = 1 AND stock = 1)"),
            R"(#stock = :v1 AND #stock = :v1 AND #stock = :v1 :v1={"N":"1"})");
}

TEST_F(ConditionTest, ValuesTakeTheTypeOfTheAttributeTheyAreComparedWith) {
  EXPECT_EQ(Compile("stock = {text}"), R"(#stock = :v1 :v1={"N":"7"})");
  EXPECT_EQ(Compile("dueAt < {now+1h}"), R"(#dueAt < :v1 :v1={"S":"2023-11-14T23:13:20.000Z"})");
  EXPECT_EQ(Compile("{now-1d} <= expires"), R"(:v1 <= #expires :v1={"N":"1699913600"})");
  EXPECT_EQ(Compile("status = 'USER#{text}'"), R"(#data.#status = :v1 :v1={"S":"USER#7"})");
}

TEST_F(ConditionTest, SaysWhereItIsWrong) {
  EXPECT_EQ(Compile("stock >="), "8: an attribute or a value is expected, not the end");
  EXPECT_EQ(Compile("stock = 1 stock"), "10: 'stock' is not expected here");
  EXPECT_EQ(Compile("stock != 1"), "6: 'not equal' is written <>");
  EXPECT_EQ(Compile("status = \"a\""), "9: text stands in single quotes");
  EXPECT_EQ(Compile("status = 'a"), "9: this text is never closed with a single quote");
  EXPECT_EQ(Compile("stock = {quantity"), "8: this '{' is never closed");
  EXPECT_EQ(Compile("stock BETWEEN 1 OR 2"), "16: AND is expected after BETWEEN, not 'OR'");
  EXPECT_EQ(Compile("(stock = 1"), "10: ')' is expected after the condition, not the end");
  EXPECT_EQ(Compile("begins_with('a', status)"), "12: begins_with takes an attribute first");
  EXPECT_EQ(Compile("stock = 1 AND missing = 2"), "14: no missing");
  EXPECT_EQ(Compile("stock = {absent}"), "8: {absent} has no value");
  EXPECT_EQ(Compile("stock = 'many'"), "8: stock is not a whole number");
  EXPECT_EQ(Compile(""), "0: an attribute or a value is expected, not the end");
  EXPECT_THAT(Compile("lower(status) = 'a'"), ::testing::HasSubstr("0: there is no function 'lower' here"));
}

TEST_F(ConditionTest, RefusesWhatIsNestedTooDeeply) {
  EXPECT_THAT(Compile(std::string(100000, '(')), ::testing::HasSubstr("nested too deeply"));
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "NOT ";
  EXPECT_THAT(Compile(nots + "stock = 1"), ::testing::HasSubstr("nested too deeply"));
}

TEST_F(ConditionTest, TellsItsReferencesAndWhatTheyAreComparedWith) {
  const auto parsed = Condition::Parse("stock >= {quantity} AND contains(status, {word}) AND dueAt > {now}");
  ASSERT_TRUE(parsed);
  const auto uses = parsed->references();
  ASSERT_EQ(uses.size(), 2);
  EXPECT_EQ(uses[0].reference, "quantity");
  EXPECT_EQ(uses[0].path, "stock");
  EXPECT_EQ(uses[1].reference, "word");
  EXPECT_EQ(uses[1].path, "");
  EXPECT_EQ(parsed->paths().size(), 3);
}

}  // namespace
}  // namespace taula::design
