// What shall go wrong on purpose, so that a team finds out before production
// whether its retries work (docs/faults.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace taula::api {

// Shares are from 0 to 1.
struct FaultRule {
  std::vector<std::string> operations;  // none: all of them
  std::vector<std::string> tables;      // none: all of them

  double throttle = 0;           // of requests, refused for want of capacity
  double internal_error = 0;     // of requests, refused with InternalServerError
  double unavailable = 0;        // of requests, refused with ServiceUnavailable
  double conflict = 0;           // of writes, refused because a transaction is ongoing
  double lost_answer = 0;        // of requests, carried out and answered with InternalServerError
  double unprocessed = 0;        // of the items of a batch, handed back
  double latency_ms = 0;         // that answers are held back for …
  double latency_spread_ms = 0;  // … give or take

  [[nodiscard]] bool IsFor(std::string_view operation) const;
  [[nodiscard]] bool IsForTable(std::string_view table) const;
};

struct FaultProfile {
  // Requests that come in the same order meet the same faults.
  std::uint64_t seed = 1;
  std::vector<FaultRule> rules;  // each counts for what it is for

  // Global indexes show the table as it was that long ago.
  std::int64_t index_lag_ms = 0;
  // So many of the eventually consistent reads of tables do.
  double stale_reads = 0;
  std::int64_t stale_lag_ms = 500;

  [[nodiscard]] bool empty() const { return rules.empty() && index_lag_ms == 0 && stale_reads == 0; }
};

}  // namespace taula::api
