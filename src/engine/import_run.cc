#include "engine/import_run.h"

#include <fmt/format.h>

#include <utility>
#include <variant>
#include <vector>

#include "buckets/bucket.h"
#include "buckets/item_reader.h"
#include "codec/stored_item.h"
#include "engine/begun_table.h"
#include "engine/import_log.h"
#include "engine/index_keys.h"
#include "engine/item_loader.h"
#include "engine/item_size.h"
#include "engine/key_validation.h"
#include "engine/retry.h"
#include "engine/transfer_jobs.h"

namespace taula::engine {
namespace {

using buckets::FailWith;
using buckets::Outcome;

buckets::Compression CompressionOf(const catalog::Import& job) {
  if (job.compression == "GZIP") return buckets::Compression::kGzip;
  if (job.compression == "ZSTD") return buckets::Compression::kZstd;
  return buckets::Compression::kNone;
}

buckets::ItemFormat FormatOf(const catalog::Import& job) {
  buckets::ItemFormat format;
  format.csv = job.format == "CSV";
  format.typed = job.table.attribute_definitions;
  if (job.csv) {
    if (job.csv->delimiter) format.delimiter = job.csv->delimiter->front();
    format.header = job.csv->header;
  }
  return format;
}

Result<void> CheckItem(const catalog::Table& table, const Item& item) {
  Result<void> ok = CheckItemSize(item);
  if (ok) ok = CheckItemKey(table.key, item.attributes());
  if (ok) ok = CheckIndexKeys(table, item.view());
  return ok;
}

class ImportRun {
 public:
  ImportRun(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock, const ImportPlace& place,
            const catalog::Import& job, ImportProgress& progress, const std::stop_token& stop)
      : store_(store),
        catalog_(catalog),
        clock_(clock),
        place_(place),
        job_(job),
        progress_(progress),
        stop_(stop),
        format_(FormatOf(job)) {}

  Outcome<bool> Run() {
    Outcome<buckets::Bucket> bucket = OpenBucket();
    if (!bucket) return GiveUp(bucket.error());
    Outcome<std::vector<buckets::Object>> objects = bucket->List(job_.prefix.value_or(""));
    if (!objects) return GiveUp(objects.error());
    if (auto made = MakeTable(); !made) return std::unexpected(made.error());
    Retry retry("Importing table " + job_.table.name, stop_);
    while (!stop_.stop_requested()) {
      const Outcome<bool> loaded = Load(*bucket, *objects);
      if (!loaded) return GiveUp(loaded.error());
      if (*loaded) return true;
      if (!stop_.stop_requested()) retry.Wait("the store cannot be written");
      is_new_ = false;
    }
    return false;
  }

 private:
  Outcome<buckets::Bucket> OpenBucket() const {
    if (auto owner = CheckOwner(job_.bucket_owner, place_.account); !owner) return std::unexpected(owner.error());
    return buckets::Bucket::Open(place_.buckets, job_.bucket);
  }

  // A table that a run before this one has begun goes, too.
  std::unexpected<buckets::Failure> GiveUp(const buckets::Failure& failure) {
    const catalog::TablePtr table = catalog_.Find(job_.table.name);
    if (table != nullptr && table->id == job_.table.id && table->status == TableStatus::kCreating) {
      (void)EraseBegun(store_, *table);
      RemoveBegun(catalog_, job_.table.name, job_.table.id);
    }
    return std::unexpected(failure);
  }

  Outcome<void> MakeTable() {
    if (const catalog::TablePtr begun = catalog_.Find(job_.table.name); begun != nullptr) {
      if (begun->id == job_.table.id && begun->status == TableStatus::kCreating) return {};
    }
    catalog::Table table = job_.table;
    table.status = TableStatus::kCreating;
    table.created_ms = clock_.NowMs();
    const auto added = catalog_.Add(std::move(table));
    is_new_ = added.has_value();
    if (added) return {};
    if (added.error().code == ErrorCode::kResourceInUseException) {
      return FailWith(buckets::kTableAlreadyExists, added.error().message);
    }
    return FailWith(buckets::kStorageError, added.error().message);
  }

  // False when the store fails, or it is stopped.
  Outcome<bool> Load(const buckets::Bucket& bucket, const std::vector<buckets::Object>& objects) {
    const catalog::TablePtr table = catalog_.Find(job_.table.name);
    if (!is_new_ && !EraseBegun(store_, *table)) return false;
    progress_.processed_bytes = 0;
    progress_.processed_items = 0;
    progress_.errors = 0;
    ImportLog log(place_.buckets, place_.arn, job_.id, job_.bucket);
    ItemLoader loader(store_, clock_, table, ItemLoader::Repeats::kPossible,
                      [&](std::uint64_t mark, const Error& error) {
                        ++progress_.errors;
                        log.Add(objects[mark >> kIndexBits].key, mark & kIndexMask, error.message);
                      });
    for (std::size_t number = 0; number < objects.size(); ++number) {
      const Outcome<bool> loaded = LoadObject(bucket, objects[number], number, *table, loader, log);
      if (!loaded || !*loaded) return loaded;
    }
    return loader.Finish();
  }

  Outcome<bool> LoadObject(const buckets::Bucket& bucket, const buckets::Object& object, std::size_t number,
                           const catalog::Table& table, ItemLoader& loader, ImportLog& log) {
    Outcome<buckets::Descriptor> file = bucket.Read(object.key);
    if (!file) {
      // It was there when the files were listed: Amazon counts an error and goes on.
      ++progress_.processed_items;
      ++progress_.errors;
      log.Add(object.key, 0, file.error().message);
      return true;
    }
    buckets::ItemReader reader(buckets::OpenSource(*std::move(file), object.key, CompressionOf(job_)), format_);
    std::uint64_t bytes = 0;
    std::string stored;
    for (std::size_t index = 0;; ++index) {
      if (stop_.stop_requested()) return false;
      Outcome<buckets::ItemReader::Next> next = reader.Read();
      if (!next) return std::unexpected(next.error());
      progress_.processed_bytes += static_cast<std::int64_t>(reader.bytes_read() - bytes);
      bytes = reader.bytes_read();
      if (std::holds_alternative<std::monostate>(*next)) return true;
      ++progress_.processed_items;
      std::optional<std::string> fault;
      if (const auto* bad = std::get_if<buckets::BadItem>(&*next)) {
        fault = bad->message;
      } else if (const auto fits = CheckItem(table, std::get<Item>(*next)); !fits) {
        fault = fits.error().message;
      }
      if (fault) {
        ++progress_.errors;
        log.Add(object.key, index, *fault);
        continue;
      }
      stored.clear();
      codec::AppendStoredItem(stored, std::get<Item>(*next).view());
      if (!loader.Add(stored, number << kIndexBits | index)) return false;
    }
  }

  // A mark of the loader is the number of the object and that of the item in it.
  static constexpr unsigned kIndexBits = 40;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;

  storage::Store& store_;
  catalog::Catalog& catalog_;
  const base::Clock& clock_;
  const ImportPlace& place_;
  const catalog::Import& job_;
  ImportProgress& progress_;
  const std::stop_token& stop_;
  const buckets::ItemFormat format_;
  bool is_new_ = false;  // the table has nothing in it
};

}  // namespace

Outcome<bool> RunImport(storage::Store& store, catalog::Catalog& catalog, const base::Clock& clock,
                        const ImportPlace& place, const catalog::Import& job, ImportProgress& progress,
                        const std::stop_token& stop) {
  return ImportRun(store, catalog, clock, place, job, progress, stop).Run();
}

}  // namespace taula::engine
