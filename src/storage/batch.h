// The writes of one mutation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace taula::storage {

// A list of writes, applied all together or not at all, in order. Kept in one
// buffer, so that a batch costs one allocation however many writes it has.
class Batch {
 public:
  enum class Op : char { kPut = 1, kDelete = 2, kAdd = 3, kLog = 4 };

  void Put(std::string_view key, std::string_view value) { Append(Op::kPut, key, value); }
  void Delete(std::string_view key) { Append(Op::kDelete, key, {}); }

  // Adds `delta` to the 64-bit little-endian integer at `key`, which counts as
  // zero while absent. The key is not to be written in any other way; only
  // EraseRange removes it. Nobody waits for anybody on it.
  void Add(std::string_view key, std::int64_t delta) {
    char bytes[8];
    std::memcpy(bytes, &delta, 8);
    Append(Op::kAdd, key, {bytes, 8});
  }

  // Writes `value` under `prefix` and a position behind it: eight bytes,
  // big-endian, greater than those of all values that were ever logged before.
  // Whoever sees a value sees all that have smaller positions.
  void Log(std::string_view prefix, std::string_view value) { Append(Op::kLog, prefix, value); }

  // Everything that another batch writes, behind what this one does.
  void Append(const Batch& other) { records_.append(other.records_); }

  [[nodiscard]] bool empty() const { return records_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return records_.size(); }
  void Clear() { records_.clear(); }

  // Calls visit(op, key, value) for each write in order; the key of a logged
  // value is without its position.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    const char* at = records_.data();
    const char* const end = at + records_.size();
    while (at != end) {
      const Op op = static_cast<Op>(*at++);
      const std::uint32_t key_bytes = base::ReadVarint(at);
      const std::uint32_t value_bytes = base::ReadVarint(at);
      visit(op, std::string_view(at, key_bytes), std::string_view(at + key_bytes, value_bytes));
      at += key_bytes + value_bytes;
    }
  }

 private:
  void Append(Op op, std::string_view key, std::string_view value) {
    if (records_.empty()) records_.reserve(kUsualBytes);
    records_.push_back(static_cast<char>(op));
    base::AppendVarint(records_, static_cast<std::uint32_t>(key.size()));
    base::AppendVarint(records_, static_cast<std::uint32_t>(value.size()));
    records_.append(key);
    records_.append(value);
  }

  // Of an item, its entry in an index, and their keys.
  static constexpr std::size_t kUsualBytes = 1024;

  std::string records_;
};

}  // namespace taula::storage
