// A backup of a table: a state of the store that is kept under a name, and the
// table as it was then.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "catalog/table.h"

namespace taula::catalog {

struct Backup {
  std::string id;  // the end of its ARN
  std::string name;
  std::int64_t created_ms = 0;
  std::int64_t bytes = 0;  // of the items, in DynamoDB's accounting
  std::int64_t items = 0;
  // Made when a table with point-in-time recovery was deleted, not by anybody's
  // wish.
  bool of_deleted_table = false;
  std::string state;  // its name in the store
  Table table;
};

using BackupPtr = std::shared_ptr<const Backup>;

}  // namespace taula::catalog
