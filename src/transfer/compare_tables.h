// Compares the items of two tables, wherever they are, in little memory: each
// page of the one is looked up in the other, both ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/call_function.h"
#include "client/patience.h"
#include "taula/error.h"
#include "transfer/item_key.h"

namespace taula::transfer {

struct ComparedTable {
  client::CallFunction call;
  std::string table;
};

struct CompareOptions {
  KeyNames key;  // of both
  std::size_t calls_in_flight = 8;
  client::Patience patience = {};
};

struct TableDifferences {
  std::uint64_t items = 0;            // of the source
  std::uint64_t missing = 0;          // at the target
  std::uint64_t different = 0;        // at both, with other attributes
  std::uint64_t extra = 0;            // at the target alone
  std::vector<std::string> examples;  // "missing {…}", keys of the first few

  [[nodiscard]] std::uint64_t total() const { return missing + different + extra; }
};

// Items are equal when DynamoDB takes them for equal: whatever the order of
// attributes and of elements of sets, however numbers are written.
[[nodiscard]] Result<TableDifferences> CompareTables(const ComparedTable& source, const ComparedTable& target,
                                                     const CompareOptions& options);

}  // namespace taula::transfer
