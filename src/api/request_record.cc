#include "api/request_record.h"

#include <algorithm>
#include <utility>

#include "engine/table_arn.h"

namespace taula::api {
namespace {

metrics::Ending EndingOf(ErrorCode code) {
  using metrics::Ending;
  switch (code) {
    case ErrorCode::kConditionalCheckFailedException:
    case ErrorCode::kDuplicateItemException:
      return Ending::kConditionFailed;
    case ErrorCode::kTransactionConflictException:
      return Ending::kConflict;
    case ErrorCode::kProvisionedThroughputExceededException:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kThrottlingException:
      return Ending::kThrottled;
    case ErrorCode::kInternalServerError:
    case ErrorCode::kServiceUnavailable:
      return Ending::kSystemError;
    default:
      return Ending::kUserError;
  }
}

}  // namespace

const catalog::Table& RequestRecord::TableAt(std::size_t place) const {
  return place == 0 || place > more_tables_.size() ? *first_table_ : *more_tables_[place - 1];
}

void RequestRecord::CountOn(const metrics::Request& request) {
  traffic_.Count(*first_table_, request);
  for (std::size_t i = 0; i < more_tables_.size(); ++i) {
    const auto is_same = [&](const catalog::TablePtr& other) { return other->space == more_tables_[i]->space; };
    if (is_same(first_table_)) continue;
    if (std::any_of(more_tables_.begin(), more_tables_.begin() + static_cast<std::ptrdiff_t>(i), is_same)) continue;
    traffic_.Count(*more_tables_[i], request);
  }
}

void RequestRecord::CountCancelled(const std::vector<CancellationReason>& reasons) {
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i].code == "ConditionalCheckFailed") traffic_.CountConditionFailed(TableAt(i));
    if (reasons[i].code == "TransactionConflict") traffic_.CountConflict(TableAt(i));
  }
}

void RequestRecord::Count(const Error& error) {
  const metrics::Ending ending = EndingOf(error.code);
  // Once, however many tables it is on: these are the server's, not a table's.
  if (ending == metrics::Ending::kUserError) traffic_.CountUserError();
  if (first_table_ == nullptr) return;
  if (error.code == ErrorCode::kTransactionCanceledException) CountCancelled(error.cancellation_reasons);
  if (error.code == ErrorCode::kTransactionConflictException) traffic_.CountConflict(*first_table_);
  if (ending == metrics::Ending::kUserError) return;
  CountOn({.operation = operation_, .nanoseconds = 0, .ending = ending, .returned = std::nullopt});
}

std::optional<Error> RequestRecord::Refusal(const engine::EngineOptions& options) const {
  if (faults_ == nullptr || !more_tables_.empty()) return std::nullopt;
  const std::string arn = engine::TableArn(options.region, options.account, first_table_->name);
  std::optional<Error> refusal = faults_->Refusal(operation_, first_table_->name, arn);
  if (refusal) CountThrottled(*refusal);
  return refusal;
}

// As a table's own capacity would count it.
void RequestRecord::CountThrottled(const Error& refusal) const {
  for (const ThrottlingReason& each : refusal.throttling_reasons) {
    const bool of_reads = each.reason.starts_with("TableRead");
    traffic_.CountThrottled(*first_table_, nullptr, of_reads ? metrics::Access::kRead : metrics::Access::kWrite);
  }
}

bool RequestRecord::ItemConflicts() const {
  return faults_ != nullptr && first_table_ != nullptr && faults_->Conflicts(operation_, first_table_->name);
}

void RequestRecord::Answer(Result<std::string> answer) {
  if (faults_ != nullptr) [[unlikely]]
    return AnswerAfterFaults(std::move(answer));
  Count(answer, Clock::duration::zero());
  answer_(std::move(answer));
}

void RequestRecord::AnswerAfterFaults(Result<std::string> answer) {
  const std::string_view table = first_table_ != nullptr ? std::string_view(first_table_->name) : "";
  if (answer && faults_->LosesAnswer(operation_, table)) {
    answer = Fail(ErrorCode::kInternalServerError,
                  "The request was carried out, but its answer is lost, as the fault profile asks for.");
  }
  const auto latency = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double, std::milli>(faults_->LatencyMs(operation_, table)));
  Count(answer, latency);
  if (latency == Clock::duration::zero()) return answer_(std::move(answer));
  held_back_->Do(latency,
                 [hand_on = std::move(answer_), answer = std::move(answer)]() mutable { hand_on(std::move(answer)); });
}

void RequestRecord::Count(const Result<std::string>& answer, Clock::duration held_back) {
  if (!answer) {
    Count(answer.error());
  } else if (first_table_ != nullptr) {
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begun_ + held_back);
    CountOn({.operation = operation_,
             .nanoseconds = static_cast<std::uint64_t>(took.count()),
             .ending = metrics::Ending::kOk,
             .returned = returned_});
  }
}

}  // namespace taula::api
