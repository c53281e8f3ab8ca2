#include "storage/rocksdb/tuning.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <memory>
#include <string>

#include "storage/store_testing.h"

namespace taula::storage {
namespace {

constexpr int kKeys = 20'000;
constexpr std::size_t kSmallCacheBytes = std::size_t{64} << 10;
constexpr std::size_t kFilterBytesMin = kKeys * 10 / 8;

// What the files of a folder hold in the cache once it has been opened and read.
std::size_t HeldBytes(const std::string& folder, std::size_t cache_bytes) {
  const auto cache = rocksdb::NewLRUCache(std::size_t{64} << 20);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Options options =
      TunedOptions({.path = folder, .cache_bytes = cache_bytes, .write_buffer_bytes = kSmallCacheBytes}, cache);
  if (!rocksdb::DB::Open(options, folder, &opened).ok()) return 0;
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::string value;
  EXPECT_TRUE(db->Get({}, "Dkey1", &value).ok());
  return cache->GetPinnedUsage();
}

TEST(TuningTest, FilesHoldNothingInACacheThatIsSmallBesideThem) {
  const TemporaryFolder folder;
  {
    rocksdb::DB* opened = nullptr;
    const rocksdb::Options options = TunedOptions({.path = folder.path()}, rocksdb::NewLRUCache(std::size_t{64} << 20));
    ASSERT_TRUE(rocksdb::DB::Open(options, folder.path(), &opened).ok());
    const std::unique_ptr<rocksdb::DB> db(opened);
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_TRUE(db->Put({}, "Dkey" + std::to_string(i), std::string(100, 'v')).ok());
    }
    ASSERT_TRUE(db->CompactRange({}, nullptr, nullptr).ok());
  }
  // The memory for writes is held there too, and is the same each time.
  const std::size_t in_large = HeldBytes(folder.path(), std::size_t{256} << 20);
  const std::size_t in_small = HeldBytes(folder.path(), kSmallCacheBytes);
  EXPECT_GE(in_large, in_small + kFilterBytesMin);
}

}  // namespace
}  // namespace taula::storage
