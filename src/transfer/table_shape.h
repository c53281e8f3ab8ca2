// What there is to know of a table to move its items: keys, types, size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/call_function.h"
#include "taula/error.h"
#include "taula/value.h"
#include "transfer/csv_items.h"
#include "transfer/item_key.h"

namespace taula::transfer {

struct TableShape {
  std::string name;
  std::string id;
  bool active = false;
  std::uint64_t item_count = 0;  // as DescribeTable says, which may be hours old
  KeyNames key;
  ColumnTypes typed;  // the attributes of the keys of the table and its indexes
  std::vector<std::string> indexes;
};

[[nodiscard]] Result<TableShape> DescribeTable(const client::CallFunction& call, const std::string& table);

// Makes a table that costs what it is used, and waits until it can be.
[[nodiscard]] Result<TableShape> CreateTable(const client::CallFunction& call, const std::string& table,
                                             const ColumnTypes& key);

// All names there are, at most 1,000.
[[nodiscard]] Result<std::vector<std::string>> TableNames(const client::CallFunction& call);

// Why the table would not take the item, as far as one can know without asking
// it: a sentence without its end.
[[nodiscard]] std::optional<std::string> WhyRefused(const TableShape& shape, const Item& item);

}  // namespace taula::transfer
