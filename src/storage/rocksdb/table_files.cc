#include "storage/rocksdb/table_files.h"

#include <string>
#include <utility>

namespace taula::storage {
namespace {

std::unique_ptr<rocksdb::TableFactory> MakeFactory(rocksdb::BlockBasedTableOptions options,
                                                   rocksdb::PinningTier pinning) {
  options.metadata_cache_options.unpartitioned_pinning = pinning;
  return std::unique_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(options));
}

// Two of RocksDB's factories, which differ in nothing but what the readers they
// make hold. Whoever asks for options is given those of the second.
class TableFiles final : public rocksdb::TableFactory {
 public:
  TableFiles(const rocksdb::BlockBasedTableOptions& options, std::function<bool()> has_little_data)
      : has_little_data_(std::move(has_little_data)),
        holding_(MakeFactory(options, rocksdb::PinningTier::kAll)),
        looking_(MakeFactory(options, rocksdb::PinningTier::kFlushedAndSimilar)) {}

  // Its own: what has RocksDB's name is taken for RocksDB's class.
  [[nodiscard]] const char* Name() const override { return "TaulaTableFiles"; }

  [[nodiscard]] std::string GetPrintableOptions() const override { return looking_->GetPrintableOptions(); }

  rocksdb::Status PrepareOptions(const rocksdb::ConfigOptions& options) override {
    const rocksdb::Status prepared = holding_->PrepareOptions(options);
    return prepared.ok() ? looking_->PrepareOptions(options) : prepared;
  }
  [[nodiscard]] rocksdb::Status ValidateOptions(const rocksdb::DBOptions& db_options,
                                                const rocksdb::ColumnFamilyOptions& options) const override {
    return looking_->ValidateOptions(db_options, options);
  }

  using TableFactory::NewTableReader;
  rocksdb::Status NewTableReader(const rocksdb::ReadOptions& read_options, const rocksdb::TableReaderOptions& options,
                                 std::unique_ptr<rocksdb::RandomAccessFileReader>&& file, std::uint64_t bytes,
                                 std::unique_ptr<rocksdb::TableReader>* reader, bool prefetch) const override {
    const rocksdb::TableFactory& factory = has_little_data_() ? *holding_ : *looking_;
    return factory.NewTableReader(read_options, options, std::move(file), bytes, reader, prefetch);
  }

  rocksdb::TableBuilder* NewTableBuilder(const rocksdb::TableBuilderOptions& options,
                                         rocksdb::WritableFileWriter* file) const override {
    return looking_->NewTableBuilder(options, file);
  }

  [[nodiscard]] bool IsDeleteRangeSupported() const override { return looking_->IsDeleteRangeSupported(); }

 protected:
  [[nodiscard]] const Customizable* Inner() const override { return looking_.get(); }

 private:
  const std::function<bool()> has_little_data_;
  const std::unique_ptr<rocksdb::TableFactory> holding_;
  const std::unique_ptr<rocksdb::TableFactory> looking_;
};

}  // namespace

std::shared_ptr<rocksdb::TableFactory> MakeTableFiles(const rocksdb::BlockBasedTableOptions& options,
                                                      std::function<bool()> has_little_data) {
  return std::make_shared<TableFiles>(options, std::move(has_little_data));
}

}  // namespace taula::storage
