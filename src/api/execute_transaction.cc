// ExecuteTransaction: up to a hundred PartiQL statements, all or nothing; either
// reads of single items, or writes and checks.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "api/accounting.h"
#include "api/fingerprint.h"
#include "api/operations.h"
#include "api/read_together.h"
#include "api/request_record.h"
#include "api/response_json.h"
#include "api/statement_read.h"
#include "api/statement_request.h"
#include "api/statement_write.h"
#include "api/transact_members.h"
#include "api/write_checks.h"
#include "base/limits.h"
#include "engine/index_entries.h"
#include "engine/key_validation.h"

namespace taula::api {
namespace {

using partiql::BoundStatementPtr;

struct Request {
  std::vector<StatementRequest> statements;
  std::optional<std::string> client_request_token;
  DecodeFaults faults;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

Result<Request> Decode(std::string_view body) {
  const Result<codec::JsonStruct> json = ParseBody(body);
  if (!json) return std::unexpected(json.error());
  Request request;
  RequestReader reader(*json, request.faults, codec::ValueWording::kStatement);
  const auto statements = (*json)["TransactStatements"].List();
  if (!statements) request.faults.AddMissing(Member::kStatements);
  if (statements) {
    for (const codec::JsonValue element : *statements) {
      if (const auto members = element.Struct("ParameterizedStatement")) {
        request.statements.push_back(ReadStatement(*members));
      }
    }
  }
  request.client_request_token = reader.Text("ClientRequestToken");
  request.return_consumed_capacity = reader.Capacity();
  if (json->failed()) return std::unexpected(json->TakeError());
  return request;
}

Result<void> CheckMembers(const Request& request) {
  if (Result<void> ok = CheckTokenNotTooLong(request.client_request_token); !ok) return ok;
  Constraints constraints;
  if (request.faults.Missing(Member::kStatements)) {
    constraints.Missing("transactStatements");
  } else if (request.statements.empty()) {
    constraints.Violated("transactStatements", "[]", LengthAtLeast(1));
  } else if (request.statements.size() > base::kTransactionItemsMax) {
    constraints.ViolatedUnechoed("TransactStatements", LengthAtMost(base::kTransactionItemsMax));
  }
  for (std::size_t i = 0; i < request.statements.size(); ++i) {
    CheckStatementMembers(request.statements[i], fmt::format("transactStatements.{}.member.", i + 1), constraints);
  }
  CheckTokenNotEmpty(request.client_request_token, constraints);
  CheckKnown(request.faults, Member::kReturnConsumedCapacity, constraints);
  return constraints.Check();
}

// An error that is the whole transaction's, with the statement that it is of.
std::unexpected<Error> FailedIn(std::size_t statement, Error error) {
  error.message = fmt::format("Validation failed in TransactStatements[{}]: {}", statement, error.message);
  return std::unexpected(std::move(error));
}

Result<std::vector<BoundStatementPtr>> BindAll(std::vector<StatementRequest>& requests) {
  for (const StatementRequest& request : requests) {
    if (Result<void> ok = CheckParameterValues(request); !ok) return std::unexpected(std::move(ok.error()));
  }
  std::vector<BoundStatementPtr> statements;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Result<BoundStatementPtr> statement = BindStatement(requests[i]);
    if (!statement) return FailedIn(i, std::move(statement.error()));
    statements.push_back(*std::move(statement));
  }
  const auto reads = std::ranges::count_if(statements, [](const BoundStatementPtr& each) { return each->is_read(); });
  if (reads != 0 && static_cast<std::size_t>(reads) != statements.size()) {
    return ValidationError(
        "ExecuteTransaction API does not support both read and write operations in the same request.");
  }
  return statements;
}

// The tables of all statements; null where there is none, which cancels the
// transaction unless a statement fails it.
Result<std::vector<catalog::TablePtr>> LookUpTables(const Context& context,
                                                    const std::vector<BoundStatementPtr>& statements) {
  std::vector<catalog::TablePtr> tables;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    Result<catalog::TablePtr> table = LookUpStatementTable(context, *statements[i]);
    if (!table && table.error().code != ErrorCode::kResourceNotFoundException) {
      return FailedIn(i, std::move(table.error()));
    }
    tables.push_back(table ? *std::move(table) : nullptr);
  }
  return tables;
}

CancellationReason NotFound() {
  return {.code = "ResourceNotFound", .message = "Requested resource not found", .item = std::nullopt};
}

CancellationReason Invalid(const Error& error) {
  return {.code = "ValidationError", .message = error.message, .item = std::nullopt};
}

// Fails when one of the reasons is one.
Result<void> CheckReasons(std::vector<CancellationReason> reasons) {
  if (std::ranges::all_of(reasons, [](const CancellationReason& reason) { return reason.code == "None"; })) return {};
  return std::unexpected(engine::TransactionCancelled(std::move(reasons)));
}

// Reads.

Result<std::vector<ItemRead>> PrepareReads(const std::vector<BoundStatementPtr>& statements,
                                           std::vector<catalog::TablePtr> tables) {
  std::vector<ItemRead> reads(statements.size());
  std::vector<CancellationReason> reasons(statements.size());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (tables[i] == nullptr) {
      reasons[i] = NotFound();
      continue;
    }
    if (statements[i]->index()) {
      return FailedIn(i, {ErrorCode::kValidationException,
                          "Reads on indices are not supported within transactions.",
                          std::nullopt,
                          {}});
    }
    Result<ItemRead> read = PrepareItemRead(std::move(tables[i]), *statements[i], "ExecuteTransaction");
    if (!read) return FailedIn(i, std::move(read.error()));
    reads[i] = *std::move(read);
    if (const Result<void> ok = engine::CheckKey(reads[i].table->key, reads[i].key.attributes()); !ok) {
      reasons[i] = Invalid(ok.error());
    }
  }
  if (Result<void> ok = CheckReasons(std::move(reasons)); !ok) return std::unexpected(std::move(ok.error()));
  std::unordered_set<std::string> seen;
  for (const ItemRead& read : reads) {
    if (!seen.insert(engine::ItemStoreKey(*read.table, read.key.view())).second) return NamesOneItemTwice();
  }
  return reads;
}

