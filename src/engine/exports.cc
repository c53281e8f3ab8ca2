#include "engine/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random_id.h"
#include "base/timestamp.h"
#include "engine/export_run.h"
#include "engine/job_arn.h"
#include "engine/retry.h"
#include "engine/timed_id.h"
#include "engine/transfer_jobs.h"

namespace taula::engine {
namespace {

constexpr std::size_t kInProgressMax = 300;
constexpr std::int64_t kPeriodMsMin = 15LL * 60 * 1000;
constexpr std::int64_t kPeriodMsMax = 24LL * 60 * 60 * 1000;

std::unexpected<Error> InvalidTime(std::string message) {
  return Fail(ErrorCode::kInvalidExportTimeException, std::move(message));
}

std::int64_t CutToSeconds(std::int64_t ms) { return ms / 1000 * 1000; }

// What requests with one token must have alike.
std::string FingerprintOf(const ExportRequest& request) {
  const auto text = [](const std::optional<std::string>& value) { return value ? "=" + *value : std::string(); };
  const auto number = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : ""; };
  std::string period;
  if (request.period) {
    period =
        fmt::format("{} {} {}", request.period->from_ms, number(request.period->to_ms), request.period->old_images);
  }
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", request.table_name, number(request.time_ms), period,
                     request.bucket, text(request.bucket_owner), text(request.prefix), request.encryption,
                     text(request.kms_key));
}

}  // namespace

Exports::Exports(storage::Store& store, catalog::Catalog& catalog, Tables& tables, const Backups& backups,
                 const base::Clock& clock, std::string buckets)
    : store_(store),
      catalog_(catalog),
      tables_(tables),
      backups_(backups),
      clock_(clock),
      buckets_(std::move(buckets)) {}

std::string Exports::Arn(const catalog::Export& job) const {
  return JobArn(tables_, kExportJobs, job.table_name, job.id);
}

Result<catalog::ExportPtr> Exports::Start(const ExportRequest& request) {
  if (auto usable = CheckBuckets(buckets_, request.prefix, "S3Prefix"); !usable) {
    return std::unexpected(usable.error());
  }
  const std::lock_guard lock(starting_);
  if (request.client_token) {
    if (auto known = FindByToken(catalog_.exports(), *request.client_token, clock_.NowMs())) {
      if (known->fingerprint != FingerprintOf(request)) return TokenConflict(kExportJobs);
      return known;
    }
  }
  auto job = Plan(request);
  if (!job) return std::unexpected(job.error());
  if (CountInProgress(catalog_.exports()) >= kInProgressMax) {
    return Fail(ErrorCode::kLimitExceededException,
                fmt::format("Subscriber limit exceeded: There is a limit of {} simultaneous exports", kInProgressMax));
  }
  const std::string id = job->id;
  if (auto kept = catalog_.exports().Put(*std::move(job)); !kept) return std::unexpected(kept.error());
  catalog::ExportPtr begun = catalog_.exports().Find(id);
  Queue(id);
  return begun;
}

Result<catalog::Export> Exports::Plan(const ExportRequest& request) const {
  catalog::Export job;
  job.table_name = request.table_name;
  job.table_id = request.table_id;
  job.client_token = request.client_token.value_or(base::UuidV4());
  job.fingerprint = FingerprintOf(request);
  job.start_ms = clock_.NowMs();
  job.bucket = request.bucket;
  job.bucket_owner = request.bucket_owner;
  job.prefix = request.prefix;
  job.encryption = request.encryption;
  job.kms_key = request.kms_key;
  if (auto checked = request.period ? CheckPeriod(request, job) : CheckTime(request, job); !checked) {
    return std::unexpected(checked.error());
  }
  job.id = NewTimedId(job.start_ms);
  return job;
}

Result<RecoveryWindow> Exports::WindowOf(std::string_view table_name) const {
  const auto window = backups_.Window(table_name);
  if (!window) return std::unexpected(window.error());
  if (*window) return **window;
  return Fail(ErrorCode::kPointInTimeRecoveryUnavailableException,
              fmt::format("Point in time recovery is not enabled for table '{}'", table_name));
}

