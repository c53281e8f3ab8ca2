// A RocksDB store on a disk that can be made to fail, for its tests.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/rocksdb/faulty_file_system.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/store_testing.h"

namespace taula::storage {

class RocksDbStoreTest : public testing::Test {
 protected:
  // Opens, or opens again.
  void Open(Durability durability = Durability::kSync) {
    store_.reset();
    options_.path = folder_.path();
    options_.durability = durability;
    options_.env = env_.get();
    auto opened = OpenRocksDb(options_);
    ASSERT_TRUE(opened.has_value()) << opened.error();
    store_ = std::move(*opened);
  }

  static std::string WhyNot(const std::string& path) {
    const auto opened = OpenRocksDb({.path = path});
    return opened ? "(opened)" : opened.error();
  }

  // Starts a mutation over `reads` that appends `suffix` to each, or aborts
  // when there is none. The future is ready when it is done.
  std::future<Commit> Start(const std::vector<Key>& reads, const std::string& suffix, bool exclusive = false) {
    auto promise = std::make_shared<std::promise<Commit>>();
    auto mutation = std::make_unique<LambdaMutation>(
        reads,
        [reads, suffix](auto values, Batch& batch) {
          for (std::size_t i = 0; i < reads.size() && !suffix.empty(); ++i) {
            batch.Put(reads[i], std::string(values[i].value_or("")) + suffix);
          }
          if (!suffix.empty()) batch.Add("Cwrites", 1);
          return !suffix.empty();
        },
        [promise](Commit commit) { promise->set_value(commit); });
    if (exclusive) mutation->set_exclusive();
    store_->Mutate(std::move(mutation));
    return promise->get_future();
  }

  std::future<Commit> StartDeletion(const Key& key) {
    auto promise = std::make_shared<std::promise<Commit>>();
    store_->Mutate(std::make_unique<LambdaMutation>(
        std::vector<Key>{key},
        [key](auto, Batch& batch) {
          batch.Delete(key);
          return true;
        },
        [promise](Commit commit) { promise->set_value(commit); }));
    return promise->get_future();
  }

  static bool IsDone(const std::future<Commit>& end) {
    return end.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready;
  }

  Commit WriteOne(const Key& key, const std::string& suffix) { return Start({key}, suffix).get(); }

  // Mutates until it works.
  bool BecomesWritable() {
    for (int i = 0; i < 200; ++i) {
      if (WriteOne("Dprobe", "p") == Commit::kOk) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  TemporaryFolder folder_;
  LogFaults faults_;
  std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(std::make_shared<FaultyFileSystem>(faults_));
  RocksDbOptions options_;
  std::unique_ptr<Store> store_;
};

}  // namespace taula::storage