Result<std::string> Read(Context& context, const Request& request, const std::vector<BoundStatementPtr>& statements,
                         std::vector<catalog::TablePtr> tables) {
  const Result<std::vector<ItemRead>> reads = PrepareReads(statements, std::move(tables));
  if (!reads) return std::unexpected(reads.error());
  std::vector<engine::KeyInTable> keys;
  for (const ItemRead& read : *reads) keys.push_back({read.table.get(), &read.key});
  std::vector<std::optional<Item>> items(keys.size());
  const auto capacities = ReadTogether(context, keys, [&](std::size_t index, ValueView item) {
    items[index] = SelectColumns((*reads)[index].columns, item);
  });
  if (!capacities) return std::unexpected(capacities.error());
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("Responses").BeginArray();
  for (const std::optional<Item>& item : items) {
    json.BeginObject();
    if (item) json.Key("Item").Item(item->attributes());
    json.EndObject();
  }
  json.EndArray();
  if (request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacities(json, *capacities, request.return_consumed_capacity, CapacityForm::kTransaction);
  }
  json.EndObject();
  return out;
}

// Writes.

Result<engine::WriteAction> PrepareAction(std::size_t i, const BoundStatementPtr& statement, catalog::TablePtr table,
                                          ReturnOnConditionFailure return_on_condition_failure) {
  Error refused{ErrorCode::kValidationException, "", std::nullopt, {}};
  if (statement->returning() != ReturnValues::kNone) {
    refused.message = "RETURNING clause is not supported in ExecuteTransaction.";
    return FailedIn(i, std::move(refused));
  }
  if (statement->index()) {
    refused.message = "Operations on indices are not supported in transactions";
    return FailedIn(i, std::move(refused));
  }
  Result<engine::WriteAction> action =
      PrepareStatementWrite(std::move(table), *statement, return_on_condition_failure, WritePlace::kInTransaction);
  if (!action) return FailedIn(i, std::move(action.error()));
  return action;
}

