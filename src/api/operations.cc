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

constexpr std::array kOperations = {
    Entry{"BatchGetItem", BatchGetItem},
    Entry{"BatchWriteItem", BatchWriteItem},
    Entry{"CreateTable", CreateTable},
    Entry{"DeleteItem", DeleteItem},
    Entry{"DeleteTable", DeleteTable},
    Entry{"DescribeEndpoints", DescribeEndpoints},
    Entry{"DescribeLimits", DescribeLimits},
    Entry{"DescribeTable", DescribeTable},
    Entry{"DescribeTimeToLive", DescribeTimeToLive},
    Entry{"GetItem", GetItem},
    Entry{"ListTables", ListTables},
    Entry{"ListTagsOfResource", ListTagsOfResource},
    Entry{"PutItem", PutItem},
    Entry{"Query", Query},
    Entry{"Scan", Scan},
    Entry{"TagResource", TagResource},
    Entry{"TransactGetItems", TransactGetItems},
    Entry{"TransactWriteItems", TransactWriteItems},
    Entry{"UntagResource", UntagResource},
    Entry{"UpdateItem", UpdateItem},
    Entry{"UpdateTable", UpdateTable},
    Entry{"UpdateTimeToLive", UpdateTimeToLive},
};

static_assert(std::ranges::is_sorted(kOperations, {}, &Entry::name));

}  // namespace

Operation FindOperation(std::string_view name) {
  const auto entry = std::ranges::lower_bound(kOperations, name, {}, &Entry::name);
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
