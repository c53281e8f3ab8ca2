// The constraints on members that both kinds of transaction have.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "api/decode_faults.h"

namespace taula::api {

// The number of TransactItems.
void CheckTransactItems(std::size_t count, const DecodeFaults& faults, Constraints& constraints);

// The table name, and the item or key, of one action; `path` is that of the
// action.
void CheckTransactTarget(const std::string& path, std::string_view table_name, Member item, const DecodeFaults& faults,
                         Constraints& constraints);

}  // namespace taula::api
