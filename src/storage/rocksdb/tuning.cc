#include "storage/rocksdb/tuning.h"

#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_manager.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <system_error>

#include "storage/rocksdb/direct_log_files.h"
#include "storage/rocksdb/table_files.h"
#include "storage/rocksdb/tree_memtable.h"

namespace taula::storage {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// Filters and indexes take about a fortieth of the data they are of. They are held
// in the cache, where nothing can take their place, by files that are opened while
// all files together are no more than this many times the cache.
constexpr std::uint64_t kLittleDataOfCache = 2;

std::uint64_t TableBytesIn(const std::string& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    if (file.path().extension() != ".sst") continue;
    const std::uintmax_t file_bytes = file.file_size(error);
    if (!error) bytes += file_bytes;
  }
  return bytes;
}

// After the files' manager is there. It does not know of the files yet with which
// the folder is opened.
std::function<bool()> HasLittleData(const RocksDbOptions& options, const rocksdb::Options& tuned) {
  return [files = tuned.sst_file_manager, bytes_at_first = TableBytesIn(options.path),
          bytes_max = kLittleDataOfCache * options.cache_bytes] {
    const std::uint64_t bytes = files->GetTotalSize();
    return (bytes == 0 ? bytes_at_first : bytes) <= bytes_max;
  };
}

void TuneReads(const RocksDbOptions& options, const std::shared_ptr<rocksdb::Cache>& cache, rocksdb::Options& tuned) {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.block_size = 8 * 1024;
  table.block_cache = cache;
  // Filters answer for whole keys and for partitions alike.
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.whole_key_filtering = true;
  // Inside the cache, or memory would grow with the data.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  tuned.table_factory = MakeTableFiles(table, HasLittleData(options, tuned));
  tuned.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kPrefixBytes));
  tuned.memtable_whole_key_filtering = true;
  tuned.memtable_prefix_bloom_size_ratio = 0.02;
  tuned.max_open_files = 512;
}

void TuneWrites(const std::shared_ptr<rocksdb::Cache>& cache, std::size_t write_buffer_bytes, rocksdb::Options& tuned) {
  tuned.write_buffer_size = std::max(write_buffer_bytes / 2, kMegabyte);
  tuned.max_write_buffer_number = 3;
  tuned.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(write_buffer_bytes, cache);
  tuned.max_bytes_for_level_base = 256 * kMegabyte;
  tuned.level_compaction_dynamic_level_bytes = true;
  tuned.target_file_size_base = 32 * kMegabyte;
  tuned.compression_per_level.assign(static_cast<std::size_t>(tuned.num_levels), rocksdb::kLZ4Compression);
  tuned.compression_per_level[0] = rocksdb::kNoCompression;
  tuned.compression_per_level[1] = rocksdb::kNoCompression;
  tuned.bottommost_compression = rocksdb::kLZ4Compression;
  tuned.max_background_jobs = 2;
  tuned.bytes_per_sync = kMegabyte;
  // A large batch comes from one thread only: the commit's leader.
  tuned.allow_concurrent_memtable_write = false;
  tuned.memtable_factory = std::make_shared<TreeMemtableFactory>();
}

// RocksDB gives up for good when it cannot write its log, a memtable or its list
// of files, for anything but a full disk. Every acknowledged write is in a
// memtable as well, though, and resuming moves that to a new file, begins a new
// list if that has failed, and starts a new log, whatever happened to the old ones.
class WriteErrorsEnd final : public rocksdb::EventListener {
 public:
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (CanBeResumedFrom(reason) && error->IsIOError() && error->severity() == rocksdb::Status::Severity::kFatalError) {
      *error = rocksdb::Status(*error, rocksdb::Status::Severity::kHardError);
    }
  }

 private:
  // Not from a compaction: it would meet what it cannot read again and again.
  static bool CanBeResumedFrom(rocksdb::BackgroundErrorReason reason) {
    using enum rocksdb::BackgroundErrorReason;
    return reason == kWriteCallback || reason == kMemTable || reason == kFlush || reason == kFlushNoWAL ||
           reason == kManifestWrite || reason == kManifestWriteNoWAL;
  }
};

// Files that are no longer needed, logs above all, go in small steps, one after the
// other. A file system that tells its disk which blocks are free would keep the
// next writes waiting for all of a file at once.
constexpr std::size_t kDeletionStepBytes = 4 * kMegabyte;
constexpr std::int64_t kDeletedPerSecondMin = std::int64_t{64 * kMegabyte};
// When they come faster they go faster: what is left takes about so long.
constexpr std::uint64_t kDeletionSeconds = 4;

class DeletionPace final : public rocksdb::EventListener {
 public:
  explicit DeletionPace(std::shared_ptr<rocksdb::SstFileManager> files) : files_(std::move(files)) {}

  void OnFlushCompleted(rocksdb::DB* /*db*/, const rocksdb::FlushJobInfo& /*flush*/) override { Adjust(); }
  void OnTableFileDeleted(const rocksdb::TableFileDeletionInfo& /*file*/) override { Adjust(); }

 private:
  void Adjust() {
    const auto keeping_up = static_cast<std::int64_t>(files_->GetTotalTrashSize() / kDeletionSeconds);
    files_->SetDeleteRateBytesPerSecond(std::max(kDeletedPerSecondMin, keeping_up));
  }

  const std::shared_ptr<rocksdb::SstFileManager> files_;
};

void TuneDeletion(rocksdb::Options& tuned) {
  // However many there are, none of them goes at once.
  constexpr double kTrashRatioMax = std::numeric_limits<double>::max();
  tuned.sst_file_manager.reset(rocksdb::NewSstFileManager(tuned.env, nullptr, "", kDeletedPerSecondMin, true, nullptr,
                                                          kTrashRatioMax, kDeletionStepBytes));
  tuned.listeners.push_back(std::make_shared<DeletionPace>(tuned.sst_file_manager));
}

void TuneFolder(rocksdb::Options& tuned) {
  // After a power cut the unsynced end of the log may have holes, with whole
  // records behind them. Everything acknowledged lies before the first hole,
  // so the log is replayed up to there and no further.
  tuned.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  // The store decides when to try again, lest RocksDB resume unnoticed between
  // two writes of which the second was decided on top of the first.
  tuned.max_bgerror_resume_count = 0;
  tuned.listeners.push_back(std::make_shared<WriteErrorsEnd>());
  tuned.max_manifest_file_size = 16 * kMegabyte;
  tuned.info_log_level = rocksdb::InfoLogLevel::INFO_LEVEL;
  tuned.max_log_file_size = kMegabyte;
  tuned.keep_log_file_num = 3;
  tuned.stats_dump_period_sec = 0;
  tuned.stats_persist_period_sec = 0;
  // Opening reads no table files, and ending a scan deletes none.
  tuned.skip_stats_update_on_db_open = true;
  tuned.skip_checking_sst_file_sizes_on_db_open = true;
  tuned.avoid_unnecessary_blocking_io = true;
}

}  // namespace

rocksdb::Options TunedOptions(const RocksDbOptions& options, const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::Options tuned;
  if (options.env != nullptr) {
    tuned.env = options.env;
  } else if (options.durability == Durability::kSync) {
    tuned.env = DirectLogFiles();
  }
  tuned.create_if_missing = true;
  TuneDeletion(tuned);
  TuneReads(options, cache, tuned);
  TuneWrites(cache, std::min(options.write_buffer_bytes, options.cache_bytes), tuned);
  TuneFolder(tuned);
  return tuned;
}

}  // namespace taula::storage
