// All operations of the wire API, by name. Each is in the file of its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/fault_profile.h"
#include "api/faults.h"
#include "api/operation.h"
#include "base/delayed_work.h"

namespace taula::api {

// On tables.
void CreateTable(Context& context, std::string_view body, Completion done);
void DeleteTable(Context& context, std::string_view body, Completion done);
void DescribeEndpoints(Context& context, std::string_view body, Completion done);
void DescribeLimits(Context& context, std::string_view body, Completion done);
void DescribeTable(Context& context, std::string_view body, Completion done);
void DescribeTimeToLive(Context& context, std::string_view body, Completion done);
void ListTables(Context& context, std::string_view body, Completion done);
void ListTagsOfResource(Context& context, std::string_view body, Completion done);
void TagResource(Context& context, std::string_view body, Completion done);
void UntagResource(Context& context, std::string_view body, Completion done);
void UpdateTable(Context& context, std::string_view body, Completion done);
void UpdateTimeToLive(Context& context, std::string_view body, Completion done);

// On items.
void BatchExecuteStatement(Context& context, std::string_view body, Completion done);
void BatchGetItem(Context& context, std::string_view body, Completion done);
void BatchWriteItem(Context& context, std::string_view body, Completion done);
void DeleteItem(Context& context, std::string_view body, Completion done);
void ExecuteStatement(Context& context, std::string_view body, Completion done);
void ExecuteTransaction(Context& context, std::string_view body, Completion done);
void GetItem(Context& context, std::string_view body, Completion done);
void PutItem(Context& context, std::string_view body, Completion done);
void Query(Context& context, std::string_view body, Completion done);
void Scan(Context& context, std::string_view body, Completion done);
void TransactGetItems(Context& context, std::string_view body, Completion done);
void TransactWriteItems(Context& context, std::string_view body, Completion done);
void UpdateItem(Context& context, std::string_view body, Completion done);

// On backups.
void CreateBackup(Context& context, std::string_view body, Completion done);
void DeleteBackup(Context& context, std::string_view body, Completion done);
void DescribeBackup(Context& context, std::string_view body, Completion done);
void DescribeContinuousBackups(Context& context, std::string_view body, Completion done);
void ListBackups(Context& context, std::string_view body, Completion done);
void RestoreTableFromBackup(Context& context, std::string_view body, Completion done);
void RestoreTableToPointInTime(Context& context, std::string_view body, Completion done);
void UpdateContinuousBackups(Context& context, std::string_view body, Completion done);

// On what is kept with tables: policies, insights, Kinesis destinations.
void DeleteResourcePolicy(Context& context, std::string_view body, Completion done);
void DescribeContributorInsights(Context& context, std::string_view body, Completion done);
void DescribeKinesisStreamingDestination(Context& context, std::string_view body, Completion done);
void DisableKinesisStreamingDestination(Context& context, std::string_view body, Completion done);
void EnableKinesisStreamingDestination(Context& context, std::string_view body, Completion done);
void GetResourcePolicy(Context& context, std::string_view body, Completion done);
void ListContributorInsights(Context& context, std::string_view body, Completion done);
void PutResourcePolicy(Context& context, std::string_view body, Completion done);
void UpdateContributorInsights(Context& context, std::string_view body, Completion done);
void UpdateKinesisStreamingDestination(Context& context, std::string_view body, Completion done);

// On global tables and replicas.
void CreateGlobalTable(Context& context, std::string_view body, Completion done);
void DescribeGlobalTable(Context& context, std::string_view body, Completion done);
void DescribeGlobalTableSettings(Context& context, std::string_view body, Completion done);
void DescribeTableReplicaAutoScaling(Context& context, std::string_view body, Completion done);
void ListGlobalTables(Context& context, std::string_view body, Completion done);
void UpdateGlobalTable(Context& context, std::string_view body, Completion done);
void UpdateGlobalTableSettings(Context& context, std::string_view body, Completion done);
void UpdateTableReplicaAutoScaling(Context& context, std::string_view body, Completion done);

// On exports and imports.
void DescribeExport(Context& context, std::string_view body, Completion done);
void DescribeImport(Context& context, std::string_view body, Completion done);
void ExportTableToPointInTime(Context& context, std::string_view body, Completion done);
void ImportTable(Context& context, std::string_view body, Completion done);
void ListExports(Context& context, std::string_view body, Completion done);
void ListImports(Context& context, std::string_view body, Completion done);

// On streams.
void DescribeStream(Context& context, std::string_view body, Completion done);
void GetRecords(Context& context, std::string_view body, Completion done);
void GetShardIterator(Context& context, std::string_view body, Completion done);
void ListStreams(Context& context, std::string_view body, Completion done);

// The services that the operations belong to, with their versions.
inline constexpr std::string_view kDynamoDb = "DynamoDB_20120810";
inline constexpr std::string_view kDynamoDbStreams = "DynamoDBStreams_20120810";

// An operation that was found by its name: its place among all.
enum class OperationNumber : std::uint16_t {};

[[nodiscard]] std::optional<OperationNumber> FindOperation(std::string_view service, std::string_view name);

// Whether it returns only when what it changes is on the disk.
[[nodiscard]] bool WaitsForDisk(OperationNumber operation);

// Runs operations of all services.
class Service {
 public:
  explicit Service(engine::Engine& engine) : context_{engine, expressions_} {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Lets requests meet faults from now on, in place of those before; an empty
  // profile none.
  void SetFaults(FaultProfile profile);
  [[nodiscard]] FaultProfile faults() const;

  // See Operation for what `body` and `done` must be.
  void Handle(OperationNumber operation, std::string_view body, Completion done);
  // By its name, whichever service it is of; a name that is none is answered with
  // kUnknownOperationException.
  void Handle(std::string_view operation, std::string_view body, Completion done);

  // Gives at once the answers that faults hold back, and later ones without delay.
  // To be called before the engine goes.
  void Finish() { held_back_.Finish(); }

  [[nodiscard]] Context& context() { return context_; }

 private:
  expression::ExpressionCache expressions_;
  Context context_;
  CurrentFaults faults_;
  base::DelayedWork held_back_;
};

}  // namespace taula::api
