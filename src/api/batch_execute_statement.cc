// BatchExecuteStatement: up to 25 PartiQL statements, each for itself, all of
// them reads or all of them writes.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "api/accounting.h"
#include "api/operations.h"
#include "api/response_json.h"
#include "api/statement_read.h"
#include "api/statement_request.h"
#include "api/statement_write.h"
#include "engine/units.h"

namespace taula::api {
namespace {

using partiql::BoundStatementPtr;

constexpr std::size_t kStatementsMax = 25;

struct Request {
  std::vector<StatementRequest> statements;
  DecodeFaults faults;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// What became of one statement.
struct Answer {
  std::optional<std::string> table_name;  // once it got as far as its table
  std::optional<Item> item;
  std::optional<ConsumedCapacity> capacity;
  std::optional<Error> error;
};

Result<Request> Decode(std::string_view body) {
  const Result<codec::JsonStruct> json = ParseBody(body);
  if (!json) return std::unexpected(json.error());
  Request request;
  RequestReader reader(*json, request.faults, codec::ValueWording::kStatement);
  const auto statements = (*json)["Statements"].List();
  if (!statements) request.faults.AddMissing(Member::kStatements);
  if (statements) {
    for (const codec::JsonValue element : *statements) {
      if (const auto members = element.Struct("BatchStatementRequest")) {
        request.statements.push_back(ReadStatement(*members));
      }
    }
  }
  request.return_consumed_capacity = reader.Capacity();
  if (json->failed()) return std::unexpected(json->TakeError());
  return request;
}

Result<void> CheckMembers(const Request& request) {
  Constraints constraints;
  if (request.faults.Missing(Member::kStatements)) {
    constraints.Missing("statements");
  } else if (request.statements.empty()) {
    constraints.Violated("statements", "[]", LengthAtLeast(1));
  } else if (request.statements.size() > kStatementsMax) {
    constraints.ViolatedUnechoed("Statements", LengthAtMost(kStatementsMax));
  }
  for (std::size_t i = 0; i < request.statements.size(); ++i) {
    CheckStatementMembers(request.statements[i], fmt::format("statements.{}.member.", i + 1), constraints);
  }
  CheckKnown(request.faults, Member::kReturnConsumedCapacity, constraints);
  return constraints.Check();
}

// BatchStatementErrorCodeEnum.
std::string_view CodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConditionalCheckFailedException:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItemException:
      return "DuplicateItem";
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kRequestLimitExceeded:
      return "RequestLimitExceeded";
    case ErrorCode::kProvisionedThroughputExceededException:
      return "ProvisionedThroughputExceeded";
    case ErrorCode::kTransactionConflictException:
      return "TransactionConflict";
    case ErrorCode::kThrottlingException:
      return "ThrottlingError";
    case ErrorCode::kResourceNotFoundException:
      return "ResourceNotFound";
    case ErrorCode::kAccessDeniedException:
      return "AccessDenied";
    case ErrorCode::kValidationException:
      return "ValidationError";
    default:
      return "InternalServerError";
  }
}

void WriteAnswer(codec::JsonWriter& json, const Answer& answer) {
  json.BeginObject();
  if (answer.error) {
    json.Key("Error").BeginObject();
    json.Key("Code").String(CodeOf(answer.error->code));
    json.Key("Message").String(answer.error->message);
    if (answer.error->item) json.Key("Item").Item(answer.error->item->attributes());
    json.EndObject();
  }
  if (answer.table_name) json.Key("TableName").String(*answer.table_name);
  if (answer.item) json.Key("Item").Item(answer.item->attributes());
  json.EndObject();
}

std::string ResponseJson(const std::vector<Answer>& answers, ReturnConsumedCapacity detail) {
  std::vector<ConsumedCapacity> capacities;
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("Responses").BeginArray();
  for (const Answer& answer : answers) {
    WriteAnswer(json, answer);
    if (answer.capacity) AddCapacity(capacities, *answer.capacity);
  }
  json.EndArray();
  if (detail != ReturnConsumedCapacity::kNone && !capacities.empty()) {
    json.Key("ConsumedCapacity");
    WriteCapacities(json, capacities, detail);
  }
  json.EndObject();
  return out;
}

Answer Read(const Context& context, const BoundStatementPtr& statement, bool consistent_read) {
  Answer answer;
  const auto failed = [&](const Error& error) {
    answer.error = error;
    return answer;
  };
  Result<catalog::TablePtr> table = LookUpStatementTable(context, *statement);
  if (!table) return failed(table.error());
  const Result<ItemRead> read = PrepareItemRead(*std::move(table), *statement, "BatchExecuteStatement");
  if (!read) return failed(read.error());
  if (const Result<void> ok = CheckStatementKey(read->table->key, read->key); !ok) return failed(ok.error());
  const auto consistency = consistent_read ? engine::Consistency::kStrong : engine::Consistency::kEventual;
  std::size_t bytes = 0;
  const Result<void> got =
      context.engine.Get(*read->table, read->key, consistency, [&](const engine::StoredItem& found) {
        bytes = found.size;
        answer.item = SelectColumns(read->columns, found.item);
      });
  answer.table_name = statement->table();
  if (!got) return failed(got.error());
  answer.capacity = TableReadCapacity(*read->table, engine::ReadUnits(bytes, consistent_read));
  return answer;
}

// Statements under way together. Kept by the last one that ends.
class Batch : public std::enable_shared_from_this<Batch> {
 public:
  Batch(Request request, std::vector<Result<BoundStatementPtr>> statements, Completion done)
      : request_(std::move(request)),
        statements_(std::move(statements)),
        answers_(statements_.size()),
        pending_(statements_.size()),
        done_(std::move(done)) {}

