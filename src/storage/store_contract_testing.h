// The stores that the contract of all stores is tested against.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "storage/memory/memory_store.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_testing.h"

namespace taula::storage {

struct StoreKind {
  const char* name;
  std::function<std::unique_ptr<Store>(const std::string& folder)> open;
};

inline std::unique_ptr<Store> OpenForTest(const std::string& folder, Durability durability) {
  auto store = OpenRocksDb({.path = folder, .durability = durability});
  if (!store) {
    ADD_FAILURE() << store.error();
    return nullptr;
  }
  return std::move(*store);
}

inline auto AllStores() {
  return testing::Values(
      StoreKind{"Memory", [](const std::string&) { return MakeMemoryStore(); }},
      StoreKind{"RocksDbSync", [](const std::string& folder) { return OpenForTest(folder, Durability::kSync); }},
      StoreKind{"RocksDbRelaxed", [](const std::string& folder) { return OpenForTest(folder, Durability::kRelaxed); }});
}

inline std::string NameOfStore(const testing::TestParamInfo<StoreKind>& kind) { return kind.param.name; }

class StoreContract : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    store_ = GetParam().open(folder_.path());
    ASSERT_NE(store_, nullptr);
  }

  [[nodiscard]] std::string At(std::string_view key) const { return ValueAt(*store_, key).value_or("(absent)"); }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

}  // namespace taula::storage
