#include "engine/imports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random_id.h"
#include "engine/begun_table.h"
#include "engine/job_arn.h"
#include "engine/retry.h"
#include "engine/timed_id.h"
#include "engine/transfer_jobs.h"

namespace taula::engine {
namespace {

constexpr std::size_t kInProgressMax = 50;
constexpr std::string_view kBadItems =
    "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more "
    "details.";

}  // namespace

Imports::Imports(storage::Store& store, catalog::Catalog& catalog, Tables& tables, const base::Clock& clock,
                 std::string buckets)
    : store_(store), catalog_(catalog), tables_(tables), clock_(clock), buckets_(std::move(buckets)) {}

std::string Imports::Arn(const catalog::Import& job) const {
  return JobArn(tables_, kImportJobs, job.table.name, job.id);
}

catalog::ImportCounts Imports::Counts(const catalog::Import& job) const {
  const std::lock_guard lock(looking_);
  const auto found = progress_.find(job.id);
  return found == progress_.end() ? job.counts : found->second->counts();
}

bool Imports::IsBeingImported(const catalog::Table& table) const {
  return table.status == TableStatus::kCreating &&
         std::ranges::any_of(catalog_.imports().All(), [&](const catalog::ImportPtr& job) {
           return job->status == catalog::JobStatus::kInProgress && job->table.id == table.id;
         });
}

// In Amazon's order: a table that is there comes before the token, unless another
// import is making it. Then this one fails later.
Result<catalog::ImportPtr> Imports::Start(const ImportRequest& request) {
  if (auto usable = CheckBuckets(buckets_, request.prefix, "S3KeyPrefix"); !usable) {
    return std::unexpected(usable.error());
  }
  if (auto checked = CheckCreateTable(request.table, request.faults); !checked) {
    return std::unexpected(checked.error());
  }
  const std::lock_guard lock(starting_);
  const catalog::TablePtr existing = catalog_.Find(request.table.table_name);
  if (existing != nullptr && !IsBeingImported(*existing)) {
    return Fail(ErrorCode::kResourceInUseException, "Table already exists: " + request.table.table_name);
  }
  if (request.client_token) {
    if (auto known = FindByToken(catalog_.imports(), *request.client_token, clock_.NowMs())) {
      // All else that differs is ignored.
      if (known->table.name != request.table.table_name) return TokenConflict(kImportJobs);
      return known;
    }
  }
  if (CountInProgress(catalog_.imports()) >= kInProgressMax) {
    return Fail(ErrorCode::kLimitExceededException,
                fmt::format("Subscriber limit exceeded: There is a limit of {} simultaneous imports", kInProgressMax));
  }
  auto job = Plan(request);
  if (!job) return std::unexpected(job.error());
  const std::string id = job->id;
  if (auto kept = catalog_.imports().Put(*std::move(job)); !kept) return std::unexpected(kept.error());
  catalog::ImportPtr begun = catalog_.imports().Find(id);
  Queue(id);
  return begun;
}

Result<catalog::Import> Imports::Plan(const ImportRequest& request) {
  auto table = tables_.Plan(request.table);
  if (!table) return std::unexpected(table.error());
  catalog::Import job;
  job.start_ms = clock_.NowMs();
  job.id = NewTimedId(job.start_ms);
  job.client_token = request.client_token.value_or(base::UuidV4());
  job.fingerprint = request.table.table_name;
  job.bucket = request.bucket;
  job.bucket_owner = request.bucket_owner.value_or(tables_.account());
  job.prefix = request.prefix;
  job.format = request.format;
  job.compression = request.compression;
  job.csv = request.csv;
  job.table = *std::move(table);
  job.parameters = request.parameters;
  return job;
}

Result<catalog::ImportPtr> Imports::Find(std::string_view arn) const {
  const auto id = JobIdOf(tables_, kImportJobs, arn);
  if (!id) return std::unexpected(id.error());
  catalog::ImportPtr job = catalog_.imports().Find(*id);
  if (job == nullptr || Arn(*job) != arn) return JobNotFound(kImportJobs, arn);
  return job;
}

std::vector<catalog::ImportPtr> Imports::List() const {
  std::vector<catalog::ImportPtr> all = catalog_.imports().All();
  std::ranges::reverse(all);
  return all;
}

void Imports::TakeUp() {
  for (const catalog::ImportPtr& job : catalog_.imports().All()) {
    if (job->status == catalog::JobStatus::kInProgress) Queue(job->id);
  }
}

void Imports::Keep() { ForgetOld(catalog_.imports(), clock_.NowMs()); }

void Imports::Queue(std::string id) {
  worker_.Do([this, id = std::move(id)](const std::stop_token& stop) { Run(id, stop); });
}

void Imports::Run(const std::string& id, const std::stop_token& stop) {
  const catalog::ImportPtr begun = catalog_.imports().Find(id);
  if (begun == nullptr) return;
  catalog::Import job = *begun;
  std::optional<buckets::Failure> failure;
  if (!job.loaded) {
    const std::shared_ptr<ImportProgress> progress = Follow(id);
    const ImportPlace place{buckets_, tables_.account(), Arn(job)};
    const auto loaded = RunImport(store_, catalog_, clock_, place, job, *progress, stop);
    if (loaded && !*loaded) return;
    job.counts = progress->counts();
    job.loaded = loaded.has_value();
    if (!loaded) failure = loaded.error();
  }
  // First what has come in, then the table, then the end: whatever is interrupted
  // goes on from there.
  if (job.loaded && (!Save(job, stop) || !Publish(job, stop))) return;
  Conclude(job, failure);
  (void)Save(job, stop);
  const std::lock_guard lock(looking_);
  progress_.erase(id);
}

std::shared_ptr<ImportProgress> Imports::Follow(const std::string& id) {
  auto progress = std::make_shared<ImportProgress>();
  const std::lock_guard lock(looking_);
  progress_.insert_or_assign(id, progress);
  return progress;
}

bool Imports::Save(const catalog::Import& job, const std::stop_token& stop) {
  Retry retry("Importing table " + job.table.name, stop);
  while (true) {
    const auto kept = catalog_.imports().Put(job);
    if (kept) return true;
    if (stop.stop_requested()) return false;
    retry.Wait(kept.error().message);
  }
}

bool Imports::Publish(const catalog::Import& job, const std::stop_token& stop) {
  Retry retry("Importing table " + job.table.name, stop);
  while (true) {
    const catalog::TablePtr table = catalog_.Find(job.table.name);
    const bool to_publish = table != nullptr && table->id == job.table.id && table->status == TableStatus::kCreating;
    if (!to_publish || PublishBegun(catalog_, *table)) return true;
    if (stop.stop_requested()) return false;
    retry.Wait("the store cannot be written");
  }
}

void Imports::Conclude(catalog::Import& job, const std::optional<buckets::Failure>& failure) const {
  job.end_ms = clock_.NowMs();
  if (failure) {
    job.failure = {.code = failure->code, .message = failure->message};
  } else if (job.counts.errors > 0) {
    job.failure = {.code = std::string(buckets::kItemValidationError), .message = std::string(kBadItems)};
  }
  job.status = job.failure ? catalog::JobStatus::kFailed : catalog::JobStatus::kCompleted;
  if (!job.failure) return;
  const std::string reason = failure ? failure->message
                                     : fmt::format("{} of {} items are wrong, see {}/.import-errors/{}.json",
                                                   job.counts.errors, job.counts.processed_items, buckets_, job.id);
  base::Log(base::LogLevel::kWarning, "The import of table {} failed: {}", job.table.name, reason);
}

}  // namespace taula::engine
