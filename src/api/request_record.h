// One request on its way: which tables it is on and when it began, so that it
// can be counted when it is answered (metrics/traffic.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "catalog/table.h"
#include "metrics/traffic.h"
#include "taula/error.h"

namespace taula::api {

class RequestRecord {
 public:
  // `operation` lives for ever, `traffic` longer than this.
  RequestRecord(metrics::Traffic& traffic, std::string_view operation, Completion answer)
      : traffic_(traffic), operation_(operation), answer_(std::move(answer)) {}

  // Once for each item of a request, in their order, or once for all.
  void IsOn(catalog::TablePtr table) {
    if (first_table_ == nullptr) {
      first_table_ = std::move(table);
    } else {
      more_tables_.push_back(std::move(table));
    }
  }
  // How many items are in the answer, of those who tell.
  void Returns(std::uint64_t items) { returned_ = items; }

  // Counts the request and hands the answer on.
  void Answer(Result<std::string> answer);

 private:
  using Clock = std::chrono::steady_clock;

  void Count(const Error& error);
  void CountCancelled(const std::vector<CancellationReason>& reasons);
  void CountOn(const metrics::Request& request);
  [[nodiscard]] const catalog::Table& TableAt(std::size_t place) const;

  metrics::Traffic& traffic_;
  const std::string_view operation_;
  Completion answer_;
  const Clock::time_point begun_ = Clock::now();
  catalog::TablePtr first_table_;
  std::vector<catalog::TablePtr> more_tables_;
  std::optional<std::uint64_t> returned_;
};

}  // namespace taula::api
