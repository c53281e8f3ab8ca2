// The key of an item, as JSON in one form: equal keys have equal texts, whoever
// wrote the item. So a key's text tells whether two writes are of one item.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_types.h"

namespace taula::transfer {

// The attributes of a table's key: the partition key, and the sort key if there is one.
using KeyNames = std::vector<std::string>;

// {"pk":{"S":"a"},"sk":{"N":"1"}}. Nothing when the item lacks one of them, or
// it is of a type that no key has.
[[nodiscard]] std::optional<std::string> KeyOf(codec::Json item, const KeyNames& names);
[[nodiscard]] std::optional<std::string> KeyOf(std::string_view item, const KeyNames& names);

}  // namespace taula::transfer
