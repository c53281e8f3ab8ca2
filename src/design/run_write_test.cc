// What create, put, update, delete, batch-put, verify and transactions do.
#include <thread>

#include "design/run_testing.h"

namespace taula::design {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kDesign = R"(
design: shop
tables:
  main:
    name: shop
    key: { partition: PK, sort: SK }
    indexes:
      GSI1: { partition: GSI1PK, sort: GSI1SK }
      Login: { partition: LoginPK, projection: keys }
entities:
  User:
    key: { PK: "USER#{id}", SK: META }
    indexes:
      Login: { LoginPK: "EMAIL#{email:lower}" }
    unique: [email]
    attributes:
      id: { type: ulid, prefix: usr_, generated: true }
      email: { type: email, required: true }
      name: { type: string, max-length: 10 }
      password: { type: bcrypt, rounds: 4 }
      createdAt: { type: timestamp, set: on-create }
      updatedAt: { type: timestamp, format: seconds, set: on-write }
  Badge:
    key: { PK: "USER#{id}", SK: "BADGE#{badge}" }
    unique: [code]
    attributes: { id: string, badge: string, code: string }
  Product:
    key: { PK: "PRODUCT#{id}", SK: META }
    indexes:
      GSI1: { GSI1PK: "SHELF#{shelf}", GSI1SK: "{status}#{createdAt}" }
    map: data
    type: { kind: PRODUCT }
    attributes:
      id: string
      shelf: string
      status: { type: enum, values: [on, off], default: on }
      stock: { type: integer, min: 0, default: 0 }
      price: number
      tags: { type: map }
      createdAt: { type: timestamp, set: on-create, top: true }
      updatedAt: { type: timestamp, set: on-write }
  Order:
    key: { PK: "ORDER#{orderId}", SK: META }
    attributes:
      orderId: { type: uuid, generated: true }
      userId: { type: string, required: true }
      note: string
      total: { type: number, required: true }
  Line:
    key: { PK: "ORDER#{orderId}", SK: "LINE#{productId}" }
    attributes: { orderId: string, productId: string, quantity: { type: integer, required: true, min: 1 } }
  Message:
    key: { PK: "BOX#{box}", SK: "M#{messageId}" }
    indexes:
      GSI1: { GSI1PK: "M#{messageId}", GSI1SK: "M#{messageId}" }
    soft-delete: deletedAt
    attributes:
      box: string
      messageId: string
      text: string
      deletedAt: { type: timestamp, format: epoch }
operations:
  signup:      { create: User }
  putUser:     { put: User }
  user:        { get: User }
  changeUser:  { update: User, change: [email, name] }
  newPassword: { update: User, set: { password: "{secret}" } }
  removeUser:  { delete: User }
  login:       { verify: User, index: Login, by: [email], with: password }
  addProduct:  { create: Product }
  putProduct:  { put: Product }
  product:     { get: Product }
  shelf:       { query: Product, index: GSI1, by: [shelf] }
  moveProduct: { update: Product, change: [shelf, status, price] }
  clearShelf:  { update: Product, remove: [shelf] }
  restock:     { update: Product, add: { stock: "{quantity}" } }
  take:        { update: Product, add: { stock: "-{quantity}" }, if: "stock >= {quantity}" }
  tag:         { update: Product, set: { tags.color: "{color}" } }
  copyPrice:
    read: { other: { get: Product, key: { id: "{from}" } } }
    update: Product
    set: { price: "{other.price}" }
  productIf:   { put: Product, if: "attribute_not_exists(PK) OR price < {limit}" }
  putMany:     { batch-put: Product }
  putBadges:   { batch-put: Badge }
  putMessage:  { put: Message }
  message:     { query: Message, index: GSI1, by: [messageId], one: true }
  edit:        { update: Message, index: GSI1, by: [messageId], change: [text] }
  discard:     { delete: Message, index: GSI1, by: [messageId] }
  restore:     { update: Message, remove: [deletedAt] }
  order:
    let: { orderId: "{uuid}" }
    transaction:
      - create: Order
        set: { orderId: "{orderId}" }
      - for: line in lines
        create: Line
        set: { orderId: "{orderId}" }
      - for: line in lines
        update: Product
        key: { id: "{line.productId}" }
        add: { stock: "-{line.quantity}" }
        if: stock >= {line.quantity}
  lines:       { query: Line, by: [orderId] }
  switch:
    read: { product: { get: Product } }
    transaction:
      - update: Product
        set: { status: "{status}" }
        if: status <> {status}
      - create: Message
        set: { box: "{id}", messageId: "{ulid}", text: "{product.status} to {status}" }
  messages:    { query: Message, by: [box] }
  rename:
    transaction:
      - check: User
        if: attribute_exists(email)
      - update: Product
        set: { shelf: "{shelf}" }
        key: { id: "{product}" }
)";

