// Answers of the store that are likely asked for again: values of single keys,
// and short scans inside one partition. A hit costs a twentieth of what RocksDB
// takes to find the same bytes in its own cache.
//
// Nothing is ever removed because of a write. Instead every key and every
// partition belongs to a stripe that counts the writes begun on it, an answer
// remembers the count it was read at, and is good only as long as that is the
// count. A write is counted before anybody can see it, so nobody who has seen it
// is shown an older answer afterwards.
#pragma once

#include <rocksdb/cache.h>

#include <array>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/hashed_key.h"
#include "storage/store.h"

namespace taula::storage {

class ReadCache {
  // Writes on the keys or partitions of one hash. Begun is never less than
  // ended, and they are equal when no write is on its way.
  struct Stripe {
    std::atomic<std::uint64_t> begun = 0;
    std::atomic<std::uint64_t> ended = 0;
  };

 public:
  using Found = base::FunctionRef<void(std::string_view value)>;
  using Visit = base::FunctionRef<bool(std::string_view key, std::string_view value)>;

  // Shares `cache`, and so its capacity, with RocksDB's blocks.
  explicit ReadCache(std::shared_ptr<rocksdb::Cache> cache);

  // A question to the store: to be asked here first, then, if there is no
  // answer, answered from RocksDB, and the answer given to Keep.
  class Question {
   public:
    Question(ReadCache& cache, const HashedKey& key);
    // The range lies within one partition.
    Question(ReadCache& cache, const Range& range, const ScanOptions& options);

   private:
    friend class ReadCache;
    void Name(char kind, std::initializer_list<std::string_view> parts);
    [[nodiscard]] rocksdb::Slice name() const { return {name_.data(), name_.size()}; }

    boost::container::small_vector<char, 192> name_;  // its key in the cache
    const Stripe& stripe_;
    std::uint64_t generation_;
    std::uint64_t ended_;
    std::uint64_t begun_;
  };

  // Whether the answer was there.
  bool Get(const Question& question, Found found) const;
  // The same for a scan, of which there are enough entries.
  bool Scan(const Question& question, std::size_t items_max, Visit visit) const;

  void Keep(const Question& question, std::string_view value);

  // Whether the block that a single value was found in should be kept as well.
  // As long as there is room its neighbours are likely to be asked for; later it
  // would take the place of twenty values that are.
  [[nodiscard]] bool HasRoomForBlocks();

  // Collects what a scan visits, to be kept when it is over.
  class Recording {
   public:
    void Add(std::string_view key, std::string_view value);
    // All of the range was visited.
    void Complete() { complete_ = true; }
    [[nodiscard]] std::size_t count() const { return count_; }

   private:
    friend class ReadCache;
    std::string entries_;
    std::uint32_t count_ = 0;
    bool complete_ = false;
    bool too_long_ = false;
  };
  void Keep(const Question& question, const Recording& recording);

  // Says that keys are about to be written, and at its end that they are.
  class Write {
   public:
    explicit Write(ReadCache& cache) : cache_(cache) {}
    ~Write();
    Write(const Write&) = delete;
    Write& operator=(const Write&) = delete;

    // The number of the write among those of the key's stripe.
    std::uint64_t Begin(const HashedKey& key);

   private:
    std::uint64_t Begin(Stripe& stripe);

    ReadCache& cache_;
    std::vector<Stripe*> stripes_;
  };

  // Puts what has just been written into the place of the older value, if there is
  // that: who reads and writes a key finds it here every time. Not if a write with
  // a greater number than this one's has begun.
  void Renew(const HashedKey& key, std::string_view value, std::uint64_t number);

  // Makes every answer bad. Before and after whatever is no single write.
  void ForgetAll() { generation_.fetch_add(1); }

 private:
  static constexpr std::size_t kStripes = std::size_t{1} << 14;
  using Stripes = std::array<Stripe, kStripes>;

  struct Answer;
  class Hit;

  [[nodiscard]] Stripe& StripeOfKey(const HashedKey& key) { return (*keys_)[key.hash % kStripes]; }
  [[nodiscard]] Stripe& StripeOfPartition(std::string_view key);
  void Insert(const Question& question, Answer* answer);
  static Answer* MakeAnswer(const Question& question, std::string_view bytes);

  const std::shared_ptr<rocksdb::Cache> cache_;
  const std::unique_ptr<Stripes> keys_;
  const std::unique_ptr<Stripes> partitions_;
  std::atomic<std::uint64_t> generation_ = 0;
  std::atomic<std::uint32_t> room_asked_ = 0;
  std::atomic<bool> has_room_ = true;
};

}  // namespace taula::storage
