#include "api/operations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "api/request_record.h"

namespace taula::api {
namespace {

enum ServiceOf : std::uint8_t { kTables, kStreams };
enum Waiting : std::uint8_t { kAnswersAtOnce, kWaits };

struct Entry {
  std::string_view name;
  Operation operation;
  ServiceOf service = kTables;
  Waiting waiting = kAnswersAtOnce;
};

// By length first: lengths tell most of them apart. No operation of the one
// service has the name of one of the other.
constexpr auto kOrder = [](const Entry& entry) { return std::pair(entry.name.size(), entry.name); };

constexpr std::array kOperations = {
    Entry{"Scan", Scan},
    Entry{"Query", Query},
    Entry{"GetItem", GetItem},
    Entry{"PutItem", PutItem},
    Entry{"DeleteItem", DeleteItem},
    Entry{"GetRecords", GetRecords, kStreams},
    Entry{"ListTables", ListTables},
    Entry{"UpdateItem", UpdateItem},
    Entry{"CreateTable", CreateTable, kTables, kWaits},
    Entry{"DeleteTable", DeleteTable, kTables, kWaits},
    Entry{"ImportTable", ImportTable, kTables, kWaits},
    Entry{"ListBackups", ListBackups},
    Entry{"ListExports", ListExports},
    Entry{"ListImports", ListImports},
    Entry{"ListStreams", ListStreams, kStreams},
    Entry{"TagResource", TagResource, kTables, kWaits},
    Entry{"UpdateTable", UpdateTable, kTables, kWaits},
    Entry{"BatchGetItem", BatchGetItem},
    Entry{"CreateBackup", CreateBackup, kTables, kWaits},
    Entry{"DeleteBackup", DeleteBackup, kTables, kWaits},
    Entry{"DescribeTable", DescribeTable},
    Entry{"UntagResource", UntagResource, kTables, kWaits},
    Entry{"BatchWriteItem", BatchWriteItem},
    Entry{"DescribeBackup", DescribeBackup},
    Entry{"DescribeExport", DescribeExport},
    Entry{"DescribeImport", DescribeImport},
    Entry{"DescribeLimits", DescribeLimits},
    Entry{"DescribeStream", DescribeStream, kStreams},
    Entry{"ExecuteStatement", ExecuteStatement},
    Entry{"GetShardIterator", GetShardIterator, kStreams},
    Entry{"ListGlobalTables", ListGlobalTables},
    Entry{"TransactGetItems", TransactGetItems},
    Entry{"UpdateTimeToLive", UpdateTimeToLive, kTables, kWaits},
    Entry{"CreateGlobalTable", CreateGlobalTable},
    Entry{"DescribeEndpoints", DescribeEndpoints},
    Entry{"GetResourcePolicy", GetResourcePolicy},
    Entry{"PutResourcePolicy", PutResourcePolicy, kTables, kWaits},
    Entry{"UpdateGlobalTable", UpdateGlobalTable},
    Entry{"DescribeTimeToLive", DescribeTimeToLive},
    Entry{"ExecuteTransaction", ExecuteTransaction},
    Entry{"ListTagsOfResource", ListTagsOfResource},
    Entry{"TransactWriteItems", TransactWriteItems},
    Entry{"DescribeGlobalTable", DescribeGlobalTable},
    Entry{"DeleteResourcePolicy", DeleteResourcePolicy, kTables, kWaits},
    Entry{"BatchExecuteStatement", BatchExecuteStatement},
    Entry{"RestoreTableFromBackup", RestoreTableFromBackup, kTables, kWaits},
    Entry{"ListContributorInsights", ListContributorInsights},
    Entry{"UpdateContinuousBackups", UpdateContinuousBackups, kTables, kWaits},
    Entry{"ExportTableToPointInTime", ExportTableToPointInTime, kTables, kWaits},
    Entry{"DescribeContinuousBackups", DescribeContinuousBackups},
    Entry{"RestoreTableToPointInTime", RestoreTableToPointInTime, kTables, kWaits},
    Entry{"UpdateContributorInsights", UpdateContributorInsights, kTables, kWaits},
    Entry{"UpdateGlobalTableSettings", UpdateGlobalTableSettings},
    Entry{"DescribeContributorInsights", DescribeContributorInsights},
    Entry{"DescribeGlobalTableSettings", DescribeGlobalTableSettings},
    Entry{"UpdateTableReplicaAutoScaling", UpdateTableReplicaAutoScaling},
    Entry{"DescribeTableReplicaAutoScaling", DescribeTableReplicaAutoScaling},
    Entry{"EnableKinesisStreamingDestination", EnableKinesisStreamingDestination, kTables, kWaits},
    Entry{"UpdateKinesisStreamingDestination", UpdateKinesisStreamingDestination, kTables, kWaits},
    Entry{"DisableKinesisStreamingDestination", DisableKinesisStreamingDestination, kTables, kWaits},
    Entry{"DescribeKinesisStreamingDestination", DescribeKinesisStreamingDestination},
};

static_assert(std::ranges::is_sorted(kOperations, {}, kOrder));

constexpr std::size_t kNameBytesMax = kOperations.back().name.size();

// Where the names of each length begin; those of one length more begin where
// they end.
constexpr auto kFirstOfLength = [] {
  std::array<std::uint8_t, kNameBytesMax + 2> first{};
  for (std::size_t bytes = 0; bytes < first.size(); ++bytes) {
    first[bytes] = static_cast<std::uint8_t>(
        std::ranges::count_if(kOperations, [&](const Entry& entry) { return entry.name.size() < bytes; }));
  }
  return first;
}();

const Entry* Find(std::string_view name) {
  if (name.size() > kNameBytesMax) return nullptr;
  const Entry* const end = kOperations.data() + kFirstOfLength[name.size() + 1];
  for (const Entry* entry = kOperations.data() + kFirstOfLength[name.size()]; entry != end; ++entry) {
    if (entry->name == name) return entry;
  }
  return nullptr;
}

OperationNumber NumberOf(const Entry& entry) { return static_cast<OperationNumber>(&entry - kOperations.data()); }

const Entry& EntryOf(OperationNumber operation) { return kOperations[static_cast<std::size_t>(operation)]; }

}  // namespace

std::optional<OperationNumber> FindOperation(std::string_view service, std::string_view name) {
  const Entry* const entry = Find(name);
  if (entry == nullptr || service != (entry->service == kTables ? kDynamoDb : kDynamoDbStreams)) return std::nullopt;
  return NumberOf(*entry);
}

bool WaitsForDisk(OperationNumber operation) { return EntryOf(operation).waiting == kWaits; }

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
  if (const Entry* const entry = Find(operation)) {
    Handle(NumberOf(*entry), body, std::move(done));
  } else {
    done(Fail(ErrorCode::kUnknownOperationException, ""));
  }
}

void Service::Handle(OperationNumber operation, std::string_view body, Completion done) {
  const Entry& entry = EntryOf(operation);
  auto record = std::make_unique<RequestRecord>(context_.engine.metrics().traffic(), entry.name, std::move(done));
  if (FaultsPtr faults = faults_.Get()) [[unlikely]]
    record->Meet(std::move(faults), held_back_);
  Context context{.engine = context_.engine, .expressions = context_.expressions, .record = record.get()};
  entry.operation(context, body, [record = std::move(record)](Result<std::string> answer) mutable {
    record->Answer(std::move(answer));
  });
}

}  // namespace taula::api
