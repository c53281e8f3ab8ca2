// A change of an item as one line for a person:
//
//   12:30:01 MODIFY  PK=order#1 SK=meta  total: 10 → 20, note: "x" → (none)
#pragma once

#include <string>
#include <string_view>

namespace taula::cli {

// `record` is a record of a stream, in JSON. What is not one comes back as it is.
[[nodiscard]] std::string ChangeText(std::string_view record);

}  // namespace taula::cli
