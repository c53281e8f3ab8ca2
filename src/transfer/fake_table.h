// For tests: a table that answers BatchWriteItem and Scan from memory, and
// fails as the test says.
#pragma once

#include <simdjson.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/call_function.h"
#include "codec/json_types.h"
#include "codec/json_writer.h"
#include "transfer/item_key.h"

namespace taula::transfer {

// Its key is the attribute "k".
class FakeTable {
 public:
  // What to say instead of answering; nothing: the answer.
  std::function<std::optional<Error>(std::string_view operation, const std::string& body)> failure;
  // How many requests of each batch are left unprocessed, but never the first.
  std::size_t unprocessed = 0;
  std::size_t page_items = 3;

  client::CallFunction Call() {
    return [this](std::string_view operation, const std::string& body) -> Result<std::string> {
      const std::lock_guard lock(mutex_);
      ++calls_;
      if (failure) {
        if (auto error = failure(operation, body)) return std::unexpected(*std::move(error));
      }
      simdjson::dom::parser parser;
      codec::Json json;
      if (parser.parse(body).get(json) != simdjson::SUCCESS) return Fail(ErrorCode::kSerializationException, body);
      return operation == "Scan" ? Scan(json) : BatchWrite(json);
    };
  }

  // By their keys, as JSON.
  std::map<std::string, std::string> items;
  [[nodiscard]] int calls() const { return calls_; }

  static std::string ItemOf(int k, std::string_view value) {
    return R"({"k":{"N":")" + std::to_string(k) + R"("},"v":{"S":")" + std::string(value) + R"("}})";
  }
  static std::string KeyOfNumber(int k) { return R"({"k":{"N":")" + std::to_string(k) + R"("}})"; }

 private:
  Result<std::string> BatchWrite(codec::Json json) {
    simdjson::dom::array requests;
    if (json.at_pointer("/RequestItems/t").get(requests) != simdjson::SUCCESS) return ValidationError("no table t");
    const std::size_t count = requests.size();
    if (count > 25) return ValidationError("too many");
    std::string left;
    std::size_t at = 0;
    for (const codec::Json request : requests) {
      if (at++ > 0 && at + unprocessed > count) {
        left += (left.empty() ? "" : ",") + std::string(simdjson::minify(request));
        continue;
      }
      codec::Json item;
      if (request.at_pointer("/PutRequest/Item").get(item) == simdjson::SUCCESS) {
        items[*KeyOf(item, {"k"})] = simdjson::minify(item);
      } else {
        items.erase(*KeyOf(request.at_pointer("/DeleteRequest/Key").value(), {"k"}));
      }
    }
    return R"({"UnprocessedItems":{)" + (left.empty() ? "" : R"("t":[)" + left + "]") +
           R"(},"ConsumedCapacity":[{"TableName":"t","CapacityUnits":)" + std::to_string(count) + ".0}]}";
  }

  // Every so manyth item belongs to a segment.
  Result<std::string> Scan(codec::Json json) const {
    const auto integer = [&](std::string_view name, std::uint64_t otherwise) {
      std::uint64_t number = 0;
      return json[name].get(number) == simdjson::SUCCESS ? number : otherwise;
    };
    const std::uint64_t segment = integer("Segment", 0);
    const std::uint64_t segments = integer("TotalSegments", 1);
    codec::Json start;
    const bool has_start = json["ExclusiveStartKey"].get(start) == simdjson::SUCCESS;
    const std::string after = has_start ? std::string(simdjson::minify(start)) : "";
    std::string page;
    std::string last;
    std::size_t count = 0;
    std::size_t number = 0;
    bool more = false;
    for (const auto& [key, item] : items) {
      if (number++ % segments != segment || key <= after) continue;
      if (count == page_items) {
        more = true;
        break;
      }
      page += (count++ == 0 ? "" : ",") + item;
      last = key;
    }
    return R"({"Items":[)" + page + "]" + (more ? R"(,"LastEvaluatedKey":)" + last : "") + "}";
  }

  std::mutex mutex_;
  int calls_ = 0;
};

}  // namespace taula::transfer
