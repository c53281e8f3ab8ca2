#include "engine/export_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "buckets/export_files.h"
#include "codec/json_writer.h"
#include "codec/stored_item.h"
#include "engine/index_entries.h"
#include "engine/job_arn.h"
#include "engine/past_changes.h"
#include "engine/past_state.h"
#include "engine/scratch_space.h"
#include "engine/transfer_jobs.h"

namespace taula::engine {
namespace {

using buckets::FailWith;
using buckets::Outcome;

// What Amazon takes at least for an incremental export.
constexpr std::int64_t kIncrementalBytesMin = 10'000'000;

class ExportRun {
 public:
  ExportRun(storage::Store& store, catalog::Catalog& catalog, const catalog::Table& table, const catalog::Export& job,
            const std::stop_token& stop, buckets::ExportFiles& files)
      : store_(store), catalog_(catalog), table_(table), job_(job), stop_(stop), files_(files) {}

  Outcome<void> WriteData() {
    const ScratchSpace scratch(store_, catalog_);
    bool whole = false;
    if (scratch.space()) whole = job_.period ? WriteChanges(*scratch.space()) : WriteItems(*scratch.space());
    if (!added_) return added_;
    if (!whole) return FailWith(buckets::kStorageError, "The store could not be read; the server's log says why.");
    return {};
  }

  [[nodiscard]] std::int64_t billed_bytes() const {
    return job_.period ? std::max(bytes_, kIncrementalBytesMin) : bytes_;
  }

 private:
  bool WriteItems(codec::SpaceId scratch) {
    return VisitPast(store_, table_, job_.time_ms, scratch, stop_, [&](std::string_view stored) {
      line_.clear();
      codec::JsonWriter json(line_);
      json.BeginObject();
      WriteImage(json, "Item", stored);
      json.EndObject();
      return AddLine();
    });
  }

  bool WriteChanges(codec::SpaceId scratch) {
    return VisitChanges(
        store_, table_, job_.period->from_ms, job_.period->to_ms, scratch, stop_, [&](const PastChange& change) {
          line_.clear();
          codec::JsonWriter json(line_);
          json.BeginObject();
          json.Key("Metadata").BeginObject();
          json.Key("WriteTimestampMicros").BeginObject();
          json.Key("N").String(std::to_string(change.last_write_ms * 1000));
          json.EndObject();
          json.EndObject();
          const ValueView some_image = codec::StoredItemValue(change.after ? *change.after : *change.before);
          json.Key("Keys").Item(KeyOf(table_, nullptr, some_image).attributes());
          if (change.before && job_.period->old_images) WriteImage(json, "OldImage", *change.before);
          if (change.after) WriteImage(json, "NewImage", *change.after);
          json.EndObject();
          return AddLine();
        });
  }

  void WriteImage(codec::JsonWriter& json, std::string_view name, std::string_view stored) {
    bytes_ += codec::StoredItemSize(stored);
    json.Key(name).Item(codec::StoredItemValue(stored).map());
  }

  bool AddLine() {
    added_ = files_.Add(line_);
    return added_.has_value();
  }

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const catalog::Table& table_;
  const catalog::Export& job_;
  const std::stop_token& stop_;
  buckets::ExportFiles& files_;
  std::string line_;
  Outcome<void> added_;
  std::int64_t bytes_ = 0;
};

Outcome<buckets::ExportFiles> OpenFiles(const std::string& buckets, std::string_view account,
                                        const catalog::Export& job) {
  if (auto owner = CheckOwner(job.bucket_owner, account); !owner) return std::unexpected(owner.error());
  Outcome<buckets::Bucket> bucket = buckets::Bucket::Open(buckets, job.bucket);
  if (!bucket) return std::unexpected(bucket.error());
  return buckets::ExportFiles(*std::move(bucket), job.prefix.value_or(""), job.id, job.period.has_value());
}

buckets::ManifestSummary Summary(const Tables& tables, const catalog::Export& job, std::int64_t end_ms) {
  buckets::ManifestSummary summary;
  summary.export_arn = JobArn(tables, kExportJobs, job.table_name, job.id);
  summary.start_ms = job.start_ms;
  summary.end_ms = end_ms;
  summary.table_arn = tables.Arn(job.table_name);
  summary.table_id = job.table_id;
  summary.export_time_ms = job.time_ms;
  if (job.period) {
    summary.from_ms = job.period->from_ms;
    summary.to_ms = job.period->to_ms;
    summary.view = job.period->old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE";
  }
  summary.prefix = job.prefix;
  summary.encryption = job.encryption;
  summary.kms_key = job.kms_key;
  return summary;
}

}  // namespace

Outcome<ExportTotals> RunExport(storage::Store& store, catalog::Catalog& catalog, const Tables& tables,
                                const base::Clock& clock, const std::string& buckets, const catalog::Export& job,
                                const std::stop_token& stop) {
  // Held to the end: the data of a table that is deleted meanwhile stays so long.
  const catalog::TablePtr table = catalog.Find(job.table_name);
  const std::int64_t earliest_ms = job.period ? job.period->from_ms : job.time_ms;
  const bool known = table != nullptr && table->id == job.table_id && table->recovery;
  if (!known || table->recovery->since_ms > earliest_ms) {
    return FailWith(buckets::kTableNotFound,
                    fmt::format("Table {} was deleted, or its point-in-time recovery turned off, before the export",
                                job.table_name));
  }
  Outcome<buckets::ExportFiles> files = OpenFiles(buckets, tables.account(), job);
  if (!files) return std::unexpected(files.error());
  if (auto begun = files->Begin(); !begun) return std::unexpected(begun.error());
  ExportRun run(store, catalog, *table, job, stop, *files);
  Outcome<void> written = run.WriteData();
  buckets::ManifestSummary summary = Summary(tables, job, clock.NowMs());
  summary.billed_bytes = static_cast<std::uint64_t>(run.billed_bytes());
  if (written) written = files->Finish(summary);
  if (!written) {
    files->Discard();
    return std::unexpected(written.error());
  }
  return ExportTotals{static_cast<std::int64_t>(files->items()), run.billed_bytes()};
}

}  // namespace taula::engine
