// What an operation cost, in DynamoDB's units.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "taula/value.h"

namespace taula {

struct Capacity {
  double read_units = 0;
  double write_units = 0;
  [[nodiscard]] double total() const { return read_units + write_units; }
  Capacity& operator+=(const Capacity& other) {
    read_units += other.read_units;
    write_units += other.write_units;
    return *this;
  }
};

// What one table and its indexes were charged. An index that was not touched
// has no entry.
struct ConsumedCapacity {
  std::string table_name;
  Capacity table;
  std::map<std::string, Capacity, std::less<>> local_indexes;
  std::map<std::string, Capacity, std::less<>> global_indexes;

  [[nodiscard]] Capacity total() const {
    Capacity sum = table;
    for (const auto& [name, capacity] : local_indexes) sum += capacity;
    for (const auto& [name, capacity] : global_indexes) sum += capacity;
    return sum;
  }
};

// The items that share a partition key on a table with local indexes.
struct ItemCollectionMetrics {
  Item key;  // the partition key alone
  double size_lower_gb = 0;
  double size_upper_gb = 1;
};

}  // namespace taula
