#include "api/statement_write.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "api/key_paths.h"
#include "api/key_plan.h"
#include "api/value_validation.h"
#include "api/write_checks.h"
#include "engine/item_size.h"

namespace taula::api {
namespace {

using engine::WriteAction;
using engine::WriteKind;
using partiql::StatementKind;

// That there is no item of this key. Refers to the table.
expression::Condition IsNew(const catalog::Table& table) {
  expression::SyntaxBuilder builder("");
  const expression::PathStep step{expression::PathStep::Type::kName, 0, table.key.partition[0].name};
  const expression::NodeId path = builder.AddPath(std::array{step});
  builder.SetRoot(builder.AddOperation(expression::Operator::kAttributeNotExists, std::array{path}));
  return expression::Condition(expression::BoundSyntax(builder.Finish(), {}));
}

Result<void> PrepareInsert(const partiql::BoundStatement& statement, WritePlace place, WriteAction& action) {
  action.kind = WriteKind::kPut;
  action.item = statement.item();
  action.condition = IsNew(*action.table);
  if (const auto fault = FindFault(action.item)) return ValidationError(fault->message);
  if (Result<void> ok = engine::CheckItemSize(action.item); !ok) return ok;
  if (place == WritePlace::kInTransaction) return {};
  Result<void> ok = CheckStatementKey(action.table->key, action.item);
  if (ok) ok = CheckPut(*action.table, action.item);
  return ok;
}

std::unexpected<Error> NoKey() {
  return ValidationError("Where clause does not contain a mandatory equality on all key attributes");
}

Result<void> PrepareByKey(const partiql::BoundStatement& statement, WritePlace place, WriteAction& action) {
  const catalog::KeySchema& schema = action.table->key;
  NamedKey named;
  if (statement.where()) {
    named = FindNamedKey(*statement.where(), schema);
  } else {
    named.missing = schema.partition[0].name;
  }
  const bool exists = statement.kind() == StatementKind::kExists;
  if (exists && (named.missing || named.only_key)) {
    return ValidationError("EXISTS() must contain a single item read with additional condition");
  }
  action.item = std::move(named.key);
  if (place == WritePlace::kInTransaction) {
    // Two values are no key, and neither is none.
    if (named.ambiguous && !exists) action.item = Item();
    return {};
  }
  if (named.missing) return NoKey();
  if (named.ambiguous) {
    return ValidationError(fmt::format(
        "Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported", *named.ambiguous));
  }
  Result<void> ok = CheckStatementKey(schema, action.item);
  if (ok) ok = CheckUpdate(*action.table, action.item, action.update);
  return ok;
}

// The whole WHERE clause is the condition: what it says of the key is true of
// the item, and false when there is none.
Result<void> PrepareCondition(const partiql::BoundStatement& statement, WriteAction& action) {
  if (!statement.where()) return {};
  if (Result<void> ok = CheckKeyPaths(*action.table, *statement.where()); !ok) return ok;
  if (statement.kind() != StatementKind::kDelete) {
    action.condition = *statement.where();
    return {};
  }
  // A DELETE that finds no item has nothing to do.
  Result<expression::Condition> condition = statement.WhereOrWithout(action.table->key.partition[0].name);
  if (!condition) return std::unexpected(std::move(condition.error()));
  action.condition = *std::move(condition);
  return {};
}

constexpr std::string_view kDuplicate = "Duplicate primary key exists in table";

// Whether an INSERT failed for its own condition; a table's rules fail with
// words of their own.
bool FoundAnItem(const partiql::BoundStatement& statement, std::string_view message) {
  return statement.kind() == StatementKind::kInsert && message == "The conditional request failed";
}

WriteKind KindOf(StatementKind kind) {
  switch (kind) {
    case StatementKind::kUpdate:
      return WriteKind::kUpdate;
    case StatementKind::kDelete:
      return WriteKind::kDelete;
    default:
      return WriteKind::kConditionCheck;
  }
}

}  // namespace

Result<WriteAction> PrepareStatementWrite(catalog::TablePtr table, const partiql::BoundStatement& statement,
                                          ReturnOnConditionFailure return_on_condition_failure, WritePlace place) {
  WriteAction action;
  action.table = std::move(table);
  action.return_values = statement.returning();
  action.return_on_condition_failure = return_on_condition_failure;
  Result<void> ok;
  if (statement.kind() == StatementKind::kInsert) {
    ok = PrepareInsert(statement, place, action);
  } else {
    action.kind = KindOf(statement.kind());
    action.update = statement.update();
    ok = PrepareByKey(statement, place, action);
    if (ok) ok = PrepareCondition(statement, action);
  }
  if (!ok) return std::unexpected(std::move(ok.error()));
  return action;
}

Error AsStatementError(Error error, const partiql::BoundStatement& statement) {
  if (error.code != ErrorCode::kConditionalCheckFailedException || !FoundAnItem(statement, error.message)) return error;
  error.code = ErrorCode::kDuplicateItemException;
  error.message = kDuplicate;
  return error;
}

CancellationReason AsStatementReason(CancellationReason reason, const partiql::BoundStatement& statement) {
  if (reason.code != "ConditionalCheckFailed" || !FoundAnItem(statement, reason.message)) return reason;
  reason.code = "DuplicateItem";
  reason.message = kDuplicate;
  return reason;
}

}  // namespace taula::api
