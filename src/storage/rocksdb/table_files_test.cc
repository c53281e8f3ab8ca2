#include "storage/rocksdb/table_files.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>

#include <memory>
#include <string>

#include "storage/store_testing.h"

namespace taula::storage {
namespace {

class TableFilesTest : public testing::Test {
 protected:
  static constexpr int kKeys = 20'000;

  // Opens, or opens again, with a cache that holds nothing yet.
  void Open(bool has_little_data) {
    db_.reset();
    cache_ = rocksdb::NewLRUCache(std::size_t{64} << 20);
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = cache_;
    table.cache_index_and_filter_blocks = true;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    rocksdb::Options options;
    options.create_if_missing = true;
    options.max_open_files = 512;
    options.table_factory = MakeTableFiles(table, [has_little_data] { return has_little_data; });
    rocksdb::DB* opened = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, folder_.path(), &opened).ok());
    db_.reset(opened);
  }

  void FillLowestLevel() {
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_TRUE(db_->Put({}, "key" + std::to_string(i), std::string(100, 'v')).ok());
    }
    ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
  }

  void ExpectAllThere() {
    std::string value;
    for (int i = 0; i < kKeys; i += 97) {
      ASSERT_TRUE(db_->Get({}, "key" + std::to_string(i), &value).ok());
      ASSERT_EQ(value, std::string(100, 'v'));
    }
    ASSERT_TRUE(db_->Get({}, "absent", &value).IsNotFound());
  }

  TemporaryFolder folder_;
  std::shared_ptr<rocksdb::Cache> cache_;
  std::unique_ptr<rocksdb::DB> db_;
};

TEST_F(TableFilesTest, HoldFiltersAndIndexesOnlyWhileThereIsLittleData) {
  Open(true);
  FillLowestLevel();
  Open(true);
  ExpectAllThere();
  // Ten bits a key.
  EXPECT_GE(cache_->GetPinnedUsage(), kKeys * 10 / 8);
  Open(false);
  ExpectAllThere();
  EXPECT_LT(cache_->GetPinnedUsage(), 1000);
  EXPECT_GE(cache_->GetUsage(), kKeys * 10 / 8);
}

TEST_F(TableFilesTest, AreRocksDbsOwnToWhoeverOpensThemWithout) {
  Open(true);
  FillLowestLevel();
  db_.reset();
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open({}, folder_.path(), &opened).ok());
  db_.reset(opened);
  ExpectAllThere();
}

TEST_F(TableFilesTest, GiveTheOptionsTheyWereMadeWith) {
  Open(true);
  const auto* const options = db_->GetOptions().table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->block_cache, cache_);
}

}  // namespace
}  // namespace taula::storage
