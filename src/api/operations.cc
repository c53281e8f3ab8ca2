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
    Entry{"TagResource", TagResource},
    Entry{"UpdateTable", UpdateTable},
    Entry{"BatchGetItem", BatchGetItem},
    Entry{"DescribeTable", DescribeTable},
    Entry{"UntagResource", UntagResource},
    Entry{"BatchWriteItem", BatchWriteItem},
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
};

static_assert(std::ranges::is_sorted(kOperations, {}, kOrder));

}  // namespace

Operation FindOperation(std::string_view name) {
  const auto entry = std::ranges::lower_bound(kOperations, std::pair(name.size(), name), {}, kOrder);
  return entry != kOperations.end() && entry->name == name ? entry->operation : nullptr;
}

void Service::Handle(std::string_view operation, std::string_view body, Completion done) {
  const Operation run = FindOperation(operation);
  if (run == nullptr) {
    done(Fail(ErrorCode::kUnknownOperationException, ""));
    return;
  }
  run(context_, body, std::move(done));
}

}  // namespace taula::api