class WriteTest : public RunTest {
 protected:
  WriteTest() : RunTest(kDesign) {}

  static std::string Field(const std::string& answer, const std::string& name) {
    const std::string key = "\"" + name + "\":";
    const std::size_t at = answer.find(key);
    if (at == std::string::npos) return "";
    std::size_t begin = at + key.size();
    if (answer[begin] == '"') return answer.substr(begin + 1, answer.find('"', begin + 1) - begin - 1);
    return answer.substr(begin, answer.find_first_of(",}]", begin) - begin);
  }
  std::string Signup(const std::string& email) {
    return Call("signup", R"({"email":")" + email + R"(","password":"open sesame"})");
  }
  void AddProduct(const std::string& id, const std::string& more = "") {
    ASSERT_THAT(Call("addProduct", R"({"id":")" + id + R"(","shelf":"s","price":2)" + more + "}"), StartsWith("{"));
  }
  std::string Stored(const std::string& pk, const std::string& sk) {
    return Raw("GetItem", R"({"TableName":"shop","Key":{"PK":{"S":")" + pk + R"("},"SK":{"S":")" + sk + "\"}}}");
  }
};

INSTANTIATE_TEST_SUITE_P(OnAServer, WriteTest, ::testing::Bool(), KindOfServer);

TEST_P(WriteTest, CreateMakesIdsTimesDefaultsAndKeys) {
  const std::string answer = Signup("a@example.com");
  EXPECT_THAT(Field(answer, "id"), ContainsRegex("^usr_[0-9A-Z]{26}$"));
  EXPECT_EQ(Field(answer, "createdAt"), "2024-11-02T15:30:00.000Z");
  EXPECT_EQ(Field(answer, "updatedAt"), "2024-11-02T15:30:00Z");
  EXPECT_THAT(answer, Not(HasSubstr("password")));
  const std::string stored = Stored("USER#" + Field(answer, "id"), "META");
  EXPECT_THAT(stored, HasSubstr(R"("LoginPK":{"S":"EMAIL#a@example.com"})"));
  EXPECT_THAT(stored, ContainsRegex(R"("password":\{"S":"\$2b\$04\$.{53}"\})"));
}

TEST_P(WriteTest, CreateOnlyIfAbsent) {
  AddProduct("p");
  EXPECT_EQ(Call("addProduct", R"({"id":"p"})"), "AlreadyExists: There is such a Product already.");
  EXPECT_THAT(Call("addProduct", R"({"id":"q","status":"lost"})"), StartsWith("InvalidParameter: status must be"));
  EXPECT_EQ(failed_parameter_, "status");
  EXPECT_THAT(Call("addProduct", R"({"id":"q#r/"})"), StartsWith("{"));
  EXPECT_EQ(Call("addProduct", R"({"shelf":"s"})"), "InvalidParameter: id is missing.");
}

TEST_P(WriteTest, UniqueValuesAreUnique) {
  const std::string id = Field(Signup("a@example.com"), "id");
  EXPECT_THAT(Signup("a@example.com"), StartsWith("NotUnique: Another item has email 'a@example.com' of"));
  // In the case that the key compares them in.
  EXPECT_THAT(Signup("A@example.com"), StartsWith("NotUnique"));
  const std::string other = Field(Signup("b@example.com"), "id");
  EXPECT_THAT(Call("changeUser", R"({"id":")" + other + R"(","email":"a@example.com"})"), StartsWith("NotUnique"));
  EXPECT_THAT(Call("changeUser", R"({"id":")" + id + R"(","email":"a@example.com","name":"A"})"), StartsWith("{"));
  EXPECT_EQ(Field(Call("changeUser", R"({"id":")" + id + R"(","email":"c@example.com"})"), "email"), "c@example.com");
  // What was left is free again, by a change and by a removal.
  EXPECT_THAT(Signup("a@example.com"), StartsWith("{"));
  EXPECT_EQ(Field(Call("removeUser", R"({"id":")" + id + "\"}"), "email"), "c@example.com");
  EXPECT_THAT(Signup("c@example.com"), StartsWith("{"));
  EXPECT_EQ(Call("removeUser", R"({"id":")" + id + "\"}"), R"({"item":null})");
}

TEST_P(WriteTest, UniqueValuesAreUniqueWhoeverWroteThem) {
  const std::string item =
      R"({"PK":{"S":"USER#usr_01JBQ9Z0000000000000000000"},"SK":{"S":"META"},"email":{"S":"raw@x.org"},)"
      R"("LoginPK":{"S":"EMAIL#raw@x.org"}})";
  ASSERT_EQ(Raw("PutItem", R"({"TableName":"shop","Item":)" + item + "}"), "{}");
  EXPECT_THAT(Signup("raw@x.org"), StartsWith("NotUnique"));
}

TEST_P(WriteTest, OneOfManySignupsWins) {
  std::atomic<int> won = 0;
  std::atomic<int> lost = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const Runner runner(design_, "", *local_, clock_);
      const auto answer = runner.Run("signup", R"({"email":"race@example.com"})");
      if (answer) ++won;
      if (!answer &&
          (answer.error().code == FailureCode::kNotUnique || answer.error().code == FailureCode::kConflict)) {
        ++lost;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(won, 1);
  EXPECT_EQ(lost, 7);
}

TEST_P(WriteTest, VerifyKnowsAPasswordByItsHash) {
  const std::string id = Field(Signup("a@example.com"), "id");
  const auto login = [&](const std::string& email, const std::string& password) {
    return Call("login", R"({"email":")" + email + R"(","password":")" + password + "\"}");
  };
  const std::string answer = login("a@example.com", "open sesame");
  EXPECT_EQ(Field(answer, "id"), id);
  EXPECT_THAT(answer, Not(HasSubstr("$2b$")));
  const std::string wrong = login("a@example.com", "open sesamy");
  EXPECT_THAT(wrong, StartsWith("WrongCredentials"));
  EXPECT_EQ(login("b@example.com", "open sesame"), wrong);
  EXPECT_THAT(login("a@example.com", std::string(73, 'x')), StartsWith("InvalidParameter: password is longer"));
  EXPECT_THAT(login("a@example.com", R"(a\u0000b)"), StartsWith("InvalidParameter: password holds a NUL"));
  EXPECT_THAT(Call("signup", R"({"email":"n@x.org","password":")" + std::string(73, 'x') + "\"}"),
              StartsWith("InvalidParameter: password is longer"));
  // Without a password nobody gets in.
  Call("signup", R"({"email":"c@example.com"})");
  EXPECT_THAT(login("c@example.com", ""), StartsWith("WrongCredentials"));
  ASSERT_THAT(Call("newPassword", R"({"id":")" + id + R"(","secret":"another"})"), StartsWith("{"));
  EXPECT_THAT(login("a@example.com", "open sesame"), StartsWith("WrongCredentials"));
  EXPECT_EQ(Field(login("a@example.com", "another"), "id"), id);
}

TEST_P(WriteTest, PutReplacesAndKeepsWhenItWasMade) {
  AddProduct("p", R"(,"stock":5)");
  clock_.Advance(1000);
  const std::string answer = Call("putProduct", R"({"id":"p","shelf":"t"})");
  EXPECT_EQ(Field(answer, "createdAt"), "2024-11-02T15:30:00.000Z");
  EXPECT_EQ(Field(answer, "updatedAt"), "2024-11-02T15:30:01.000Z");
  EXPECT_EQ(Field(answer, "stock"), "0");
  EXPECT_EQ(Call("product", R"({"id":"p"})"), answer);
}

TEST_P(WriteTest, PutKeepsUniqueValues) {
  const std::string id = Field(Signup("a@example.com"), "id");
  ASSERT_THAT(Call("putUser", R"({"id":")" + id + R"(","email":"b@example.com"})"), StartsWith("{"));
  EXPECT_THAT(Signup("b@example.com"), StartsWith("NotUnique"));
  EXPECT_THAT(Signup("a@example.com"), StartsWith("{"));
  EXPECT_THAT(Call("putUser", R"({"id":")" + id + R"(","email":"a@example.com"})"), StartsWith("NotUnique"));
}

TEST_P(WriteTest, PutMayHaveACondition) {
  EXPECT_THAT(Call("productIf", R"({"id":"p","price":5,"limit":4})"), StartsWith("{"));
  EXPECT_EQ(Call("productIf", R"({"id":"p","price":1,"limit":4})"),
            "ConditionFailed: The Product does not meet the condition.");
  EXPECT_THAT(Call("productIf", R"({"id":"p","price":1,"limit":6})"), StartsWith("{"));
}

TEST_P(WriteTest, UpdateMovesIndexKeysAndTimes) {
  AddProduct("p");
  clock_.Advance(5);
  const std::string answer = Call("moveProduct", R"({"id":"p","status":"off"})");
  EXPECT_EQ(Field(answer, "status"), "off");
  EXPECT_EQ(Field(answer, "updatedAt"), "2024-11-02T15:30:00.005Z");
  EXPECT_EQ(Field(answer, "createdAt"), "2024-11-02T15:30:00.000Z");
  EXPECT_THAT(Stored("PRODUCT#p", "META"), AllOf(HasSubstr(R"("GSI1SK":{"S":"off#2024-11-02T15:30:00.000Z"})"),
                                                 HasSubstr(R"("GSI1PK":{"S":"SHELF#s"})")));
  Call("moveProduct", R"({"id":"p","shelf":"t"})");
  EXPECT_EQ(Call("shelf", R"({"shelf":"s"})"), R"({"items":[]})");
  EXPECT_EQ(Field(Call("shelf", R"({"shelf":"t"})"), "id"), "p");
  // Without the attribute it is in no index.
  Call("clearShelf", R"({"id":"p"})");
  EXPECT_THAT(Stored("PRODUCT#p", "META"), Not(HasSubstr("GSI1PK")));
  // null takes an attribute away.
  EXPECT_THAT(Call("moveProduct", R"({"id":"p","price":null})"), Not(HasSubstr("price")));
}

TEST_P(WriteTest, UpdateOnlyIfPresent) {
  EXPECT_EQ(Call("moveProduct", R"({"id":"p","shelf":"t"})"), "NotFound: There is no such Product.");
  EXPECT_EQ(Call("take", R"({"id":"p","quantity":1})"), "NotFound: There is no such Product.");
  AddProduct("p");
  EXPECT_THAT(Call("moveProduct", R"({"id":"p"})"), StartsWith("InvalidParameter: There is nothing to change"));
  EXPECT_THAT(Call("moveProduct", R"({"id":"p","status":"lost"})"), StartsWith("InvalidParameter: status"));
  EXPECT_THAT(Call("moveProduct", R"({"id":"p","stock":5})"), StartsWith("InvalidParameter: 'stock' is unknown"));
}

TEST_P(WriteTest, AddCountsUpAndDownWithinItsLimits) {
  AddProduct("p", R"(,"stock":5)");
  EXPECT_EQ(Field(Call("restock", R"({"id":"p","quantity":2})"), "stock"), "7");
  EXPECT_EQ(Field(Call("take", R"({"id":"p","quantity":7})"), "stock"), "0");
  EXPECT_THAT(Call("take", R"({"id":"p","quantity":1})"), StartsWith("ConditionFailed"));
  EXPECT_THAT(Call("restock", R"({"id":"p","quantity":-1})"), StartsWith("InvalidParameter"));
  EXPECT_EQ(Field(Call("product", R"({"id":"p"})"), "stock"), "0");
}

TEST_P(WriteTest, AFieldOfAMapIsSet) {
  AddProduct("p", R"(,"tags":{"size":"L"})");
  EXPECT_THAT(Call("tag", R"({"id":"p","color":"red"})"), HasSubstr(R"("tags":{"color":"red","size":"L"})"));
}

TEST_P(WriteTest, AnItemIsFoundThroughAnIndexFirst) {
  Call("putMessage", R"({"box":"in","messageId":"m1","text":"Hello"})");
  EXPECT_EQ(Call("edit", R"({"messageId":"m1","text":"Bye"})"),
            R"({"item":{"box":"in","messageId":"m1","text":"Bye"}})");
  EXPECT_EQ(Call("edit", R"({"messageId":"m2","text":"Bye"})"), "NotFound: There is no Message with this messageId.");
  EXPECT_EQ(Field(Call("discard", R"({"messageId":"m1"})"), "deletedAt"), "1730561400");
  EXPECT_THAT(Call("message", R"({"messageId":"m1"})"), StartsWith("NotFound"));
  EXPECT_THAT(Call("edit", R"({"messageId":"m1","text":"Again"})"), StartsWith("NotFound"));
  EXPECT_THAT(Call("discard", R"({"messageId":"m1"})"), StartsWith("NotFound"));
  EXPECT_THAT(Call("restore", R"({"box":"in","messageId":"m1"})"), StartsWith("{"));
  EXPECT_EQ(Field(Call("message", R"({"messageId":"m1"})"), "text"), "Bye");
}

TEST_P(WriteTest, WhatAnIndexFoundMustStillBeIt) {
  Call("putMessage", R"({"box":"in","messageId":"m1","text":"Hello"})");
  // Between finding and writing the message goes to another id.
  bool moved = false;
  backend_->before = [&](std::string_view operation) -> std::optional<Error> {
    if (operation == "UpdateItem" && !std::exchange(moved, true)) {
      Raw("DeleteItem", R"({"TableName":"shop","Key":{"PK":{"S":"BOX#in"},"SK":{"S":"M#m1"}}})");
    }
    return std::nullopt;
  };
  EXPECT_THAT(Call("edit", R"({"messageId":"m1","text":"Bye"})"), StartsWith("NotFound"));
  EXPECT_EQ(Stored("BOX#in", "M#m1"), "{}");
}

TEST_P(WriteTest, ATransactionWritesAllOrNothing) {
  AddProduct("p", R"(,"stock":5)");
  AddProduct("q", R"(,"stock":1)");
  const std::string answer = Call("order", R"({"userId":"u","total":9,"note":"soon","lines":[)"
                                           R"({"productId":"p","quantity":2},{"productId":"q","quantity":1}]})");
  EXPECT_THAT(answer, StartsWith(R"({"items":[{"$entity":"Order","orderId":")"));
  EXPECT_THAT(answer, HasSubstr(R"("note":"soon")"));
  const std::string order = Field(answer, "orderId");
  EXPECT_THAT(Call("lines", R"({"orderId":")" + order + "\"}"), HasSubstr(R"("productId":"q","quantity":1)"));
  EXPECT_EQ(Field(Call("product", R"({"id":"p"})"), "stock"), "3");
  EXPECT_EQ(Call("order",
                 R"({"userId":"u","total":9,"lines":[{"productId":"p","quantity":2},{"productId":"q","quantity":1}]})"),
            "ConditionFailed: Step 3, update Product: The Product does not meet the condition.");
  EXPECT_EQ(Field(Call("product", R"({"id":"p"})"), "stock"), "3");
  EXPECT_THAT(Call("order", R"({"userId":"u","total":9,"lines":[{"productId":"nothing","quantity":2}]})"),
              StartsWith("ConditionFailed: Step 3"));
  EXPECT_THAT(Call("order", R"({"userId":"u","total":9,"lines":[{"productId":"p","quantity":-2}]})"),
              StartsWith("InvalidParameter"));
  EXPECT_THAT(
      Call("order",
           R"({"userId":"u","total":9,"lines":[{"productId":"p","quantity":1},{"productId":"p","quantity":1}]})"),
      AllOf(StartsWith("InvalidParameter: Step "), HasSubstr("It is about an item that another step is about")));
  EXPECT_EQ(Call("order", R"({"userId":"u","total":9})"), "InvalidParameter: lines is missing.");
  EXPECT_EQ(Field(Call("product", R"({"id":"p"})"), "stock"), "3");
}

TEST_P(WriteTest, ATransactionTakesAHundredWrites) {
  std::string lines;
  for (int i = 0; i < 50; ++i) {
    const std::string id = std::to_string(i);
    AddProduct(id, R"(,"stock":1)");
    lines += (i > 0 ? "," : "") + (R"({"productId":")" + id) + R"(","quantity":1})";
  }
  EXPECT_EQ(Call("order", R"({"userId":"u","total":9,"lines":[)" + lines + "]}"),
            "InvalidParameter: That would be 101 writes and checks; a transaction takes 100.");
  EXPECT_EQ(Field(Call("product", R"({"id":"0"})"), "stock"), "1");
}

TEST_P(WriteTest, StepsWithoutConditionSayWhatIsMissing) {
  AddProduct("p");
  EXPECT_EQ(Call("rename", R"({"id":"usr_01JBQ9Z0000000000000000000","product":"p","shelf":"t"})"),
            "ConditionFailed: Step 1, check User: The User does not meet the condition.");
  const std::string id = Field(Signup("a@example.com"), "id");
  EXPECT_THAT(Call("rename", R"({"id":")" + id + R"(","product":"p","shelf":"t"})"), StartsWith("{"));
  EXPECT_EQ(Field(Call("shelf", R"({"shelf":"t"})"), "id"), "p");
  EXPECT_EQ(Call("rename", R"({"id":")" + id + R"(","product":"x","shelf":"t"})"),
            "NotFound: Step 2, update Product: There is no such Product.");
}

TEST_P(WriteTest, WhatWasReadMustNotChangeBeforeTheWrite) {
  AddProduct("p");
  EXPECT_EQ(Field(Call("switch", R"({"id":"p","status":"off"})"), "text"), "on to off");
  EXPECT_THAT(Call("switch", R"({"id":"p","status":"off"})"), StartsWith("ConditionFailed: Step 1"));
  EXPECT_THAT(Call("switch", R"({"id":"nothing","status":"off"})"), StartsWith("NotFound"));
  // Between reading and writing another switches it on: what was read is read again.
  bool changed = false;
  backend_->before = [&](std::string_view operation) -> std::optional<Error> {
    if (operation == "TransactWriteItems" && !std::exchange(changed, true)) {
      Raw("UpdateItem", R"({"TableName":"shop","Key":{"PK":{"S":"PRODUCT#p"},"SK":{"S":"META"}},)"
                        R"("UpdateExpression":"SET #d.#s = :s","ExpressionAttributeNames":{"#d":"data","#s":"status"},)"
                        R"("ExpressionAttributeValues":{":s":{"S":"off"}}})");
    }
    return std::nullopt;
  };
  Call("moveProduct", R"({"id":"p","status":"on"})");
  EXPECT_THAT(Call("switch", R"({"id":"p","status":"off"})"), StartsWith("ConditionFailed: Step 1"));
  EXPECT_TRUE(changed);
}

TEST_P(WriteTest, AnUpdateMayReadAnotherItem) {
  AddProduct("p");
  AddProduct("q");
  Call("moveProduct", R"({"id":"q","price":9.5})");
  EXPECT_EQ(Field(Call("copyPrice", R"({"id":"p","from":"q"})"), "price"), "9.5");
  EXPECT_THAT(Call("copyPrice", R"({"id":"p","from":"x"})"), StartsWith("NotFound"));
  // The price that was copied was the price when it was written.
  int changes = 0;
  backend_->before = [&](std::string_view operation) -> std::optional<Error> {
    if (operation == "TransactWriteItems" && changes++ == 0) {
      Raw("UpdateItem", R"({"TableName":"shop","Key":{"PK":{"S":"PRODUCT#q"},"SK":{"S":"META"}},)"
                        R"("UpdateExpression":"SET #d.price = :p","ExpressionAttributeNames":{"#d":"data"},)"
                        R"("ExpressionAttributeValues":{":p":{"N":"7"}}})");
    }
    return std::nullopt;
  };
  EXPECT_EQ(Field(Call("copyPrice", R"({"id":"p","from":"q"})"), "price"), "7");
  EXPECT_EQ(changes, 2);
}

TEST_P(WriteTest, ConflictsAreTriedAgainWithTheSameToken) {
  AddProduct("p", R"(,"stock":5)");
  int failures = 2;
  backend_->before = [&](std::string_view operation) -> std::optional<Error> {
    if (operation != "TransactWriteItems" || failures-- <= 0) return std::nullopt;
    return Error{ErrorCode::kTransactionCanceledException, "cancelled", {}, {{"TransactionConflict", "", {}}, {}, {}}};
  };
  EXPECT_THAT(Call("order", R"({"userId":"u","total":9,"lines":[{"productId":"p","quantity":2}]})"), StartsWith("{"));
  std::vector<std::string> transactions;
  for (const std::string& call : backend_->calls) {
    if (call.starts_with("TransactWriteItems")) transactions.push_back(call);
  }
  ASSERT_THAT(transactions, SizeIs(3));
  EXPECT_EQ(transactions[0], transactions[1]);
  EXPECT_EQ(transactions[0], transactions[2]);
  backend_->before = [](std::string_view operation) -> std::optional<Error> {
    if (operation != "TransactWriteItems") return std::nullopt;
    return Error{ErrorCode::kTransactionCanceledException, "cancelled", {}, {{"TransactionConflict", "", {}}, {}, {}}};
  };
  EXPECT_THAT(Call("order", R"({"userId":"u","total":9,"lines":[{"productId":"p","quantity":2}]})"),
              StartsWith("Conflict"));
}

TEST_P(WriteTest, AWriteWhoseAnswerIsLostIsNotTriedAgain) {
  backend_->before = [](std::string_view) { return Error{ErrorCode::kServiceUnavailable, "Gone.", {}, {}}; };
  EXPECT_EQ(Call("addProduct", R"({"id":"p"})"), "Unavailable: Gone.");
  EXPECT_THAT(backend_->calls, SizeIs(1));
}

TEST_P(WriteTest, BatchesAreWrittenWholeOrNotBegun) {
  std::string items;
  for (int i = 0; i < 60; ++i)
    items += (i > 0 ? "," : "") + (R"({"id":")" + std::to_string(i)) + R"(","shelf":"many"})";
  EXPECT_THAT(Call("putMany", R"({"items":[)" + items + "]}"), StartsWith(R"({"items":[{"id":"0")"));
  EXPECT_EQ(Field(Raw("Query", R"({"TableName":"shop","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",)"
                               R"("Select":"COUNT","ExpressionAttributeValues":{":p":{"S":"SHELF#many"}}})"),
                  "Count"),
            "60");
  EXPECT_THAT(Call("putMany", R"({"items":[{"id":"x"},{"id":"y","stock":-1}]})"),
              StartsWith("InvalidParameter: items"));
  EXPECT_EQ(Stored("PRODUCT#x", "META"), "{}");
  EXPECT_THAT(Call("putMany", R"({"items":[{"id":"x"},{"id":"x"}]})"),
              StartsWith("InvalidParameter: Two of the items"));
}

TEST_P(WriteTest, BatchesKeepUniqueValues) {
  EXPECT_THAT(Call("putBadges", R"({"items":[{"id":"u","badge":"a","code":"1"},{"id":"u","badge":"b","code":"2"}]})"),
              StartsWith("{"));
  const std::string answer = Call("putBadges", R"({"items":[{"id":"u","badge":"c","code":"2"}]})");
  EXPECT_THAT(answer, StartsWith("NotUnique"));
  EXPECT_EQ(Stored("USER#u", "BADGE#c"), "{}");
}

}  // namespace
}  // namespace taula::design
