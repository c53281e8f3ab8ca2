#include "database/open.h"

#include <utility>

#include "storage/memory/memory_store.h"
#include "storage/rocksdb/rocksdb_store.h"

namespace taula::database {
namespace {

Result<std::unique_ptr<storage::Store>> OpenStore(const DatabaseOptions& options) {
  if (options.in_memory) return storage::MakeMemoryStore();
  storage::RocksDbOptions store_options;
  store_options.path = options.path;
  store_options.durability = options.durability;
  store_options.cache_bytes = options.cache_bytes;
  store_options.write_buffer_bytes = options.cache_bytes / 4;
  auto store = storage::OpenRocksDb(store_options);
  if (!store) return Fail(ErrorCode::kServiceUnavailable, std::move(store.error()));
  return std::move(*store);
}

}  // namespace

Result<std::unique_ptr<engine::Engine>> OpenEngine(const DatabaseOptions& options, std::string buckets) {
  Result<std::unique_ptr<storage::Store>> store = OpenStore(options);
  if (!store) return std::unexpected(std::move(store.error()));
  engine::EngineOptions engine_options;
  engine_options.region = options.region;
  engine_options.account = options.account;
  engine_options.expiry_interval = options.expiry_interval;
  engine_options.throttle = options.throttle;
  engine_options.buckets = std::move(buckets);
  return engine::Engine::Open(std::move(*store), std::move(engine_options));
}

Result<void> CopyFolder(const std::string& from, const std::string& to) {
  if (auto copied = storage::CopyRocksDb(from, to); !copied) {
    return Fail(ErrorCode::kServiceUnavailable, std::move(copied.error()));
  }
  return {};
}

}  // namespace taula::database
