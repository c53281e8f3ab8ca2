// The same operations twice: through taula::Database, and on RocksDB itself,
// which has the very same bytes under the very same keys in the very same
// files, opened in the same way, with as large a block cache and as large write
// buffers. What is asked is made beforehand.
#pragma once

#include <rocksdb/db.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "taula/database.h"

namespace taula::micro {

class EmbeddedPair {
 public:
  static constexpr int kItems = 10'000;
  static constexpr int kPageItems = 20;

  // The folders lie in $TAULA_MICRO_FOLDER; unless it is set, beside the
  // program, below the build folder.
  explicit EmbeddedPair(Durability durability);
  ~EmbeddedPair();
  EmbeddedPair(const EmbeddedPair&) = delete;
  EmbeddedPair& operator=(const EmbeddedPair&) = delete;

  // Each does the same to an item (a partition) of that number. They return
  // how many bytes of stored items they have seen or written, by which a caller
  // can tell that both have done it; 0 when anything went wrong.
  std::size_t EmbeddedGet(std::size_t number);
  std::size_t RawGet(std::size_t number);
  std::size_t EmbeddedQuery(std::size_t number);
  std::size_t RawQuery(std::size_t number);
  std::size_t EmbeddedPut(std::size_t number);
  std::size_t RawPut(std::size_t number);
  // A condition and arithmetic; for RocksDB, reading and then putting.
  std::size_t EmbeddedUpdate(std::size_t number);
  std::size_t RawUpdate(std::size_t number);

 private:
  // An item has two versions, which differ and are equally long: a put always
  // writes the one that is not there, for putting the same again would be
  // nothing to do.
  static constexpr std::size_t kVersions = 2;

  struct RawItem {
    std::string key;
    std::array<std::string, kVersions> values;
    std::size_t next = 1;
  };
  struct EmbeddedItem {
    GetItemRequest get;
    QueryRequest query;
    UpdateItemRequest update;
    std::array<PutItemRequest, kVersions> puts;
    std::size_t next = 1;
  };

  void Load();
  void OpenRaw();
  // The keys of the items in the store, and that the values are theirs.
  void FindRawItems();

  const std::filesystem::path folder_;
  const Durability durability_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<rocksdb::DB> raw_;

  std::vector<EmbeddedItem> embedded_items_;
  std::vector<RawItem> raw_items_;
};

}  // namespace taula::micro