  void Start(Context& context) {
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      if (!statements_[i]) {
        Fail(i, std::move(statements_[i].error()));
      } else if ((*statements_[i])->is_read()) {
        answers_[i] = Read(context, *statements_[i], request_.statements[i].consistent_read);
        Finish();
      } else {
        Write(context, i);
      }
    }
  }

 private:
  void Write(Context& context, std::size_t i) {
    const BoundStatementPtr& statement = *statements_[i];
    Result<catalog::TablePtr> table = LookUpStatementTable(context, *statement);
    if (!table) return Fail(i, std::move(table.error()));
    Result<engine::WriteAction> action = PrepareStatementWrite(
        *std::move(table), *statement, request_.statements[i].return_on_condition_failure, WritePlace::kAlone);
    if (!action) return Fail(i, std::move(action.error()));
    answers_[i].table_name = statement->table();
    context.engine.Write(*std::move(action), [self = shared_from_this(), i](Result<engine::WriteOutcome> outcome) {
      if (!outcome) return self->Fail(i, AsStatementError(std::move(outcome.error()), **self->statements_[i]));
      self->answers_[i].item = std::move(outcome->attributes);
      self->answers_[i].capacity = std::move(outcome->capacity);
      self->Finish();
    });
  }

  void Fail(std::size_t i, Error error) {
    answers_[i].error = std::move(error);
    Finish();
  }

  void Finish() {
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    done_(ResponseJson(answers_, request_.return_consumed_capacity));
  }

  Request request_;
  std::vector<Result<BoundStatementPtr>> statements_;
  std::vector<Answer> answers_;
  std::atomic<std::size_t> pending_;
  Completion done_;
};

Result<BoundStatementPtr> BindMember(StatementRequest& request) {
  if (Result<void> ok = CheckParameterValues(request); !ok) return std::unexpected(std::move(ok.error()));
  Result<BoundStatementPtr> statement = BindStatement(request);
  if (statement && (*statement)->kind() == partiql::StatementKind::kExists) {
    return ValidationError("EXISTS can only be used in ExecuteTransaction write requests.");
  }
  return statement;
}

}  // namespace

void BatchExecuteStatement(Context& context, std::string_view body, Completion done) {
  Result<Request> request = Decode(body);
  if (!request) return done(std::unexpected(std::move(request.error())));
  if (Result<void> ok = CheckMembers(*request); !ok) return done(std::unexpected(std::move(ok.error())));
  std::vector<Result<BoundStatementPtr>> statements;
  bool reads = false;
  bool writes = false;
  for (StatementRequest& member : request->statements) {
    const Result<BoundStatementPtr>& statement = statements.emplace_back(BindMember(member));
    if (statement) ((*statement)->is_read() ? reads : writes) = true;
  }
  if (reads && writes) {
    return done(ValidationError(
        "BatchExecuteStatement API does not support both read and write operations in the same request."));
  }
  std::make_shared<Batch>(*std::move(request), std::move(statements), std::move(done))->Start(context);
}

}  // namespace taula::api
