// A request of DynamoDB's API as what it reads and writes: tables, keys, and
// which part of an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/key_range.h"
#include "taula/requests.h"
#include "taula/value.h"

namespace taula::design {

// One key or range of a request.
struct Access {
  enum class Kind : std::uint8_t { kGet, kPut, kUpdate, kDelete, kCheck, kQuery, kScan };

  // What a Query says of a key attribute. More than Amazon's service takes: no
  // attribute with one value, or an attribute in two conditions.
  struct KeyCondition {
    std::string attribute;
    KeyRange range;
    bool twice = false;
  };

  Kind kind = Kind::kGet;
  std::string table;
  std::string index;  // empty: the table itself
  Item item;          // its key, and of a put all of it
  std::vector<KeyCondition> keys;
  bool filtered = false;
  std::vector<std::string> filter_equals;  // attributes that have to equal a value
  std::vector<std::string> written;        // of an update: "status", "data.title"
  std::optional<std::int64_t> limit;
  bool descending = false;
  bool conditional = false;

  [[nodiscard]] const KeyCondition* FindKey(std::string_view attribute) const;
};

struct RawRequest {
  std::string operation;
  std::vector<Access> accesses;
  ReturnConsumedCapacity wanted_capacity = ReturnConsumedCapacity::kNone;
};

// Whether the operation is about items, so that it can be explained.
[[nodiscard]] bool IsItemOperation(std::string_view operation);

// As much of it as makes sense; a request that the database refuses may make
// little. Nothing when the body is not JSON or the operation not about items.
[[nodiscard]] std::optional<RawRequest> ReadRawRequest(std::string_view operation, std::string_view body);

}  // namespace taula::design
