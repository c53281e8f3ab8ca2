// Makes the tables of a design on a server, and brings those that exist in line
// with it as far as that loses nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"
#include "design/run.h"

namespace taula::design {

struct TableSetup {
  // A sentence each, for people.
  std::vector<std::string> made;     // tables and indexes that were not there, settings that were changed
  std::vector<std::string> differs;  // what is there beside the design and was left
};

// Fails when a table is there with another key, or an index with another key or
// projection: a design cannot be laid over that. An empty stage is the design's
// own.
[[nodiscard]] Result<void> CheckTables(const Design& design, std::string_view stage, Backend& backend);

// Checks them so before anything is made, and waits until all tables can be used.
[[nodiscard]] Result<TableSetup> SetUpTables(const Design& design, std::string_view stage, Backend& backend);

}  // namespace taula::design
