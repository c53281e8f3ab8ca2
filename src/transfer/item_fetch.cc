#include "transfer/item_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "codec/json_writer.h"
#include "transfer/json_answer.h"

namespace taula::transfer {
namespace {

constexpr std::size_t kKeysMax = 100;

std::string Request(const FetchOptions& options, std::span<const std::string> keys) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("RequestItems").BeginObject();
  json.Key(options.table).BeginObject();
  json.Key("ConsistentRead").Boolean(true);
  if (options.keys_only) json.Json(KeysOnlyMembers(options.key));
  json.Key("Keys").BeginArray();
  for (const std::string& key : keys) json.Json(key);
  json.EndArray();
  json.EndObject();
  json.EndObject();
  json.EndObject();
  return body;
}

// The keys that are left.
Result<std::vector<std::string>> FetchOnce(const client::CallFunction& call, const FetchOptions& options,
                                           std::span<const std::string> keys, Fetched& fetched) {
  const auto answer = client::CallPatiently(call, "BatchGetItem", Request(options, keys), options.patience);
  if (!answer) return std::unexpected(answer.error());
  simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS) return NotAnAnswer("BatchGetItem");
  bool is_good = true;
  ForEachAt(json, "/Responses/" + options.table, [&](codec::Json item) {
    auto key = KeyOf(item, options.key);
    is_good = is_good && key.has_value();
    if (key) fetched.emplace(*std::move(key), simdjson::minify(item));
  });
  std::vector<std::string> left;
  ForEachAt(json, "/UnprocessedKeys/" + options.table + "/Keys",
            [&](codec::Json key) { left.push_back(simdjson::minify(key)); });
  if (!is_good) return NotAnAnswer("BatchGetItem");
  return left;
}

}  // namespace

std::string KeysOnlyMembers(const KeyNames& key) {
  std::string names;
  std::string expression;
  for (std::size_t i = 0; i < key.size(); ++i) {
    names += fmt::format("{}\"#{}\":", i == 0 ? "" : ",", i);
    codec::AppendStringJson(names, key[i]);
    expression += fmt::format("{}#{}", i == 0 ? "" : ",", i);
  }
  return fmt::format(R"("ProjectionExpression":"{}","ExpressionAttributeNames":{{{}}})", expression, names);
}

Result<Fetched> FetchItems(const client::CallFunction& call, const FetchOptions& options,
                           const std::vector<std::string>& keys) {
  Fetched fetched;
  for (std::size_t at = 0; at < keys.size(); at += kKeysMax) {
    const auto batch = std::span(keys).subspan(at, std::min(kKeysMax, keys.size() - at));
    std::vector<std::string> left(batch.begin(), batch.end());
    client::Waits waits(options.patience);
    while (!left.empty()) {
      const std::size_t before = left.size();
      auto unread = FetchOnce(call, options, left, fetched);
      if (!unread) return std::unexpected(unread.error());
      left = *std::move(unread);
      if (left.size() < before) waits.Reset();
      if (!left.empty() && left.size() == before && !waits.Next()) {
        return Fail(ErrorCode::kProvisionedThroughputExceededException,
                    "The server leaves reads unprocessed: it is too busy.");
      }
    }
  }
  return fetched;
}

}  // namespace taula::transfer
