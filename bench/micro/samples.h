// The items that are measured: one of 450 bytes of JSON, as most of a
// single-table design are, and a nested one of 40 KB.
#pragma once

#include <string>
#include <string_view>

#include "catalog/table.h"
#include "taula/value.h"

namespace taula::micro {

// As the members of an "Item" have it: {"PK":{"S":"…"},…}, names in order.
[[nodiscard]] const std::string& SmallItemJson();
[[nodiscard]] const std::string& NestedItemJson();

[[nodiscard]] const Item& SmallItem();
[[nodiscard]] const Item& NestedItem();

// Of the small item's kind, by number.
[[nodiscard]] Item NumberedItem(int number);
[[nodiscard]] Item NumberedKey(int number);
inline constexpr int kItemsPerPartition = 100;
// Items with one number divided by kItemsPerPartition have this partition key.
[[nodiscard]] std::string PartitionKeyOf(int number);

// PK and SK, and the index GSI1 on GSI1PK and GSI1SK.
[[nodiscard]] const catalog::Table& SampleTable();

}  // namespace taula::micro
