#include "taula/database.h"

#include <future>
#include <utility>

#include "api/batch_get_item.h"
#include "api/batch_write_item.h"
#include "api/delete_item.h"
#include "api/get_item.h"
#include "api/operations.h"
#include "api/put_item.h"
#include "api/query.h"
#include "api/scan.h"
#include "api/table_name.h"
#include "api/transact_get_items.h"
#include "api/transact_write_items.h"
#include "api/update_item.h"
#include "database/open.h"

namespace taula {

class Database::State {
 public:
  explicit State(std::unique_ptr<engine::Engine> engine) : engine_(std::move(engine)), service_(*engine_) {}

  [[nodiscard]] api::Context& context() { return service_.context(); }
  [[nodiscard]] engine::Tables& tables() { return engine_->tables(); }

  // Calls with the name of the table that a name or an ARN means.
  template <typename Call>
  auto WithTable(std::string_view name_or_arn, Call call) -> decltype(call(tables(), std::string())) {
    const Result<std::string> name = api::ResolveTableName(context(), name_or_arn);
    if (!name) return std::unexpected(name.error());
    return call(tables(), *name);
  }

 private:
  std::unique_ptr<engine::Engine> engine_;
  api::Service service_;
};

namespace {

// Runs a write that answers later and waits for its answer.
template <typename Response, typename Start>
Result<Response> Await(Start start) {
  std::promise<Result<Response>> promise;
  std::future<Result<Response>> answer = promise.get_future();
  start([&promise](Result<Response> result) { promise.set_value(std::move(result)); });
  return answer.get();
}

}  // namespace

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(const DatabaseOptions& options) {
  Result<std::unique_ptr<engine::Engine>> engine = database::OpenEngine(options);
  if (engine) {
    if (Result<void> given_up = (*engine)->GiveUpUnkeptClaims(); !given_up) engine = std::unexpected(given_up.error());
  }
  if (!engine) return std::unexpected(std::move(engine.error()));
  return std::unique_ptr<Database>(new Database(std::make_unique<State>(std::move(*engine))));
}

Result<TableDescription> Database::CreateTable(const CreateTableRequest& request) {
  return state_->tables().Create(request);
}

Result<TableDescription> Database::UpdateTable(const UpdateTableRequest& request) {
  return state_->tables().Update(request);
}

Result<TableDescription> Database::DeleteTable(std::string_view table_name) {
  return state_->WithTable(table_name,
                           [](engine::Tables& tables, const std::string& name) { return tables.Delete(name); });
}

Result<TableDescription> Database::DescribeTable(std::string_view table_name) const {
  return state_->WithTable(table_name,
                           [](engine::Tables& tables, const std::string& name) { return tables.Describe(name); });
}

Result<ListTablesResponse> Database::ListTables(const ListTablesRequest& request) const {
  return state_->tables().List(request);
}

Result<TimeToLiveSpecification> Database::UpdateTimeToLive(std::string_view table_name,
                                                           const TimeToLiveSpecification& specification) {
  return state_->WithTable(table_name, [&](engine::Tables& tables, const std::string& name) {
    return tables.UpdateTimeToLive(name, specification);
  });
}

Result<TimeToLiveDescription> Database::DescribeTimeToLive(std::string_view table_name) const {
  return state_->WithTable(
      table_name, [](engine::Tables& tables, const std::string& name) { return tables.DescribeTimeToLive(name); });
}

Result<GetItemResponse> Database::GetItem(const GetItemRequest& request) const {
  return api::GetItem(state_->context(), request);
}

Result<PageResponse> Database::Query(const QueryRequest& request) const {
  return api::Query(state_->context(), request);
}

Result<PageResponse> Database::Scan(const ScanRequest& request) const { return api::Scan(state_->context(), request); }

Result<BatchGetItemResponse> Database::BatchGetItem(const BatchGetItemRequest& request) const {
  return api::BatchGetItem(state_->context(), request);
}

Result<TransactGetItemsResponse> Database::TransactGetItems(const TransactGetItemsRequest& request) const {
  return api::TransactGetItems(state_->context(), request);
}

void Database::PutItem(PutItemRequest request, Done<WriteItemResponse> done) {
  api::PutItem(state_->context(), std::move(request), std::move(done));
}

void Database::UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) {
  api::UpdateItem(state_->context(), std::move(request), std::move(done));
}

void Database::DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) {
  api::DeleteItem(state_->context(), std::move(request), std::move(done));
}

void Database::TransactWriteItems(TransactWriteItemsRequest request, Done<TransactWriteItemsResponse> done) {
  api::TransactWriteItems(state_->context(), std::move(request), std::move(done));
}

Result<WriteItemResponse> Database::PutItem(const PutItemRequest& request) {
  return Await<WriteItemResponse>([&](auto done) { PutItem(request, std::move(done)); });
}

Result<WriteItemResponse> Database::UpdateItem(const UpdateItemRequest& request) {
  return Await<WriteItemResponse>([&](auto done) { UpdateItem(request, std::move(done)); });
}

Result<WriteItemResponse> Database::DeleteItem(const DeleteItemRequest& request) {
  return Await<WriteItemResponse>([&](auto done) { DeleteItem(request, std::move(done)); });
}

Result<BatchWriteItemResponse> Database::BatchWriteItem(const BatchWriteItemRequest& request) {
  return Await<BatchWriteItemResponse>(
      [&](auto done) { api::BatchWriteItem(state_->context(), request, std::move(done)); });
}

Result<TransactWriteItemsResponse> Database::TransactWriteItems(const TransactWriteItemsRequest& request) {
  return Await<TransactWriteItemsResponse>([&](auto done) { TransactWriteItems(request, std::move(done)); });
}

}  // namespace taula
