// Whether an update can be made on a table, as far as this can be told without
// the item.
#pragma once

#include "catalog/table.h"
#include "expression/update.h"
#include "taula/error.h"

namespace taula::api {

[[nodiscard]] Result<void> CheckUpdate(const catalog::Table& table, const expression::Update& update);

}  // namespace taula::api
