// Taula in your own process: DynamoDB's operations on a folder of this machine
// or in memory, with no server, no HTTP and no JSON.
//
//   taula::DatabaseOptions options;
//   options.path = "/var/lib/my-app/taula";
//   auto database = taula::Database::Open(options);
//   if (!database) die(database.error().message);
//
//   taula::PutItemRequest put;
//   put.table_name = "people";
//   put.item = {{"id", "ada"}, {"born", 1815}};
//   auto answer = (*database)->PutItem(put);
//
// Every call returns a Result: the answer, or the exception that DynamoDB
// would have sent, in its words. A failed condition is such an answer too;
// nothing throws. All calls may be made from any thread at any time.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taula/durability.h"
#include "taula/error.h"
#include "taula/requests.h"
#include "taula/table_requests.h"
#include "taula/value.h"

namespace taula {

struct DatabaseOptions {
  // The folder, made when it does not exist. One process at a time can have it
  // open. Not used with in_memory.
  std::string path;
  // Keeps everything in memory, and nothing beyond the life of the Database.
  bool in_memory = false;
  Durability durability = Durability::kSync;
  // How much memory the store may use for caching and for writes that are
  // still to be brought in order.
  std::size_t cache_bytes = std::size_t{256} << 20;
  // What ARNs say.
  std::string region = "us-east-1";
  std::string account = "123456789012";
  // How often items whose time to live has ended are looked for; zero: never.
  std::chrono::milliseconds expiry_interval{1000};
  // Whether requests are held to the capacity of their tables.
  bool throttle = false;
};

class Database {
 public:
  // Opens the database, or makes a new one. The error says in one line what is
  // in the way: the folder is open in another process, cannot be written, was
  // written by a newer version.
  [[nodiscard]] static Result<std::unique_ptr<Database>> Open(const DatabaseOptions& options);

  // Closes it; every write that was answered is kept. No call may be under way.
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Tables. A new table can be used at once; a new index once its status is
  // kActive.
  [[nodiscard]] Result<TableDescription> CreateTable(const CreateTableRequest& request);
  [[nodiscard]] Result<TableDescription> UpdateTable(const UpdateTableRequest& request);
  [[nodiscard]] Result<TableDescription> DeleteTable(std::string_view table_name);
  [[nodiscard]] Result<TableDescription> DescribeTable(std::string_view table_name) const;
  [[nodiscard]] Result<ListTablesResponse> ListTables(const ListTablesRequest& request = {}) const;
  [[nodiscard]] Result<TimeToLiveSpecification> UpdateTimeToLive(std::string_view table_name,
                                                                 const TimeToLiveSpecification& specification);
  [[nodiscard]] Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) const;

  // Items.
  [[nodiscard]] Result<GetItemResponse> GetItem(const GetItemRequest& request) const;
  [[nodiscard]] Result<WriteItemResponse> PutItem(const PutItemRequest& request);
  [[nodiscard]] Result<WriteItemResponse> UpdateItem(const UpdateItemRequest& request);
  [[nodiscard]] Result<WriteItemResponse> DeleteItem(const DeleteItemRequest& request);
  [[nodiscard]] Result<PageResponse> Query(const QueryRequest& request) const;
  [[nodiscard]] Result<PageResponse> Scan(const ScanRequest& request) const;
  [[nodiscard]] Result<BatchGetItemResponse> BatchGetItem(const BatchGetItemRequest& request) const;
  [[nodiscard]] Result<BatchWriteItemResponse> BatchWriteItem(const BatchWriteItemRequest& request);
  [[nodiscard]] Result<TransactWriteItemsResponse> TransactWriteItems(const TransactWriteItemsRequest& request);
  [[nodiscard]] Result<TransactGetItemsResponse> TransactGetItems(const TransactGetItemsRequest& request) const;

  // The same writes without waiting for the disk: `done` is called once, from
  // a thread of the database, and must not block.
  template <typename Response>
  using Done = std::move_only_function<void(Result<Response>)>;
  void PutItem(PutItemRequest request, Done<WriteItemResponse> done);
  void UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done);
  void DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done);
  void TransactWriteItems(TransactWriteItemsRequest request, Done<TransactWriteItemsResponse> done);

 private:
  class State;
  explicit Database(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace taula