Result<void> Exports::CheckTime(const ExportRequest& request, catalog::Export& job) const {
  const auto window = WindowOf(request.table_name);
  if (!window) return std::unexpected(window.error());
  job.time_ms = request.time_ms.value_or(job.start_ms);
  if (job.time_ms < window->earliest_ms || job.time_ms > window->latest_ms) {
    return InvalidTime("Export Time is invalid");
  }
  return {};
}

Result<void> Exports::CheckPeriod(const ExportRequest& request, catalog::Export& job) const {
  // Amazon counts these in seconds.
  job.start_ms = CutToSeconds(job.start_ms);
  const std::int64_t from = request.period->from_ms;
  const std::int64_t to = request.period->to_ms.value_or(job.start_ms);
  if (to > clock_.NowMs()) {
    return InvalidTime(fmt::format("Incremental export period to time cannot be greater than the current time : {}",
                                   base::IsoTimestampSeconds(to)));
  }
  const catalog::TablePtr table = catalog_.Find(request.table_name);
  if (table != nullptr && from < CutToSeconds(table->created_ms)) {
    return InvalidTime(
        fmt::format("Incremental export period from time cannot be less than the table creation time : {}",
                    base::IsoTimestampSeconds(from)));
  }
  if (to - from < kPeriodMsMin) {
    return InvalidTime("Difference between export period from time and export period to time is less than 15 minutes");
  }
  if (to - from > kPeriodMsMax) {
    return InvalidTime("Difference between export period from time and export period to time is more than 24 hours");
  }
  const auto window = WindowOf(request.table_name);
  if (!window) return std::unexpected(window.error());
  if (from < window->earliest_ms) {
    return InvalidTime("Point in Time Recovery is not available for specified export time");
  }
  job.period = {.from_ms = from, .to_ms = to, .old_images = request.period->old_images};
  return {};
}

Result<catalog::ExportPtr> Exports::Find(std::string_view arn) const {
  const auto id = JobIdOf(tables_, kExportJobs, arn);
  if (!id) return std::unexpected(id.error());
  catalog::ExportPtr job = catalog_.exports().Find(*id);
  if (job == nullptr || Arn(*job) != arn) return JobNotFound(kExportJobs, arn);
  return job;
}

std::vector<catalog::ExportPtr> Exports::List() const {
  std::vector<catalog::ExportPtr> all = catalog_.exports().All();
  std::ranges::reverse(all);
  return all;
}

void Exports::TakeUp() {
  for (const catalog::ExportPtr& job : catalog_.exports().All()) {
    if (job->status == catalog::JobStatus::kInProgress) Queue(job->id);
  }
}

void Exports::ForgetUnderWay() {
  for (const catalog::ExportPtr& job : catalog_.exports().All()) {
    if (job->status == catalog::JobStatus::kInProgress) (void)catalog_.exports().Remove(job->id);
  }
}

void Exports::Keep() { ForgetOld(catalog_.exports(), clock_.NowMs()); }

void Exports::Queue(std::string id) {
  worker_.Do([this, id = std::move(id)](const std::stop_token& stop) { Run(id, stop); });
}

void Exports::Run(const std::string& id, const std::stop_token& stop) {
  const catalog::ExportPtr begun = catalog_.exports().Find(id);
  if (begun == nullptr) return;
  const auto totals = RunExport(store_, catalog_, tables_, clock_, buckets_, *begun, stop);
  if (!totals && stop.stop_requested()) return;
  catalog::Export job = *begun;
  job.end_ms = clock_.NowMs();
  if (totals) {
    job.status = catalog::JobStatus::kCompleted;
    job.items = totals->items;
    job.billed_bytes = totals->billed_bytes;
  } else {
    job.status = catalog::JobStatus::kFailed;
    job.failure = {.code = totals.error().code, .message = totals.error().message};
    base::Log(base::LogLevel::kWarning, "The export of table {} to bucket {} failed: {}", job.table_name, job.bucket,
              job.failure->message);
  }
  Retry retry("Finishing an export", stop);
  while (!stop.stop_requested()) {
    const auto kept = catalog_.exports().Put(job);
    if (kept) return;
    retry.Wait(kept.error().message);
  }
}

}  // namespace taula::engine
