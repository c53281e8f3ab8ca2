// The operations on tables through their JSON, and requests in short: what the
// tests of these operations share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/operations.h"
#include "engine/engine.h"
#include "storage/memory/memory_store.h"

namespace taula::api {

inline constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:123456789012:table/";

class TableOperations : public testing::Test {
 protected:
  explicit TableOperations(engine::EngineOptions options = {})
      : engine_(*engine::Engine::Open(storage::MakeMemoryStore(), std::move(options))) {}

  Result<std::string> Call(std::string_view operation, std::string body) {
    body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
    std::optional<Result<std::string>> answer;
    service_.Handle(operation, body, [&](Result<std::string> result) { answer = std::move(result); });
    EXPECT_TRUE(answer.has_value());
    return *std::move(answer);
  }

  std::string Answer(std::string_view operation, const std::string& body) {
    const auto answer = Call(operation, body);
    EXPECT_TRUE(answer.has_value()) << operation << body << ": " << (answer ? "" : answer.error().message);
    return answer.value_or("");
  }

  void ExpectError(std::string_view operation, const std::string& body, ErrorCode code, const std::string& message) {
    const auto answer = Call(operation, body);
    ASSERT_FALSE(answer.has_value()) << operation << body;
    EXPECT_EQ(answer.error().message, message) << operation << body;
    EXPECT_EQ(answer.error().code, code) << operation << body;
  }

  void ExpectInvalid(std::string_view operation, const std::string& body, const std::string& message) {
    ExpectError(operation, body, ErrorCode::kValidationException, message);
  }

  // "One or more parameter values were invalid: …".
  void ExpectInvalidParameter(std::string_view operation, const std::string& body, const std::string& message) {
    ExpectInvalid(operation, body, "One or more parameter values were invalid: " + message);
  }

  void Wait() { engine_->tables().WaitForBackgroundWork(); }

  std::unique_ptr<engine::Engine> engine_;
  Service service_{*engine_};
};

// Parts of requests.
inline const std::string kPk = R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                               R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}])";
inline const std::string kPkSk =
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}])";
inline const std::string kOnDemand = R"("BillingMode":"PAY_PER_REQUEST")";
inline const std::string kProvisioned = R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6})";

inline std::string Create(const std::string& rest) { return R"({"TableName":"Orders",)" + rest + "}"; }
inline std::string Definitions(std::initializer_list<std::string_view> names) {
  std::string json = R"("AttributeDefinitions":[)";
  for (const std::string_view name : names) {
    if (json.back() != '[') json += ',';
    json += R"({"AttributeName":")" + std::string(name) + R"(","AttributeType":"S"})";
  }
  return json + "]";
}
// keys: "a:HASH,b:RANGE".
inline std::string KeySchema(std::string_view keys) {
  std::string json = R"("KeySchema":[)";
  while (!keys.empty()) {
    const std::string_view key = keys.substr(0, keys.find(','));
    keys.remove_prefix(std::min(keys.size(), key.size() + 1));
    if (json.back() != '[') json += ',';
    const std::size_t colon = key.find(':');
    json += R"({"AttributeName":")" + std::string(key.substr(0, colon)) + R"(","KeyType":")" +
            std::string(key.substr(colon + 1)) + R"("})";
  }
  return json + "]";
}
inline std::string Index(std::string_view name, std::string_view keys, std::string_view rest = "") {
  return R"({"IndexName":")" + std::string(name) + R"(",)" + KeySchema(keys) +
         (rest.empty() ? R"(,"Projection":{"ProjectionType":"ALL"}})" : "," + std::string(rest) + "}");
}
inline std::string Globals(const std::string& indexes) { return R"("GlobalSecondaryIndexes":[)" + indexes + "]"; }
inline std::string Locals(const std::string& indexes) { return R"("LocalSecondaryIndexes":[)" + indexes + "]"; }

}  // namespace taula::api
