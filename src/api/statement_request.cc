#include "api/statement_request.h"

#include <fmt/format.h>

#include <utility>

#include "api/enumerations.h"
#include "api/table_lookup.h"
#include "api/table_name.h"
#include "partiql/parser.h"

namespace taula::api {
namespace {

constexpr std::size_t kStatementBytesMax = 8192;

}  // namespace

StatementRequest ReadStatement(const codec::JsonStruct& members) {
  StatementRequest request;
  RequestReader reader(members, request.faults, codec::ValueWording::kStatement);
  std::optional<std::string> text = reader.Text("Statement");
  if (!text) request.faults.AddMissing(Member::kStatement);
  request.text = std::move(text).value_or("");
  if (std::optional<std::vector<Value>> parameters = reader.Values("Parameters", Member::kParameters)) {
    request.parameters = *std::move(parameters);
    request.has_parameters = true;
  }
  request.consistent_read = reader.Flag("ConsistentRead", false);
  request.return_on_condition_failure = reader.OnConditionFailure();
  return request;
}

void CheckStatementMembers(const StatementRequest& request, std::string_view path, Constraints& constraints) {
  const std::string statement = fmt::format("{}statement", path);
  if (request.faults.Missing(Member::kStatement)) {
    constraints.Missing(statement);
  } else if (request.text.empty()) {
    constraints.Violated(statement, request.text, LengthAtLeast(1));
  } else if (request.text.size() > kStatementBytesMax) {
    constraints.Violated(statement, request.text, LengthAtMost(kStatementBytesMax));
  }
  if (request.has_parameters && request.parameters.empty()) {
    constraints.Violated(fmt::format("{}parameters", path), "[]", LengthAtLeast(1));
  }
  if (const std::string* text = request.faults.Unknown(Member::kReturnValuesOnConditionCheckFailure)) {
    constraints.Violated(fmt::format("{}returnValuesOnConditionCheckFailure", path), *text,
                         IsOneOf(kReturnOnConditionFailureSet));
  }
}

Result<void> CheckParameterValues(const StatementRequest& request) {
  return request.faults.CheckValues(Member::kParameters);
}

Result<partiql::BoundStatementPtr> BindStatement(StatementRequest& request) {
  Result<partiql::StatementPtr> statement = partiql::Parse(request.text);
  if (!statement) return std::unexpected(std::move(statement.error()));
  return partiql::BoundStatement::Bind(*std::move(statement), std::move(request.parameters));
}

Result<catalog::TablePtr> LookUpStatementTable(const Context& context, const partiql::BoundStatement& statement) {
  const std::string& name = statement.table();
  const bool is_arn = name.starts_with("arn:");
  if (!is_arn && (name.size() < kResourceNameMin || name.size() > kResourceNameMax || !IsResourceName(name))) {
    return ValidationError(
        "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.");
  }
  return LookUpTable(context, name);
}

}  // namespace taula::api
