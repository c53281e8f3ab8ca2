// One request on its way: which tables it is on and when it began, so that it
// can be counted when it is answered (metrics/traffic.h), and the faults that it
// is to meet.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/faults.h"
#include "api/operation.h"
#include "base/delayed_work.h"
#include "catalog/table.h"
#include "metrics/traffic.h"
#include "taula/error.h"

namespace taula::api {

class RequestRecord {
 public:
  // `operation` lives for ever, `traffic` longer than this.
  RequestRecord(metrics::Traffic& traffic, std::string_view operation, Completion answer)
      : traffic_(traffic), operation_(operation), answer_(std::move(answer)) {}

  // Lets the request meet faults, and answers that are held back wait there.
  void Meet(FaultsPtr faults, base::DelayedWork& held_back) {
    faults_ = std::move(faults);
    held_back_ = &held_back;
  }

  // Once for each item of a request, in their order, or once for all.
  void IsOn(catalog::TablePtr table) {
    if (first_table_ == nullptr) {
      first_table_ = std::move(table);
    } else {
      more_tables_.push_back(std::move(table));
    }
  }
  // Why the request fails on its first table, if it is to.
  [[nodiscard]] std::optional<Error> Refusal(const engine::EngineOptions& options) const;
  // Whether an item of it is to meet a transaction, or to be handed back.
  [[nodiscard]] bool ItemConflicts() const;
  [[nodiscard]] bool LeavesItem(const catalog::Table& table) const {
    return faults_ != nullptr && faults_->LeavesUnprocessed(operation_, table.name);
  }
  // How many items are in the answer, of those who tell.
  void Returns(std::uint64_t items) { returned_ = items; }

  // Counts the request and hands the answer on.
  void Answer(Result<std::string> answer);

 private:
  using Clock = std::chrono::steady_clock;

  void AnswerAfterFaults(Result<std::string> answer);
  void Count(const Result<std::string>& answer, Clock::duration held_back);
  void Count(const Error& error);
  void CountThrottled(const Error& refusal) const;
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
  FaultsPtr faults_;
  base::DelayedWork* held_back_ = nullptr;
};

}  // namespace taula::api
