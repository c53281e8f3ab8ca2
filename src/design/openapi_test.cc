// That the document is valid and clients can be made from it is tested in
// tests/wire/js/designs_http.test.mjs.
#include "design/openapi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>

#include "design/test_design.h"

namespace taula::design {
namespace {

constexpr std::string_view kDesign = R"(
design: shop
description: A shop.
tables:
  main:
    name: shop
    key: { partition: PK, sort: SK }
    indexes:
      GSI1: { partition: GSI1PK, sort: GSI1SK }
entities:
  User:
    description: A customer.
    key: { PK: "USER#{id}", SK: PROFILE }
    attributes:
      id:       { type: uuid, generated: true }
      email:    { type: email, required: true, description: "Where mail goes." }
      password: { type: bcrypt, required: true }
      role:     { type: enum, values: [customer, admin], default: customer }
      born:     date
      note:     { type: string, secret: true }
  Order:
    key: { PK: "USER#{id}", SK: "ORDER#{at}" }
    attributes:
      id:     { type: uuid }
      at:     timestamp
      total:  { type: number, min: 0, max: 9999.5 }
      lines:  { type: list, items: { type: map, fields: { sku: { type: string, required: true }, n: integer } } }
      tags:   string-set
      photo:  binary
      until:  { type: timestamp, format: epoch }
operations:
  signup:  { create: User, description: "A new customer. Nobody else has the address." }
  user:    { get: User }
  email:   { get: User, returns: [email] }
  orders:  { query: Order, by: [id] }
  all:     { query: [User, Order], by: [id] }
  forget:  { delete: Order }
  buy:
    transaction:
      - create: Order
      - update: User
        set: { role: customer }
)";

// The value at a JSON pointer, as text.
class Document {
 public:
  Document() : text_(OpenApiDocument(DesignFrom(kDesign))) {
    EXPECT_EQ(parser_.parse(text_).get(root_), simdjson::SUCCESS) << text_;
  }
  std::string operator[](std::string_view pointer) const {
    simdjson::dom::element found;
    if (root_.at_pointer(pointer).get(found) != simdjson::SUCCESS) return "none";
    return simdjson::minify(found);
  }

 private:
  std::string text_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

std::string At(std::string_view operation, std::string_view rest) {
  return std::string("/paths/~1designs~1shop~1").append(operation).append("/post").append(rest);
}
std::string Answer(std::string_view operation, std::string_view rest) {
  return At(operation, std::string("/responses/200/content/application~1json/schema").append(rest));
}
std::string Body(std::string_view operation, std::string_view rest) {
  return At(operation, std::string("/requestBody/content/application~1json/schema").append(rest));
}

TEST(OpenApi, SaysWhatItIsOf) {
  const Document document;
  EXPECT_EQ(document["/openapi"], R"("3.1.0")");
  EXPECT_EQ(document["/info/title"], R"("shop")");
  EXPECT_EQ(document["/info/description"], R"("A shop.")");
}

TEST(OpenApi, HasAPathForEachOperation) {
  const Document document;
  EXPECT_EQ(document[At("signup", "/operationId")], R"("signup")");
  EXPECT_EQ(document[At("signup", "/summary")], R"("A new customer")");
  EXPECT_EQ(document[At("signup", "/tags")], R"(["User"])");
  EXPECT_EQ(document[At("buy", "/tags")], R"(["Order","User"])");
}

TEST(OpenApi, DescribesParameters) {
  const Document document;
  EXPECT_EQ(document[Body("signup", "/properties/email")],
            R"({"type":"string","format":"email","description":"Where mail goes."})");
  EXPECT_EQ(document[Body("signup", "/properties/password")],
            R"({"type":"string","format":"password","writeOnly":true})");
  EXPECT_EQ(document[Body("signup", "/properties/role")], R"({"enum":["customer","admin"],"default":"customer"})");
  EXPECT_EQ(document[Body("signup", "/required")], R"(["email","password"])");
  EXPECT_EQ(document[Body("signup", "/additionalProperties")], "false");
  EXPECT_EQ(document[Body("orders", "/required")], R"(["id"])");
  EXPECT_NE(document[Body("orders", "/properties/next")], "none");
  EXPECT_NE(document[Body("orders", "/properties/limit")], "none");
}

TEST(OpenApi, DescribesEntities) {
  const Document document;
  const std::string order = "/components/schemas/Order/properties";
  EXPECT_EQ(document[order + "/at"], R"({"type":"string","format":"date-time"})");
  EXPECT_EQ(document[order + "/until"], R"({"type":"integer"})");
  EXPECT_EQ(document[order + "/total"], R"({"type":"number","minimum":0,"maximum":9999.5})");
  EXPECT_EQ(document[order + "/lines"],
            R"({"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},)"
            R"("n":{"type":"integer"}},"required":["sku"]}})");
  EXPECT_EQ(document[order + "/tags"], R"({"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":1})");
  EXPECT_EQ(document[order + "/photo"], R"({"type":"string","contentEncoding":"base64"})");
  EXPECT_EQ(document["/components/schemas/Order/required"], R"(["id","at"])");
}

TEST(OpenApi, LeavesSecretsOutOfAnswers) {
  const Document document;
  EXPECT_NE(document["/components/schemas/User/properties/email"], "none");
  EXPECT_EQ(document["/components/schemas/User/properties/password"], "none");
  EXPECT_EQ(document["/components/schemas/User/properties/note"], "none");
  EXPECT_EQ(document["/components/schemas/User/required"], R"(["id","email"])");
}

TEST(OpenApi, DescribesAnswers) {
  const Document document;
  EXPECT_EQ(document[Answer("user", "/properties/item")], R"({"$ref":"#/components/schemas/User"})");
  EXPECT_EQ(document[Answer("user", "/required")], R"(["item"])");
  EXPECT_EQ(document[Answer("orders", "/properties/items/items")], R"({"$ref":"#/components/schemas/Order"})");
  EXPECT_NE(document[Answer("orders", "/properties/next")], "none");
  EXPECT_EQ(document[Answer("all", "/properties/items/items/oneOf/1/allOf/1/properties/$entity")],
            R"({"type":"string","const":"Order"})");
  EXPECT_EQ(document[Answer("email", "/properties/item/properties/id")], "none");
  EXPECT_NE(document[Answer("email", "/properties/item/properties/email")], "none");
  EXPECT_EQ(document[Answer("forget", "/properties/item/anyOf/1")], R"({"type":"null"})");
  EXPECT_EQ(document[Answer("buy", "/properties/items/items/oneOf/0/allOf/0")],
            R"({"$ref":"#/components/schemas/Order"})");
}

TEST(OpenApi, TypesErrors) {
  const Document document;
  EXPECT_EQ(document[At("user", "/responses/404")], R"({"$ref":"#/components/responses/NotFound"})");
  EXPECT_EQ(document[At("orders", "/responses/404")], "none");
  EXPECT_EQ(document[At("orders", "/responses/409")], "none");
  EXPECT_NE(document[At("signup", "/responses/409")], "none");
  EXPECT_EQ(document["/components/responses/Conflict/content/application~1json/schema/allOf/1/properties/error/"
                     "properties/code/enum"],
            R"(["AlreadyExists","NotUnique","ConditionFailed","Conflict"])");
}

}  // namespace
}  // namespace taula::design
