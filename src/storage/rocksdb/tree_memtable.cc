#include "storage/rocksdb/tree_memtable.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "storage/rocksdb/memtable_tree.h"

namespace taula::storage {
namespace {

// Behind a user key RocksDB puts what number the write has and of which kind it
// is; newer ones come first.
constexpr std::size_t kTrailerBytes = 8;

std::string_view ToStd(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// RocksDB's order of the keys in a memtable, for keys that compare as bytes. What
// RocksDB itself offers takes three virtual calls more for each comparison.
class InternalKeyOrder final : public MemtableTree::Order {
 public:
  [[nodiscard]] std::string_view FirstPartOf(std::string_view key) const override {
    return key.substr(0, key.size() - kTrailerBytes);
  }

  [[nodiscard]] int Compare(const char* entry, std::string_view key) const override {
    const std::string_view own = KeyOf(entry);
    const int by_user_key = FirstPartOf(own).compare(FirstPartOf(key));
    if (by_user_key != 0) return by_user_key;
    const std::uint64_t own_trailer = base::ReadU64(own.data() + own.size() - kTrailerBytes);
    const std::uint64_t trailer = base::ReadU64(key.data() + key.size() - kTrailerBytes);
    return own_trailer > trailer ? -1 : own_trailer < trailer ? 1 : 0;
  }

  [[nodiscard]] std::string_view KeyOf(const char* entry) const override {
    const std::uint32_t bytes = base::ReadVarint(entry);
    return {entry, bytes};
  }
};

// Memory of iterators that were told to live in an arena of RocksDB's, which is
// none of its public classes. Such an iterator is destroyed but not deleted, so
// its memory is noted by its destructor and freed by whoever of the same thread
// comes next.
class RetiredMemory {
 public:
  ~RetiredMemory() { Free(); }
  void Add(void* memory) { blocks_.push_back(memory); }
  void Free() {
    for (void* const block : blocks_) ::operator delete(block);
    blocks_.clear();
  }
  static RetiredMemory& OfThisThread() {
    thread_local RetiredMemory retired;
    return retired;
  }

 private:
  std::vector<void*> blocks_;
};

class TreeIterator final : public rocksdb::MemTableRep::Iterator {
 public:
  TreeIterator(const MemtableTree& tree, bool in_arena) : cursor_(tree), in_arena_(in_arena) {}
  ~TreeIterator() override {
    if (in_arena_) RetiredMemory::OfThisThread().Add(this);
  }

  [[nodiscard]] bool Valid() const override { return cursor_.valid(); }
  [[nodiscard]] const char* key() const override { return cursor_.entry(); }
  void Next() override { cursor_.Next(); }
  void Prev() override { cursor_.Previous(); }
  void Seek(const rocksdb::Slice& key, const char*) override { cursor_.SeekAtOrAfter(ToStd(key)); }
  void SeekForPrev(const rocksdb::Slice& key, const char*) override { cursor_.SeekAtOrBefore(ToStd(key)); }
  void SeekToFirst() override { cursor_.SeekToFirst(); }
  void SeekToLast() override { cursor_.SeekToLast(); }

 private:
  MemtableTree::Cursor cursor_;
  const bool in_arena_;
};

class TreeMemtable final : public rocksdb::MemTableRep {
 public:
  explicit TreeMemtable(rocksdb::Allocator* allocator)
      : MemTableRep(allocator), tree_(order_, [this](std::size_t bytes) {
          // The arena does not align.
          constexpr std::size_t kAlignment = alignof(std::max_align_t);
          char* memory = nullptr;
          Allocate(bytes + kAlignment, &memory);
          return memory + (kAlignment - reinterpret_cast<std::uintptr_t>(memory) % kAlignment);
        }) {}

  void Insert(rocksdb::KeyHandle handle) override { InsertKey(handle); }
  bool InsertKey(rocksdb::KeyHandle handle) override { return tree_.Insert(static_cast<const char*>(handle)); }

  bool Contains(const char* entry) const override {
    MemtableTree::Cursor cursor(tree_);
    cursor.SeekAtOrAfter(order_.KeyOf(entry));
    return cursor.valid() && order_.KeyOf(cursor.entry()) == order_.KeyOf(entry);
  }

  std::uint64_t ApproximateNumEntries(const rocksdb::Slice& begin, const rocksdb::Slice& end) override {
    return tree_.CountBetween(ToStd(begin), ToStd(end));
  }

  // All of it is in the arena, which RocksDB counts itself.
  std::size_t ApproximateMemoryUsage() override { return 0; }

  Iterator* GetIterator(rocksdb::Arena* arena) override {
    if (arena == nullptr) return new TreeIterator(tree_, false);
    RetiredMemory::OfThisThread().Free();
    return new (::operator new(sizeof(TreeIterator))) TreeIterator(tree_, true);
  }

  // RocksDB looks up a single key with an iterator that it takes from here without
  // an arena, and never gives back. It has one at a time.
  Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override {
    if (arena != nullptr) return GetIterator(arena);
    thread_local std::optional<TreeIterator> lookup;
    return &lookup.emplace(tree_, false);
  }

 private:
  const InternalKeyOrder order_;
  MemtableTree tree_;
};

}  // namespace

rocksdb::MemTableRep* TreeMemtableFactory::CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator& /*order*/,
                                                             rocksdb::Allocator* allocator,
                                                             const rocksdb::SliceTransform* /*transform*/,
                                                             rocksdb::Logger* /*logger*/) {
  return new TreeMemtable(allocator);
}

}  // namespace taula::storage
