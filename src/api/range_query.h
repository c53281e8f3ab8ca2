// The range-queries extension: what Query answers on tables that turn it on and
// Amazon refuses. That is any conditions on the attributes of the key, joined by
// AND: a range over partition keys, a range of the sort key in all partitions,
// several conditions on one attribute.
//
// The order is that of the sort key, then the partition key, when there is a
// condition on the sort key and the partition is not fixed; otherwise that of
// the partition key, then the sort key.
#pragma once

#include <string_view>

#include "api/operation.h"
#include "engine/page.h"
#include "expression/key_condition.h"
#include "taula/error.h"

namespace taula::api {

[[nodiscard]] bool AnswersRangeQueries(const Context& context, std::string_view table_name);
[[nodiscard]] bool AnswersRangeQueries(const catalog::Table& table);

// Finds what to read for a condition that Amazon refuses with `refusal`; the
// page has its table, index and start.
[[nodiscard]] Result<void> PrepareRangeQuery(const expression::KeyCondition& condition, const Error& refusal,
                                             engine::PageRequest& page);

}  // namespace taula::api
