// A database in memory with a few tables, called as the wire calls it: what the
// tests of this folder share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/operation.h"
#include "storage/memory/memory_store.h"

namespace taula::api {

inline std::string_view NameOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidationException:
      return "ValidationException";
    case ErrorCode::kSerializationException:
      return "SerializationException";
    case ErrorCode::kResourceNotFoundException:
      return "ResourceNotFoundException";
    case ErrorCode::kConditionalCheckFailedException:
      return "ConditionalCheckFailedException";
    case ErrorCode::kTransactionCanceledException:
      return "TransactionCanceledException";
    case ErrorCode::kIdempotentParameterMismatchException:
      return "IdempotentParameterMismatchException";
    default:
      return "another error";
  }
}

class WireTest : public ::testing::Test {
 protected:
  WireTest() {
    auto opened = engine::Engine::Open(storage::MakeMemoryStore(), {});
    EXPECT_TRUE(opened) << opened.error().message;
    engine_ = *std::move(opened);
    context_ = std::make_unique<Context>(Context{*engine_, expressions_});
    CreateTables();
  }

  // The answer, or the error as "<exception>: <message>".
  std::string Call(Operation operation, std::string_view body) {
    Result<std::string> result = CallForResult(operation, body);
    if (result) return *std::move(result);
    return std::string(NameOf(result.error().code)) + ": " + result.error().message;
  }

  Result<std::string> CallForResult(Operation operation, std::string_view body) {
    const simdjson::padded_string padded(body);
    std::promise<Result<std::string>> promise;
    std::future<Result<std::string>> future = promise.get_future();
    operation(*context_, std::string_view(padded.data(), padded.size()),
              [&promise](Result<std::string> result) { promise.set_value(std::move(result)); });
    return future.get();
  }

  // Several in a row that must succeed.
  void CallAll(Operation operation, std::initializer_list<std::string_view> bodies) {
    for (const std::string_view body : bodies) {
      const Result<std::string> result = CallForResult(operation, body);
      ASSERT_TRUE(result) << body << "\n" << result.error().message;
    }
  }

  [[nodiscard]] Context& context() { return *context_; }

 private:
  static IndexDefinition Index(std::string name, std::vector<KeySchemaElement> key, Projection projection = {}) {
    IndexDefinition index;
    index.name = std::move(name);
    index.key_schema = std::move(key);
    index.projection = std::move(projection);
    return index;
  }

  void Create(CreateTableRequest request) {
    request.billing_mode = BillingMode::kPayPerRequest;
    const auto created = engine_->tables().Create(request);
    ASSERT_TRUE(created) << created.error().message;
  }

  // "hash" has pk; "comp" has pk and sk and indexes of every kind; "num" and
  // "bin" have keys of those types.
  void CreateTables() {
    using enum KeyType;
    CreateTableRequest hash;
    hash.table_name = "hash";
    hash.attribute_definitions = {{"pk", Type::kString}};
    hash.key_schema = {{"pk", kHash}};
    Create(hash);

    CreateTableRequest comp;
    comp.table_name = "comp";
    comp.attribute_definitions = {{"pk", Type::kString},  {"sk", Type::kString},  {"lsk", Type::kNumber},
                                  {"gpk", Type::kString}, {"gsk", Type::kNumber}, {"h1", Type::kString},
                                  {"h2", Type::kNumber},  {"r1", Type::kString},  {"r2", Type::kNumber}};
    comp.key_schema = {{"pk", kHash}, {"sk", kRange}};
    comp.local_indexes = {Index("lsi", {{"pk", kHash}, {"lsk", kRange}}, {.type = ProjectionType::kKeysOnly})};
    comp.global_indexes = {
        Index("gsi", {{"gpk", kHash}, {"gsk", kRange}}),
        Index("inc", {{"gpk", kHash}}, {.type = ProjectionType::kInclude, .non_key_attributes = {"a"}}),
        Index("multi", {{"h1", kHash}, {"h2", kHash}, {"r1", kRange}, {"r2", kRange}})};
    Create(comp);

    CreateTableRequest num;
    num.table_name = "num";
    num.attribute_definitions = {{"pk", Type::kNumber}, {"sk", Type::kNumber}};
    num.key_schema = {{"pk", kHash}, {"sk", kRange}};
    Create(num);

    CreateTableRequest bin;
    bin.table_name = "bin";
    bin.attribute_definitions = {{"pk", Type::kBinary}, {"sk", Type::kBinary}};
    bin.key_schema = {{"pk", kHash}, {"sk", kRange}};
    Create(bin);
    engine_->tables().WaitForBackgroundWork();
  }

  std::unique_ptr<engine::Engine> engine_;
  expression::ExpressionCache expressions_;
  std::unique_ptr<Context> context_;
};

// A request and what it is answered with.
struct Exchange {
  std::string_view request;
  std::string_view answer;
};

inline constexpr std::string_view kInvalid = "ValidationException: ";
inline constexpr std::string_view kEnvelope = "ValidationException: 1 validation error detected: ";

}  // namespace taula::api
