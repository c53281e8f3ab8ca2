// ExecuteStatement: one PartiQL statement, a page of a SELECT or a single write.
#include <utility>

#include "api/accounting.h"
#include "api/operations.h"
#include "api/request_record.h"
#include "api/response_json.h"
#include "api/start_key.h"
#include "api/statement_read.h"
#include "api/statement_request.h"
#include "api/statement_write.h"

namespace taula::api {
namespace {

using partiql::BoundStatementPtr;

struct Request {
  StatementRequest statement;
  std::optional<std::int64_t> limit;
  std::optional<std::string> next_token;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

Result<Request> Decode(std::string_view body) {
  const Result<codec::JsonStruct> json = ParseBody(body);
  if (!json) return std::unexpected(json.error());
  Request request;
  request.statement = ReadStatement(*json);
  RequestReader reader(*json, request.statement.faults, codec::ValueWording::kStatement);
  request.next_token = reader.Text("NextToken");
  request.return_consumed_capacity = reader.Capacity();
  request.limit = (*json)["Limit"].Integer();
  if (json->failed()) return std::unexpected(json->TakeError());
  return request;
}

Result<void> CheckMembers(const Request& request) {
  Constraints constraints;
  CheckStatementMembers(request.statement, "", constraints);
  CheckKnown(request.statement.faults, Member::kReturnConsumedCapacity, constraints);
  if (request.limit && *request.limit < 1) {
    constraints.Violated("limit", std::to_string(*request.limit), ValueAtLeast(1));
  }
  return constraints.Check();
}

void WriteStatementCapacity(codec::JsonWriter& json, const ConsumedCapacity& capacity, ReturnConsumedCapacity detail) {
  if (detail == ReturnConsumedCapacity::kNone) return;
  json.Key("ConsumedCapacity");
  WriteCapacity(json, capacity, detail);
}

Result<StatementPosition> StartOf(const Request& request, const BoundStatementPtr& statement,
                                  const StatementRead& read) {
  if (!request.next_token) return StatementPosition();
  Result<StatementPosition> position = DecodeToken(*request.next_token, statement);
  if (!position) return position;
  // The table may have been made anew with another key.
  const bool fits = position->read < read.reads.size() &&
                    (!position->start_key || CheckStartKey(*read.table, read.index, *position->start_key));
  if (!fits) return ValidationError("Invalid NextToken");
  return position;
}

Result<std::string> Select(Context& context, const Request& request, const BoundStatementPtr& statement) {
  const Result<StatementRead> read = PrepareRead(context, *statement, request.statement.consistent_read);
  if (!read) return std::unexpected(read.error());
  Result<StatementPosition> start = StartOf(request, statement, *read);
  if (!start) return std::unexpected(std::move(start.error()));
  std::string out;
  std::string scratch;
  std::uint64_t items = 0;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("Items").BeginArray();
  const Result<StatementPage> page =
      ReadStatementPage(context, *read, *std::move(start), request.limit, [&](ValueView item) {
        ++items;
        if (!read->columns) return json.Item(item.map());
        scratch.clear();
        read->columns->AppendTo(scratch, item.map());
        json.Item(ValueView(scratch.data()).map());
      });
  if (!page) return std::unexpected(page.error());
  if (context.record != nullptr) context.record->Returns(items);
  json.EndArray();
  if (page->next) {
    json.Key("NextToken").String(EncodeToken(*page->next, statement));
    if (page->next->start_key) json.Key("LastEvaluatedKey").Item(page->next->start_key->attributes());
  }
  WriteStatementCapacity(json, page->capacity, request.return_consumed_capacity);
  json.EndObject();
  return out;
}

std::string WriteJson(const engine::WriteOutcome& outcome, ReturnConsumedCapacity detail) {
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("Items").BeginArray();
  if (outcome.attributes) json.Item(outcome.attributes->attributes());
  json.EndArray();
  WriteStatementCapacity(json, outcome.capacity, detail);
  json.EndObject();
  return out;
}

void Write(Context& context, const Request& request, BoundStatementPtr statement, Completion done) {
  Result<catalog::TablePtr> table = LookUpStatementTable(context, *statement);
  if (!table) return done(std::unexpected(std::move(table.error())));
  Result<engine::WriteAction> action = PrepareStatementWrite(
      *std::move(table), *statement, request.statement.return_on_condition_failure, WritePlace::kAlone);
  if (!action) return done(std::unexpected(std::move(action.error())));
  context.engine.Write(*std::move(action), [statement = std::move(statement), detail = request.return_consumed_capacity,
                                            done = std::move(done)](Result<engine::WriteOutcome> outcome) mutable {
    if (outcome) return done(WriteJson(*outcome, detail));
    done(std::unexpected(AsStatementError(std::move(outcome.error()), *statement)));
  });
}

}  // namespace

void ExecuteStatement(Context& context, std::string_view body, Completion done) {
  Result<Request> request = Decode(body);
  if (!request) return done(std::unexpected(std::move(request.error())));
  Result<void> ok = CheckMembers(*request);
  if (ok) ok = CheckParameterValues(request->statement);
  if (!ok) return done(std::unexpected(std::move(ok.error())));
  Result<BoundStatementPtr> statement = BindStatement(request->statement);
  if (!statement) return done(std::unexpected(std::move(statement.error())));
  if ((*statement)->is_read()) return done(Select(context, *request, *statement));
  if ((*statement)->kind() == partiql::StatementKind::kExists) {
    return done(ValidationError("EXISTS can only be used in ExecuteTransaction write requests."));
  }
  Write(context, *request, *std::move(statement), std::move(done));
}

}  // namespace taula::api
