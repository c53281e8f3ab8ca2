// An ordered map of byte strings whose copies are free: a B+ tree that shares
// its nodes between copies and, on a write, copies only those nodes on the way
// to the entry that another copy still needs. Without other copies it is
// written in place. What no copy needs any more is freed at once, by counting
// references; there are no old versions to collect.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/function_ref.h"
#include "base/key_range.h"

namespace taula::storage {

// A key with its value in one allocation. Never changes once made, so all
// copies of a tree share it.
class TreeEntry {
 public:
  [[nodiscard]] std::string_view key() const { return {bytes(), key_bytes_}; }
  [[nodiscard]] std::string_view value() const { return {bytes() + key_bytes_, value_bytes_}; }

 private:
  friend class EntryRef;
  TreeEntry(std::string_view key, std::string_view value);
  [[nodiscard]] const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }

  std::atomic<std::uint32_t> references_{1};
  std::uint32_t key_bytes_;
  std::uint32_t value_bytes_;
};

// Keeps an entry alive.
class EntryRef {
 public:
  EntryRef() = default;
  EntryRef(std::string_view key, std::string_view value);
  EntryRef(const EntryRef& other) : entry_(other.entry_) {
    if (entry_ != nullptr) entry_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  EntryRef(EntryRef&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  EntryRef& operator=(EntryRef other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~EntryRef();

  explicit operator bool() const { return entry_ != nullptr; }
  const TreeEntry* operator->() const { return entry_; }

 private:
  TreeEntry* entry_ = nullptr;
};

// Not safe for threads by itself: one thread may write a tree that no other
// uses meanwhile. Copies are independent: each may be used and destroyed by its
// own thread.
class Tree {
 public:
  struct Node;

  Tree() = default;
  Tree(const Tree& other);
  Tree(Tree&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  Tree& operator=(Tree other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~Tree();

  // Nothing when the key is absent.
  [[nodiscard]] EntryRef Find(std::string_view key) const;

  // Both return the entry that was there, so that a caller may free it after
  // letting go of a lock.
  EntryRef Put(EntryRef entry);
  EntryRef Erase(std::string_view key);

  // Calls `visit` for each entry in order (or against it) until it returns
  // false.
  void Scan(const base::KeyRange& range, bool reverse, base::FunctionRef<bool(const TreeEntry& entry)> visit) const;

 private:
  Node* root_ = nullptr;
};

}  // namespace taula::storage
