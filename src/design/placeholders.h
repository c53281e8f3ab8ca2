// The placeholders of one request's expressions: every name and value that
// stands in them goes through here, so that no attribute's name has to be free
// of DynamoDB's reserved words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/json_writer.h"
#include "taula/value.h"

namespace taula::design {

class Placeholders {
 public:
  // "#status", the same each time.
  std::string Name(std::string_view attribute);
  // "#data.#status"; an element such as "[0]" follows without a dot.
  std::string Path(std::span<const std::string> path);
  // ":v1"; equal values share one.
  std::string Value(const taula::Value& value);

  // ExpressionAttributeNames and ExpressionAttributeValues, as far as there are
  // any.
  void Write(codec::JsonWriter& json) const;

  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& names() const { return names_; }
  [[nodiscard]] const std::vector<std::pair<std::string, taula::Value>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, std::string>> names_;
  std::vector<std::pair<std::string, taula::Value>> values_;
};

// Both, or the one that is not empty.
[[nodiscard]] std::string And(std::string_view a, std::string_view b);

}  // namespace taula::design
