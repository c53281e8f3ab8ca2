// One PartiQL statement of a request: reading it from JSON, and from there to a
// statement that is bound to its parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "api/decode_faults.h"
#include "api/operation.h"
#include "api/request_reader.h"
#include "partiql/bound_statement.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

struct StatementRequest {
  std::string text;
  std::vector<Value> parameters;
  bool has_parameters = false;
  bool consistent_read = false;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
  DecodeFaults faults;
};

// The members that a statement has in all three operations.
[[nodiscard]] StatementRequest ReadStatement(const codec::JsonStruct& members);

// The constraints on them; `path` is that of the statement, with a dot behind
// it, or nothing.
void CheckStatementMembers(const StatementRequest& request, std::string_view path, Constraints& constraints);

// What is wrong with a value among the parameters, which Amazon tells before it
// looks at the statement.
[[nodiscard]] Result<void> CheckParameterValues(const StatementRequest& request);

// Takes the parameters out of the request.
[[nodiscard]] Result<partiql::BoundStatementPtr> BindStatement(StatementRequest& request);

// The table of a statement. Fails with kResourceNotFoundException.
[[nodiscard]] Result<catalog::TablePtr> LookUpStatementTable(const Context& context,
                                                             const partiql::BoundStatement& statement);

}  // namespace taula::api
