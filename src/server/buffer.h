// Memory that requests are read into.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace taula::server {

// Behind every request body this many bytes may be read (not written), so that
// a parser can work in whole vectors: simdjson's SIMDJSON_PADDING.
inline constexpr std::size_t kBodyPadding = 64;

// What a connection starts with, and goes back to.
inline constexpr std::size_t kBlockBytes = 16 * 1024;

// Bounds what all connections of a server take together beyond their blocks.
class BufferBudget {
 public:
  explicit BufferBudget(std::size_t bytes_max) : left_(static_cast<std::ptrdiff_t>(bytes_max)) {}

  [[nodiscard]] bool Take(std::size_t bytes) {
    const auto amount = static_cast<std::ptrdiff_t>(bytes);
    if (left_.fetch_sub(amount, std::memory_order_relaxed) >= amount) return true;
    GiveBack(bytes);
    return false;
  }
  void GiveBack(std::size_t bytes) { left_.fetch_add(static_cast<std::ptrdiff_t>(bytes), std::memory_order_relaxed); }

 private:
  std::atomic<std::ptrdiff_t> left_;
};

// A fixed run of bytes with kBodyPadding readable bytes behind it. Requests in
// flight share the buffer they stand in.
class Buffer {
 public:
  // Nothing when the budget does not allow it. The budget outlives the buffer.
  [[nodiscard]] static std::shared_ptr<Buffer> Make(std::size_t capacity, const std::shared_ptr<BufferBudget>& budget) {
    const std::size_t charged = capacity > kBlockBytes ? capacity : 0;
    if (charged > 0 && !budget->Take(charged)) return nullptr;
    return std::make_shared<Buffer>(capacity, charged > 0 ? budget : nullptr);
  }

  // Use Make; public for make_shared alone.
  Buffer(std::size_t capacity, std::shared_ptr<BufferBudget> budget)
      : capacity_(capacity),
        bytes_(std::make_unique_for_overwrite<char[]>(capacity + kBodyPadding)),
        budget_(std::move(budget)) {}
  ~Buffer() {
    if (budget_) budget_->GiveBack(capacity_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] char* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  std::size_t capacity_;
  std::unique_ptr<char[]> bytes_;
  std::shared_ptr<BufferBudget> budget_;
};

// Blocks that the connections of a loop use in turn: one that waits for a request
// needs none, and what is read into was just used and is still in the processor's
// cache, however many connections there are. For one thread.
class SpareBlocks {
 public:
  [[nodiscard]] std::shared_ptr<Buffer> Take(const std::shared_ptr<BufferBudget>& budget) {
    if (blocks_.empty()) return Buffer::Make(kBlockBytes, budget);
    auto block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
  }
  // One that nobody else holds.
  void Give(std::shared_ptr<Buffer> block) {
    if (blocks_.size() < kSparesMax && block->capacity() == kBlockBytes) blocks_.push_back(std::move(block));
  }

 private:
  static constexpr std::size_t kSparesMax = 64;
  std::vector<std::shared_ptr<Buffer>> blocks_;
};

}  // namespace taula::server
