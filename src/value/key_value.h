// What DynamoDB asks of the values of key attributes, with Amazon's words for
// those that will not do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "taula/error.h"
#include "taula/value.h"

namespace taula::value {

// Whether it is a string or binary without a byte, which no key can be.
[[nodiscard]] bool IsEmpty(ValueView value);

// For an empty value of a key, of a table or an index: `circumstance` is what
// Amazon says in between, a sentence with a space behind it, or nothing.
[[nodiscard]] std::string EmptyKeyMessage(ValueView value, std::string_view circumstance);
// Whether the error has such a message.
[[nodiscard]] bool IsEmptyKeyError(const Error& error);

// For a key attribute of a table.
[[nodiscard]] Result<void> CheckNotEmpty(std::string_view attribute, ValueView value);

// The sizes of all attributes of a partition or sort key, together.
[[nodiscard]] Result<void> CheckPartitionKeySize(std::size_t size);
[[nodiscard]] Result<void> CheckSortKeySize(std::size_t size);

}  // namespace taula::value