Result<engine::Transaction> PrepareWrites(const Request& request, const std::vector<BoundStatementPtr>& statements,
                                          std::vector<catalog::TablePtr> tables) {
  engine::Transaction transaction;
  std::vector<CancellationReason> reasons(statements.size());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (tables[i] == nullptr) {
      reasons[i] = NotFound();
      continue;
    }
    Result<engine::WriteAction> action =
        PrepareAction(i, statements[i], std::move(tables[i]), request.statements[i].return_on_condition_failure);
    if (!action) return std::unexpected(std::move(action.error()));
    transaction.actions.push_back(*std::move(action));
  }
  if (Result<void> ok = CheckTransactionWrites(transaction); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  if (transaction.actions.size() != statements.size()) {
    // Some tables are not there, so that nothing is tried.
    std::size_t action = 0;
    for (CancellationReason& reason : reasons) {
      if (reason.code != "None") continue;
      if (const auto& invalid = transaction.actions[action++].invalid) reason = Invalid(*invalid);
    }
    return std::unexpected(engine::TransactionCancelled(std::move(reasons)));
  }
  transaction.token = request.client_request_token;
  if (transaction.token) transaction.fingerprint = Fingerprint(statements);
  return transaction;
}

// The reasons of a cancelled transaction as the statements have them.
Error AsStatementErrors(Error error, const std::vector<BoundStatementPtr>& statements) {
  if (error.code != ErrorCode::kTransactionCanceledException) return error;
  std::vector<CancellationReason> reasons = std::move(error.cancellation_reasons);
  for (std::size_t i = 0; i < reasons.size() && i < statements.size(); ++i) {
    reasons[i] = AsStatementReason(std::move(reasons[i]), *statements[i]);
  }
  return engine::TransactionCancelled(std::move(reasons));
}

std::string WriteJson(const engine::TransactionOutcome& outcome, ReturnConsumedCapacity detail) {
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("Responses").BeginArray();
  json.EndArray();
  if (detail != ReturnConsumedCapacity::kNone) {
    std::vector<ConsumedCapacity> capacities;
    for (const engine::WriteOutcome& action : outcome.actions) AddCapacity(capacities, action.capacity);
    json.Key("ConsumedCapacity");
    WriteCapacities(json, capacities, detail, CapacityForm::kTransaction);
  }
  json.EndObject();
  return out;
}

void Write(Context& context, const Request& request, std::vector<BoundStatementPtr> statements,
           std::vector<catalog::TablePtr> tables, Completion done) {
  Result<engine::Transaction> transaction = PrepareWrites(request, statements, std::move(tables));
  if (!transaction) return done(std::unexpected(std::move(transaction.error())));
  if (context.record != nullptr && context.record->ItemConflicts()) {
    return done(std::unexpected(engine::TransactionMet(transaction->actions.size())));
  }
  context.engine.Transact(*std::move(transaction),
                          [statements = std::move(statements), detail = request.return_consumed_capacity,
                           done = std::move(done)](Result<engine::TransactionOutcome> outcome) mutable {
                            if (!outcome)
                              return done(std::unexpected(AsStatementErrors(std::move(outcome.error()), statements)));
                            done(WriteJson(*outcome, detail));
                          });
}

}  // namespace

void ExecuteTransaction(Context& context, std::string_view body, Completion done) {
  Result<Request> request = Decode(body);
  if (!request) return done(std::unexpected(std::move(request.error())));
  if (Result<void> ok = CheckMembers(*request); !ok) return done(std::unexpected(std::move(ok.error())));
  Result<std::vector<BoundStatementPtr>> statements = BindAll(request->statements);
  if (!statements) return done(std::unexpected(std::move(statements.error())));
  Result<std::vector<catalog::TablePtr>> tables = LookUpTables(context, *statements);
  if (!tables) return done(std::unexpected(std::move(tables.error())));
  if (statements->front()->is_read()) return done(Read(context, *request, *statements, *std::move(tables)));
  Write(context, *request, *std::move(statements), *std::move(tables), std::move(done));
}

}  // namespace taula::api
