#include "api/faults.h"

#include <algorithm>
#include <utility>

namespace taula::api {
namespace {

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

// SplitMix64, which spreads numbers that follow each other over all 64 bits.
std::uint64_t Mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

bool IsRead(std::string_view operation) {
  constexpr std::string_view kReads[] = {"GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"};
  return std::ranges::find(kReads, operation) != std::end(kReads);
}

bool IsWriteOfOne(std::string_view operation) {
  return operation == "PutItem" || operation == "UpdateItem" || operation == "DeleteItem";
}

// In Amazon's words, for there are clients that look at them.
Error Throttled(std::string_view operation, const std::string& table_arn) {
  return {ErrorCode::kProvisionedThroughputExceededException,
          "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
          "provisioning level with the UpdateTable API.",
          std::nullopt,
          {},
          {{IsRead(operation) ? "TableReadProvisionedThroughputExceeded" : "TableWriteProvisionedThroughputExceeded",
            table_arn}}};
}

}  // namespace

bool FaultRule::IsFor(std::string_view operation) const { return Contains(operations, operation); }
bool FaultRule::IsForTable(std::string_view table) const { return Contains(tables, table); }

Faults::Faults(FaultProfile profile) : profile_(std::move(profile)) {
  for (std::size_t i = 0; i < profile_.rules.size(); ++i) draws_.push_back(std::make_unique<Draws>());
}

double Faults::Draw(std::size_t rule, std::atomic<std::uint64_t> Draws::*kind) {
  Draws& draws = *draws_[rule];
  std::atomic<std::uint64_t>& counter = draws.*kind;
  const auto which = static_cast<std::uint64_t>(&counter - &draws.throttle);
  const std::uint64_t turn = counter.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t drawn = Mixed(Mixed(Mixed(profile_.seed) ^ (rule * 16 + which)) ^ turn);
  return static_cast<double>(drawn >> 11) * 0x1.0p-53;
}

bool Faults::Happens(std::string_view operation, std::string_view table, double FaultRule::*share,
                     std::atomic<std::uint64_t> Draws::*kind) {
  bool happens = false;
  for (std::size_t i = 0; i < profile_.rules.size(); ++i) {
    const FaultRule& rule = profile_.rules[i];
    if (rule.*share <= 0 || !rule.IsFor(operation) || !rule.IsForTable(table)) continue;
    happens = Draw(i, kind) < rule.*share || happens;
  }
  return happens;
}

std::optional<Error> Faults::Refusal(std::string_view operation, std::string_view table, const std::string& table_arn) {
  const auto happens = [&](double FaultRule::*share, std::atomic<std::uint64_t> Draws::*kind) {
    return Happens(operation, table, share, kind);
  };
  if (happens(&FaultRule::unavailable, &Draws::unavailable)) {
    return Error{ErrorCode::kServiceUnavailable, "The service is unavailable, as the fault profile asks for.", {}, {}};
  }
  if (happens(&FaultRule::internal_error, &Draws::internal_error)) {
    return Error{ErrorCode::kInternalServerError, "Internal server error, as the fault profile asks for.", {}, {}};
  }
  if (happens(&FaultRule::throttle, &Draws::throttle)) return Throttled(operation, table_arn);
  if (IsWriteOfOne(operation) && Conflicts(operation, table)) {
    return Error{ErrorCode::kTransactionConflictException, "Transaction is ongoing for the item", {}, {}};
  }
  return std::nullopt;
}

bool Faults::Conflicts(std::string_view operation, std::string_view table) {
  return Happens(operation, table, &FaultRule::conflict, &Draws::conflict);
}

bool Faults::LeavesUnprocessed(std::string_view operation, std::string_view table) {
  return Happens(operation, table, &FaultRule::unprocessed, &Draws::unprocessed);
}

bool Faults::LosesAnswer(std::string_view operation, std::string_view table) {
  return Happens(operation, table, &FaultRule::lost_answer, &Draws::lost_answer);
}

double Faults::LatencyMs(std::string_view operation, std::string_view table) {
  double sum = 0;
  for (std::size_t i = 0; i < profile_.rules.size(); ++i) {
    const FaultRule& rule = profile_.rules[i];
    if (rule.latency_ms + rule.latency_spread_ms <= 0 || !rule.IsFor(operation) || !rule.IsForTable(table)) continue;
    sum += rule.latency_ms + rule.latency_spread_ms * (2 * Draw(i, &Draws::latency) - 1);
  }
  return std::max(0.0, sum);
}

}  // namespace taula::api
