// The table that a restore makes: what it keeps of its source, and what a
// request may change.
#pragma once

#include <string_view>

#include "catalog/table.h"
#include "engine/backups.h"
#include "taula/error.h"

namespace taula::engine {

// The new table without its name, id, spaces and times. As with Amazon it has
// the keys, indexes, throughput and encryption of its source, and none of its
// stream, time to live, tags, policy, protection and recovery.
[[nodiscard]] Result<catalog::Table> RestoredTable(const catalog::Table& source, const RestoreRequest& request,
                                                   std::string_view region, std::string_view account);

}  // namespace taula::engine
