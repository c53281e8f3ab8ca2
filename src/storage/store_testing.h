// What the tests of stores share.
#pragma once

#include <stdlib.h>

#include <charconv>
#include <filesystem>
#include <functional>
#include <latch>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "storage/store.h"

namespace taula::storage {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "taula-storage-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class LambdaMutation final : public Mutation {
 public:
  using Values = std::span<const std::optional<std::string_view>>;

  LambdaMutation(std::vector<Key> reads, std::function<bool(Values, Batch&)> decide, std::function<void(Commit)> done)
      : reads_(std::move(reads)), decide_(std::move(decide)), done_(std::move(done)) {}

  void set_exclusive() { exclusive_ = true; }
  // Notes the reads that conflict.
  void set_conflicts(std::set<std::size_t>* conflicts) { conflicts_ = conflicts; }

  [[nodiscard]] std::span<const Key> reads() const override { return reads_; }
  [[nodiscard]] bool exclusive() const override { return exclusive_; }
  bool Decide(Values values, Batch& batch) override { return decide_(values, batch); }
  void Conflicts(std::size_t read) override {
    if (conflicts_ != nullptr) conflicts_->insert(read);
  }
  void Done(Commit commit) override { done_(commit); }

 private:
  std::vector<Key> reads_;
  std::function<bool(Values, Batch&)> decide_;
  std::function<void(Commit)> done_;
  bool exclusive_ = false;
  std::set<std::size_t>* conflicts_ = nullptr;
};

// Writes without looking.
inline Commit Write(Store& store, base::FunctionRef<void(Batch& batch)> fill) {
  return MutateAndWait(store, {}, [&](auto, Batch& batch) {
    fill(batch);
    return true;
  });
}

inline std::optional<std::string> ValueAt(const Reader& reader, std::string_view key) {
  std::optional<std::string> value;
  if (reader.Get(key, [&](std::string_view found) { value = found; }) != Status::kOk) return "(error)";
  return value;
}

inline std::int64_t CounterAt(const Reader& reader, std::string_view key) {
  const std::optional<std::string> value = ValueAt(reader, key);
  return value ? static_cast<std::int64_t>(base::ReadU64(value->data())) : 0;
}

using EntryList = std::vector<std::pair<std::string, std::string>>;

inline EntryList Entries(const Reader& reader, const Range& range, const ScanOptions& options = {}) {
  EntryList entries;
  const Status status = reader.Scan(range, options, [&](std::string_view key, std::string_view value) {
    entries.emplace_back(key, value);
    return true;
  });
  if (status != Status::kOk) entries.emplace_back("(error)", "(error)");
  return entries;
}

inline std::vector<std::string> Keys(const Reader& reader, const Range& range, const ScanOptions& options = {}) {
  std::vector<std::string> keys;
  for (auto& [key, value] : Entries(reader, range, options)) keys.push_back(std::move(key));
  return keys;
}

// A decimal number; nothing is zero.
inline std::int64_t ToNumber(std::optional<std::string_view> text) {
  std::int64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

// Runs body(0), body(1)... each in its thread, starting them together.
inline void RunThreads(int count, const std::function<void(int)>& body) {
  std::latch start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace taula::storage
