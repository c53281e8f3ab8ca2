// What is written but not yet in a table file, as a B+ tree.
//
// RocksDB keeps it in a skip list, where every insertion visits some twenty
// entries all over memory, and every step backwards is a search from the top.
// Here nodes hold fifteen neighbours together, with the first bytes of their
// keys, so that most comparisons look at nothing else; an insertion takes a
// tenth of the instructions, and a step to either side is one look.
#pragma once

#include <rocksdb/memtablerep.h>

namespace taula::storage {

// For a store with one writer at a time (allow_concurrent_memtable_write is
// off) and any number of readers, who never wait.
class TreeMemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator& comparator,
                                          rocksdb::Allocator* allocator, const rocksdb::SliceTransform* transform,
                                          rocksdb::Logger* logger) override;
  [[nodiscard]] const char* Name() const override { return "TaulaTreeMemtable"; }
};

}  // namespace taula::storage
