#include "api/operations.h"

#include <algorithm>
#include <array>
#include <utility>

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
    Entry{"TransactGetItems", TransactGetItems},
    Entry{"UpdateTimeToLive", UpdateTimeToLive},
    Entry{"DescribeEndpoints", DescribeEndpoints},
    Entry{"DescribeTimeToLive", DescribeTimeToLive},
    Entry{"ExecuteTransaction", ExecuteTransaction},
    Entry{"ListTagsOfResource", ListTagsOfResource},
    Entry{"TransactWriteItems", TransactWriteItems},
    Entry{"BatchExecuteStatement", BatchExecuteStatement},
    Entry{"RestoreTableFromBackup", RestoreTableFromBackup},
    Entry{"UpdateContinuousBackups", UpdateContinuousBackups},
    Entry{"ExportTableToPointInTime", ExportTableToPointInTime},
    Entry{"DescribeContinuousBackups", DescribeContinuousBackups},
    Entry{"RestoreTableToPointInTime", RestoreTableToPointInTime},
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
Operation FindIn(const std::array<Entry, kCount>& operations, std::string_view name) {
  const auto entry = std::ranges::lower_bound(operations, std::pair(name.size(), name), {}, kOrder);
  return entry != operations.end() && entry->name == name ? entry->operation : nullptr;
}

static_assert(std::ranges::is_sorted(kStreamOperations, {}, kOrder));

Operation FindAnywhere(std::string_view name) {
  const Operation found = FindIn(kOperations, name);
  return found != nullptr ? found : FindIn(kStreamOperations, name);
}

}  // namespace

Operation FindOperation(std::string_view service, std::string_view name) {
  if (service == kDynamoDb) return FindIn(kOperations, name);
  if (service == kDynamoDbStreams) return FindIn(kStreamOperations, name);
  return nullptr;
}

void Service::Handle(std::string_view operation, std::string_view body, Completion done) {
  const Operation run = FindAnywhere(operation);
  if (run == nullptr) {
    done(Fail(ErrorCode::kUnknownOperationException, ""));
    return;
  }
  run(context_, body, std::move(done));
}

}  // namespace taula::api
