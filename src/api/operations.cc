#include "api/operations.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "api/request_record.h"

namespace taula::api {
namespace {

struct Entry {
  std::string_view name;
  Operation operation;
};

// By length first: lengths tell most of them apart at the price of a number.
constexpr auto kOrder = [](const Entry& entry) { return std::pair(entry.name.size(), entry.name); };

constexpr std::array kOperations = {
    Entry{"Scan", Scan},
    Entry{"Query", Query},
    Entry{"GetItem", GetItem},
    Entry{"PutItem", PutItem},
    Entry{"DeleteItem", DeleteItem},
    Entry{"ListTables", ListTables},
    Entry{"UpdateItem", UpdateItem},
    Entry{"CreateTable", CreateTable},
    Entry{"DeleteTable", DeleteTable},
    Entry{"ImportTable", ImportTable},
    Entry{"ListBackups", ListBackups},
    Entry{"ListExports", ListExports},
    Entry{"ListImports", ListImports},
    Entry{"TagResource", TagResource},
    Entry{"UpdateTable", UpdateTable},
    Entry{"BatchGetItem", BatchGetItem},
    Entry{"CreateBackup", CreateBackup},
    Entry{"DeleteBackup", DeleteBackup},
    Entry{"DescribeTable", DescribeTable},
    Entry{"UntagResource", UntagResource},
    Entry{"BatchWriteItem", BatchWriteItem},
    Entry{"DescribeBackup", DescribeBackup},
    Entry{"DescribeExport", DescribeExport},
    Entry{"DescribeImport", DescribeImport},
    Entry{"DescribeLimits", DescribeLimits},
    Entry{"ExecuteStatement", ExecuteStatement},
    Entry{"ListGlobalTables", ListGlobalTables},
    Entry{"TransactGetItems", TransactGetItems},
    Entry{"UpdateTimeToLive", UpdateTimeToLive},
    Entry{"CreateGlobalTable", CreateGlobalTable},
    Entry{"DescribeEndpoints", DescribeEndpoints},
    Entry{"GetResourcePolicy", GetResourcePolicy},
    Entry{"PutResourcePolicy", PutResourcePolicy},
    Entry{"UpdateGlobalTable", UpdateGlobalTable},
    Entry{"DescribeTimeToLive", DescribeTimeToLive},
    Entry{"ExecuteTransaction", ExecuteTransaction},
    Entry{"ListTagsOfResource", ListTagsOfResource},
    Entry{"TransactWriteItems", TransactWriteItems},
    Entry{"DescribeGlobalTable", DescribeGlobalTable},
    Entry{"DeleteResourcePolicy", DeleteResourcePolicy},
    Entry{"BatchExecuteStatement", BatchExecuteStatement},
    Entry{"RestoreTableFromBackup", RestoreTableFromBackup},
    Entry{"ListContributorInsights", ListContributorInsights},
    Entry{"UpdateContinuousBackups", UpdateContinuousBackups},
    Entry{"ExportTableToPointInTime", ExportTableToPointInTime},
    Entry{"DescribeContinuousBackups", DescribeContinuousBackups},
    Entry{"RestoreTableToPointInTime", RestoreTableToPointInTime},
    Entry{"UpdateContributorInsights", UpdateContributorInsights},
    Entry{"UpdateGlobalTableSettings", UpdateGlobalTableSettings},
    Entry{"DescribeContributorInsights", DescribeContributorInsights},
    Entry{"DescribeGlobalTableSettings", DescribeGlobalTableSettings},
    Entry{"UpdateTableReplicaAutoScaling", UpdateTableReplicaAutoScaling},
    Entry{"DescribeTableReplicaAutoScaling", DescribeTableReplicaAutoScaling},
    Entry{"EnableKinesisStreamingDestination", EnableKinesisStreamingDestination},
    Entry{"UpdateKinesisStreamingDestination", UpdateKinesisStreamingDestination},
    Entry{"DisableKinesisStreamingDestination", DisableKinesisStreamingDestination},
    Entry{"DescribeKinesisStreamingDestination", DescribeKinesisStreamingDestination},
};

static_assert(std::ranges::is_sorted(kOperations, {}, kOrder));

// No operation of the one service has the name of one of the other.
constexpr std::array kStreamOperations = {
    Entry{"GetRecords", GetRecords},
    Entry{"ListStreams", ListStreams},
    Entry{"DescribeStream", DescribeStream},
    Entry{"GetShardIterator", GetShardIterator},
};

template <std::size_t kCount>
const Entry* FindIn(const std::array<Entry, kCount>& operations, std::string_view name) {
  const auto entry = std::ranges::lower_bound(operations, std::pair(name.size(), name), {}, kOrder);
  return entry != operations.end() && entry->name == name ? &*entry : nullptr;
}

static_assert(std::ranges::is_sorted(kStreamOperations, {}, kOrder));

const Entry* FindAnywhere(std::string_view name) {
  const Entry* const found = FindIn(kOperations, name);
  return found != nullptr ? found : FindIn(kStreamOperations, name);
}

}  // namespace

bool HasOperation(std::string_view service, std::string_view name) {
  if (service == kDynamoDb) return FindIn(kOperations, name) != nullptr;
  return service == kDynamoDbStreams && FindIn(kStreamOperations, name) != nullptr;
}

void Service::SetFaults(FaultProfile profile) {
  std::optional<engine::Lag> lag;
  if (profile.index_lag_ms > 0 || profile.stale_reads > 0) {
    lag = {.indexes = std::chrono::milliseconds(profile.index_lag_ms),
           .tables = std::chrono::milliseconds(profile.stale_reads > 0 ? profile.stale_lag_ms : 0),
           .table_share = profile.stale_reads,
           .seed = profile.seed};
  }
  context_.engine.SetLag(lag);
  faults_.Set(profile.empty() ? nullptr : std::make_shared<Faults>(std::move(profile)));
}

FaultProfile Service::faults() const {
  const FaultsPtr faults = faults_.Get();
  return faults == nullptr ? FaultProfile() : faults->profile();
}

void Service::Handle(std::string_view operation, std::string_view body, Completion done) {
  const Entry* const entry = FindAnywhere(operation);
  if (entry == nullptr) {
    done(Fail(ErrorCode::kUnknownOperationException, ""));
    return;
  }
  auto record = std::make_unique<RequestRecord>(context_.engine.metrics().traffic(), entry->name, std::move(done));
  if (FaultsPtr faults = faults_.Get()) [[unlikely]]
    record->Meet(std::move(faults), held_back_);
  Context context{.engine = context_.engine, .expressions = context_.expressions, .record = record.get()};
  entry->operation(context, body, [record = std::move(record)](Result<std::string> answer) mutable {
    record->Answer(std::move(answer));
  });
}

}  // namespace taula::api
