// What is checked of CreateTable and UpdateTable by the request alone, in
// Amazon's order and words.
#pragma once

#include <optional>

#include "taula/error.h"
#include "taula/table_requests.h"

namespace taula::engine {

// What only a request on the wire can have wrong: the typed request has no way
// to say it. Checked when its turn comes.
struct CreateTableFaults {
  bool empty_local_indexes = false;  // the list is there, and empty
  bool empty_global_indexes = false;
  bool unknown_table_class = false;
  std::optional<Error> invalid_tags;
};

[[nodiscard]] Result<void> CheckCreateTable(const CreateTableRequest& request, const CreateTableFaults& faults);

struct UpdateTableFaults {
  bool empty_index_updates = false;
  bool unknown_table_class = false;
};

// Whether any change is asked for.
[[nodiscard]] bool AsksForChange(const UpdateTableRequest& request, const UpdateTableFaults& faults);

// Which changes are asked for, and whether they go together; then the changes
// to indexes one by one.
[[nodiscard]] Result<void> CheckUpdateTable(const UpdateTableRequest& request, const UpdateTableFaults& faults);
[[nodiscard]] Result<void> CheckIndexUpdates(const UpdateTableRequest& request);

[[nodiscard]] std::unexpected<Error> UnknownTableClass();

// "At least one of … is required". Amazon leaves out MultiRegionConsistency when it
// is the one that is there.
[[nodiscard]] std::unexpected<Error> NothingToChange(bool name_consistency = true);

}  // namespace taula::engine
