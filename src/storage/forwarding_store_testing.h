// A store in front of another one, for tests that change a part of what it does.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "storage/store.h"

namespace taula::storage {

class ForwardingStore : public Store {
 public:
  explicit ForwardingStore(std::unique_ptr<Store> store) : store_(std::move(store)) {}

  Status Get(std::string_view key, base::FunctionRef<void(std::string_view value)> found) const override {
    return store_->Get(key, found);
  }
  Status Scan(const Range& range, const ScanOptions& options,
              base::FunctionRef<bool(std::string_view key, std::string_view value)> visit) const override {
    return store_->Scan(range, options, visit);
  }
  [[nodiscard]] std::unique_ptr<Reader> Snapshot() const override { return store_->Snapshot(); }
  void Mutate(std::unique_ptr<Mutation> mutation) override { store_->Mutate(std::move(mutation)); }
  Status EraseRange(const Range& range) override { return store_->EraseRange(range); }
  [[nodiscard]] std::uint64_t LastPosition() const override { return store_->LastPosition(); }
  [[nodiscard]] std::uint64_t ApproximateBytes(const Range& range) const override {
    return store_->ApproximateBytes(range);
  }
  Status SaveState(const std::string& name) override { return store_->SaveState(name); }
  [[nodiscard]] std::unique_ptr<Reader> OpenState(const std::string& name) const override {
    return store_->OpenState(name);
  }
  Status DropState(const std::string& name) override { return store_->DropState(name); }
  [[nodiscard]] std::unique_ptr<Store> Fork() const override { return store_->Fork(); }
  Status Flush() override { return store_->Flush(); }

 protected:
  [[nodiscard]] Store& store() const { return *store_; }

 private:
  const std::unique_ptr<Store> store_;
};

}  // namespace taula::storage
