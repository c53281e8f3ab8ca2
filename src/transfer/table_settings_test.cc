#include "transfer/table_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace taula::transfer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A server that knows its answers by heart, and what it was asked.
struct Server {
  std::map<std::string, Result<std::string>, std::less<>> answers;
  std::vector<std::string> asked;

  client::CallFunction Call() {
    return [this](std::string_view operation, const std::string& body) -> Result<std::string> {
      asked.push_back(std::string(operation) + " " + body);
      const auto answer = answers.find(operation);
      if (answer == answers.end()) return Fail(ErrorCode::kUnknownOperationException, "");
      return answer->second;
    };
  }
};

constexpr const char* kOrders =
    R"({"Table":{"TableName":"orders","TableArn":"arn:o","TableStatus":"ACTIVE","ItemCount":7,"TableSizeBytes":99,)"
    R"("AttributeDefinitions":[{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
    R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},)"
    R"("OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":5},)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"g","IndexStatus":"ACTIVE","IndexArn":"arn:g","ItemCount":3,)"
    R"("KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}}],)"
    R"("TableClassSummary":{"TableClass":"STANDARD"},"DeletionProtectionEnabled":true}})";

TEST(TableSettings, BecomeTheRequestThatMakesTheTable) {
  Server server;
  server.answers["DescribeTable"] = kOrders;
  Sentences warnings;
  const auto settings = ReadSettings(server.Call(), "orders", warnings);
  ASSERT_TRUE(settings);
  EXPECT_THAT(warnings, IsEmpty()) << "a server without the other operations has none of their settings";
  EXPECT_THAT(settings->key, ElementsAre("pk", "sk"));
  EXPECT_EQ(settings->items, 7U);
  EXPECT_TRUE(settings->protection);
  EXPECT_EQ(CreateTableBody(*settings, "copy"),
            R"({"TableName":"copy","AttributeDefinitions":[{"AttributeName":"sk","AttributeType":"N"},)"
            R"({"AttributeName":"pk","AttributeType":"S"}],)"
            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
            R"("BillingMode":"PAY_PER_REQUEST","OnDemandThroughput":{"MaxWriteRequestUnits":5},)"
            R"("GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}],)"
            R"("Projection":{"ProjectionType":"KEYS_ONLY"}}],"TableClass":"STANDARD"})");
}

TEST(TableSettings, TagsComeInPagesAndWithoutAmazons) {
  Server server;
  server.answers["DescribeTable"] = kOrders;
  auto call = server.Call();
  const auto paged = [&](std::string_view operation, const std::string& body) -> Result<std::string> {
    if (operation != "ListTagsOfResource") return call(operation, body);
    if (body.find("NextToken") != std::string::npos) return R"({"Tags":[{"Key":"c","Value":"3"}]})";
    return R"({"Tags":[{"Key":"a","Value":"1"},{"Key":"aws:x","Value":"2"}],"NextToken":"t"})";
  };
  Sentences warnings;
  EXPECT_EQ(ReadSettings(paged, "orders", warnings)->tags, R"([{"Key":"a","Value":"1"},{"Key":"c","Value":"3"}])");
}

TEST(TableSettings, SaysWhatItMayNotRead) {
  Server server;
  server.answers["DescribeTable"] = kOrders;
  server.answers["DescribeTimeToLive"] = Fail(ErrorCode::kAccessDeniedException, "not you");
  Sentences warnings;
  ASSERT_TRUE(ReadSettings(server.Call(), "orders", warnings));
  EXPECT_THAT(warnings, ElementsAre("The time to live cannot be read, and will not be copied: not you"));
}

TEST(TableSettings, DoWithoutWhatTheTargetDoesNotTake) {
  Server server;
  server.answers["DescribeTable"] = kOrders;
  Sentences warnings;
  auto settings = *ReadSettings(server.Call(), "orders", warnings);
  settings.tags = R"([{"Key":"a","Value":"1"}])";
  settings.recovery = true;
  auto call = server.Call();
  int made = 0;
  const auto strict = [&](std::string_view operation, const std::string& body) -> Result<std::string> {
    if (operation != "CreateTable") return call(operation, body);
    if (body.find("TableClass") != std::string::npos) return ValidationError("no classes here");
    ++made;
    return "{}";
  };
  ASSERT_TRUE(MakeTable(strict, settings, "copy", {}, warnings));
  EXPECT_EQ(made, 1);
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_THAT(warnings[0], HasSubstr("no classes here"));
  EXPECT_THAT(warnings[1], HasSubstr("does not take the tags"));
  EXPECT_THAT(warnings[2], HasSubstr("does not take the point-in-time recovery"));
  EXPECT_THAT(server.asked.back(), Not(HasSubstr("DeletionProtection"))) << "comes last";
}

TEST(TableSettings, NameTheDifferenceOfKeys) {
  TableSettings a{.description = R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})",
                  .key = {"pk"}};
  TableSettings b = a;
  EXPECT_EQ(WhyKeysDiffer(a, b), std::nullopt);
  b.description = R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"}]})";
  EXPECT_EQ(WhyKeysDiffer(a, b), "its key pk is of type N, the source's of type S");
  b.key = {"pk", "sk"};
  EXPECT_EQ(WhyKeysDiffer(a, b), "its key is pk and sk, the source's pk");
}

}  // namespace
}  // namespace taula::transfer
