#include "design/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "design/test_design.h"

namespace taula::design {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kDesign = R"(
design: shop
tables:
  main:
    name: shop
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: GSI1PK, sort: GSI1SK } }
entities:
  Product:
    key: { PK: "PRODUCT#{id}", SK: META }
    indexes: { GSI1: { GSI1PK: "SHELF#{shelf}", GSI1SK: "{createdAt}" } }
    attributes:
      id: { type: ulid, generated: true }
      shelf: { type: string, required: true }
      stock: { type: integer, default: 0 }
      status: { type: enum, values: [on, off] }
      createdAt: { type: timestamp, set: on-create }
  Line:
    key: { PK: "ORDER#{orderId}", SK: "LINE#{productId}" }
    attributes: { orderId: string, productId: string, quantity: { type: integer, required: true }, note: string }
operations:
  get:     { get: Product }
  create:  { create: Product, set: { status: on } }
  update:  { update: Product, change: [shelf, stock], set: { status: "{state}" }, if: "stock > {least}" }
  query:   { query: Product, index: GSI1, by: [shelf], where: { createdAt: { from: "{since}" } } }
  one:     { query: Product, index: GSI1, by: [shelf], one: true }
  batch:   { batch-get: Product }
  order:
    let: { orderId: "{uuid}" }
    parameters: { gift: { type: boolean, default: false }, code: { type: string, required: true } }
    transaction:
      - for: line in lines
        create: Line
        set: { orderId: "{orderId}" }
      - for: line in lines
        update: Product
        key: { id: "{line.productId}" }
        add: { stock: "-{line.quantity}" }
)";

class ParametersTest : public ::testing::Test {
 protected:
  // "name name? …" with a question mark behind what is optional.
  std::string Names(std::string_view operation) const {
    std::string names;
    for (const Parameter& parameter : ParametersOf(design_, *design_.FindOperation(operation))) {
      if (!names.empty()) names += " ";
      names += parameter.name + (parameter.required ? "" : "?");
    }
    return names;
  }
  Parameter Find(std::string_view operation, std::string_view name) const {
    for (Parameter& parameter : ParametersOf(design_, *design_.FindOperation(operation))) {
      if (parameter.name == name) return parameter;
    }
    return {};
  }
  std::string FromText(std::string_view operation,
                       const std::vector<std::pair<std::string, std::string>>& given) const {
    const auto json = ParametersFromText(design_, *design_.FindOperation(operation), given);
    return json ? *json : "wrong: " + json.error();
  }

  Design design_ = DesignFrom(kDesign);
};

TEST_F(ParametersTest, AreThoseThatEachKindNeeds) {
  EXPECT_EQ(Names("get"), "id");
  EXPECT_EQ(Names("create"), "id? shelf stock? createdAt?");
  EXPECT_EQ(Names("update"), "id shelf? stock? state least");
  EXPECT_EQ(Names("query"), "shelf since limit? next?");
  EXPECT_EQ(Names("one"), "shelf");
  EXPECT_EQ(Names("batch"), "keys");
  EXPECT_EQ(Names("order"), "lines gift? code");
}

TEST_F(ParametersTest, HaveTheTypeOfWhatTheyAreUsedFor) {
  EXPECT_EQ(Find("update", "state").shape.type, AttributeType::kEnum);
  EXPECT_EQ(Find("update", "least").shape.type, AttributeType::kInteger);
  EXPECT_EQ(Find("query", "since").shape.type, AttributeType::kTimestamp);
  EXPECT_EQ(Find("order", "gift").shape.type, AttributeType::kBoolean);
  const Attribute lines = Find("order", "lines").shape;
  ASSERT_EQ(lines.type, AttributeType::kList);
  ASSERT_EQ(lines.elements.size(), 1);
  ASSERT_EQ(lines.elements[0].fields.size(), 2);
  EXPECT_EQ(lines.elements[0].fields[0].name, "productId");
  EXPECT_EQ(lines.elements[0].fields[1].name, "quantity");
  EXPECT_EQ(lines.elements[0].fields[1].type, AttributeType::kInteger);
}

TEST_F(ParametersTest, ComeFromTextByTheirType) {
  EXPECT_EQ(FromText("create", {{"shelf", "5"}, {"stock", "5"}}), R"({"shelf":"5","stock":5})");
  EXPECT_EQ(FromText("create", {{"stock", "five"}}), "wrong: stock is not a whole number");
  EXPECT_EQ(FromText("create", {{"stok", "5"}}), "wrong: 'stok' is unknown. Did you mean 'stock'?");
  EXPECT_EQ(FromText("get", {{"id", "1"}, {"id", "2"}}), "wrong: id is given twice");
  EXPECT_EQ(FromText("batch", {{"keys", R"([{"id":"1"}])"}}), R"({"keys":[{"id":"1"}]})");
  EXPECT_EQ(FromText("batch", {{"keys", "1"}}), "wrong: keys is not a list");
  const std::string path = ::testing::TempDir() + "parameters_test_shelf";
  std::ofstream(path) << "from a file";
  EXPECT_EQ(FromText("create", {{"shelf", "@" + path}}), R"({"shelf":"from a file"})");
  std::remove(path.c_str());
  EXPECT_THAT(FromText("create", {{"shelf", "@" + path}}), HasSubstr("wrong: shelf: cannot read "));
}

}  // namespace
}  // namespace taula::design
