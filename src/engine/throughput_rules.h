// What throughput may be asked for, of tables and of global indexes.
#pragma once

#include <optional>
#include <string_view>

#include "taula/error.h"
#include "taula/table.h"
#include "taula/table_requests.h"

namespace taula::engine {

// What a table on demand can serve from its first second on.
inline constexpr Throughput kOnDemandInitial{12000, 4000};

// `index` is the name of a global index, or empty for the table itself.

[[nodiscard]] Result<void> CheckBounds(const Throughput& throughput);

// The account's quota; `region` is in the message.
[[nodiscard]] Result<void> CheckQuota(const Throughput& throughput, std::string_view index, std::string_view region);

// On creation: only values from 1 on, and only on demand.
[[nodiscard]] Result<void> CheckNewOnDemand(const std::optional<OnDemandThroughput>& throughput, BillingMode mode,
                                            std::string_view index);
// On an update, where -1 lifts a limit.
[[nodiscard]] Result<void> CheckChangedOnDemand(const OnDemandThroughput& throughput, BillingMode mode,
                                                std::string_view index);

[[nodiscard]] Result<void> CheckNewWarm(const std::optional<WarmThroughput>& warm, BillingMode mode,
                                        const std::optional<Throughput>& provisioned, std::string_view index);
// Warm throughput only ever grows.
[[nodiscard]] Result<void> CheckChangedWarm(const WarmThroughput& warm, const Throughput& current,
                                            std::string_view index);

// The larger of each.
[[nodiscard]] Throughput Raise(const Throughput& current, const Throughput& to);
[[nodiscard]] Throughput Raise(const Throughput& current, const WarmThroughput& to);

}  // namespace taula::engine
