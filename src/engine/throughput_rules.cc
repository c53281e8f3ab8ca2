#include "engine/throughput_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/index_rules.h"

namespace taula::engine {

namespace {

struct Member {
  std::string_view name;
  std::int64_t value;
};

// The members that are given, those for reading first.
std::vector<Member> Members(const OnDemandThroughput& throughput) {
  std::vector<Member> members;
  if (throughput.max_read_units) members.push_back({"MaxReadRequestUnits", *throughput.max_read_units});
  if (throughput.max_write_units) members.push_back({"MaxWriteRequestUnits", *throughput.max_write_units});
  return members;
}

std::unexpected<Error> OnDemandOutOfRange(const Member& member, std::string_view index) {
  return InvalidParameter(fmt::format("Requested {} for OnDemandThroughput for {} is outside of valid range",
                                      member.name, index.empty() ? "table" : fmt::format("index : {}", index)));
}

std::string WarmOwner(std::string_view index) { return index.empty() ? "table" : fmt::format("index {}", index); }

Result<void> CheckWarmAtLeast(const WarmThroughput& warm, const Throughput& least, std::string_view index,
                              std::string_view read_reason, std::string_view write_reason) {
  const auto too_low = [&](std::string_view member, std::string_view reason) {
    return InvalidParameter(
        fmt::format("Requested {} for WarmThroughput for {} is lower than {}", member, WarmOwner(index), reason));
  };
  if (warm.read_units_per_second && *warm.read_units_per_second < least.read_units) {
    return too_low("ReadUnitsPerSecond", read_reason);
  }
  if (warm.write_units_per_second && *warm.write_units_per_second < least.write_units) {
    return too_low("WriteUnitsPerSecond", write_reason);
  }
  return {};
}

}  // namespace

Result<void> CheckBounds(const Throughput& throughput) {
  constexpr std::int64_t kMax = 1'000'000'000'000;
  for (const Member& member :
       {Member{"ReadCapacityUnits", throughput.read_units}, Member{"WriteCapacityUnits", throughput.write_units}}) {
    if (member.value > kMax) {
      return ValidationError(fmt::format("Given value {} for {} is out of bounds", member.value, member.name));
    }
  }
  return {};
}

Result<void> CheckQuota(const Throughput& throughput, std::string_view index, std::string_view region) {
  constexpr AccountLimits kLimits;
  const auto check = [&](std::string_view name, std::int64_t value, std::int64_t max) -> Result<void> {
    if (value <= max) return {};
    const std::string_view kind = index.empty() ? "table" : "index";
    return Fail(
        ErrorCode::kLimitExceededException,
        fmt::format("The requested {}{}, {}, is above the per {} maximum for the account in {}. Per {} "
                    "maximum: {}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to "
                    "request higher limits.",
                    name, index.empty() ? "" : fmt::format(" for index {}", index), value, kind, region, kind, max));
  };
  auto read = check("ReadCapacityUnits", throughput.read_units, kLimits.table_read_units_max);
  if (!read) return read;
  return check("WriteCapacityUnits", throughput.write_units, kLimits.table_write_units_max);
}

Result<void> CheckNewOnDemand(const std::optional<OnDemandThroughput>& throughput, BillingMode mode,
                              std::string_view index) {
  if (!throughput) return {};
  for (const Member& member : Members(*throughput)) {
    if (mode == BillingMode::kProvisioned) {
      return InvalidParameter(
          fmt::format("{} for OnDemandThroughput{} cannot be specified when table BillingMode is PROVISIONED.",
                      member.name, index.empty() ? "" : fmt::format(" for index: {}", index)));
    }
    if (member.value < 1) return OnDemandOutOfRange(member, index);
  }
  return {};
}

Result<void> CheckChangedOnDemand(const OnDemandThroughput& throughput, BillingMode mode, std::string_view index) {
  for (const Member& member : Members(throughput)) {
    if (mode == BillingMode::kProvisioned) {
      return InvalidParameter(
          fmt::format("{} for OnDemandThroughput{} cannot be specified when the table BillingMode is PROVISIONED",
                      member.name, index.empty() ? "" : fmt::format(" for index : {}", index)));
    }
    if (member.value == 0 || member.value < -1) return OnDemandOutOfRange(member, index);
  }
  return {};
}

Result<void> CheckNewWarm(const std::optional<WarmThroughput>& warm, BillingMode mode,
                          const std::optional<Throughput>& provisioned, std::string_view index) {
  if (!warm) return {};
  if (mode == BillingMode::kPayPerRequest) {
    constexpr std::string_view kReason =
        "initial throughput for OnDemand. See: "
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
        "on-demand-capacity-mode.html#on-demand-capacity-mode-initial";
    return CheckWarmAtLeast(*warm, kOnDemandInitial, index, kReason, kReason);
  }
  return CheckWarmAtLeast(*warm, provisioned.value_or(Throughput{1, 1}), index,
                          "ReadCapacityUnits of ProvisionedThroughput", "WriteCapacityUnits of ProvisionedThroughput");
}

Result<void> CheckChangedWarm(const WarmThroughput& warm, const Throughput& current, std::string_view index) {
  constexpr std::string_view kReason = "current WarmThroughput, decreasing WarmThroughput is not supported";
  return CheckWarmAtLeast(warm, current, index, kReason, kReason);
}

Throughput Raise(const Throughput& current, const Throughput& to) {
  return {std::max(current.read_units, to.read_units), std::max(current.write_units, to.write_units)};
}

Throughput Raise(const Throughput& current, const WarmThroughput& to) {
  return Raise(current, Throughput{to.read_units_per_second.value_or(0), to.write_units_per_second.value_or(0)});
}

}  // namespace taula::engine
