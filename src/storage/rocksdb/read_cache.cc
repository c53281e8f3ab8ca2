#include "storage/rocksdb/read_cache.h"

#include <cstring>
#include <new>

#include "base/bytes.h"
#include "storage/rocksdb/tuning.h"

namespace taula::storage {
namespace {

// An item's size at most, and what is stored beside it.
constexpr std::size_t kValueBytesMax = std::size_t{512} << 10;
// Longer ones gain little and would push out many others.
constexpr std::size_t kScanBytesMax = std::size_t{32} << 10;

// First bytes of names in the cache. RocksDB's own names there have 16 bytes;
// one of ours that would be as long gets another byte, and says so.
constexpr char kKeyName = 'K';
constexpr char kForwardName = 'F';
constexpr char kReverseName = 'R';
constexpr char kLengthened = 1;  // added to the first byte
constexpr std::size_t kRocksDbNameBytes = 16;

// Of the capacity, while single values still keep their blocks.
constexpr double kRoomForBlocks = 0.75;
// The cache counts its bytes under locks, so it is asked only now and then.
constexpr std::uint32_t kAsksOfRoom = 64;

std::string_view PartitionOf(std::string_view key) { return key.substr(0, kPrefixBytes); }

}  // namespace

// One allocation: this, and the bytes behind it.
struct ReadCache::Answer {
  // Written last and read first. The cache's locks order all of it, but those of
  // a library that was built without ThreadSanitizer are not seen by it.
  std::atomic<std::uint64_t> begun;
  std::uint64_t generation;
  std::size_t bytes;

  [[nodiscard]] const char* data() const { return reinterpret_cast<const char*>(this + 1); }
  [[nodiscard]] char* data() { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view view() const { return {data(), bytes}; }

  static void Delete(const rocksdb::Slice& /*name*/, void* answer) { ::operator delete(answer); }
};

// Holds an answer that is in the cache and good.
class ReadCache::Hit {
 public:
  Hit(const ReadCache& cache, const Question& question) : cache_(*cache.cache_) {
    handle_ = cache_.Lookup(question.name());
    if (handle_ == nullptr) return;
    const auto* const answer = static_cast<const Answer*>(cache_.Value(handle_));
    const bool is_newest = answer->begun.load(std::memory_order_acquire) == question.begun_;
    if (is_newest && answer->generation == question.generation_) answer_ = answer;
  }
  ~Hit() {
    // One that is no longer good will never be again.
    if (handle_ != nullptr) cache_.Release(handle_, answer_ == nullptr);
  }
  Hit(const Hit&) = delete;
  Hit& operator=(const Hit&) = delete;

  [[nodiscard]] const Answer* answer() const { return answer_; }

 private:
  rocksdb::Cache& cache_;
  rocksdb::Cache::Handle* handle_ = nullptr;
  const Answer* answer_ = nullptr;
};

ReadCache::ReadCache(std::shared_ptr<rocksdb::Cache> cache)
    : cache_(std::move(cache)), keys_(std::make_unique<Stripes>()), partitions_(std::make_unique<Stripes>()) {}

ReadCache::Stripe& ReadCache::StripeOfPartition(std::string_view key) {
  return (*partitions_)[HashKey(PartitionOf(key)) % kStripes];
}

bool ReadCache::HasRoomForBlocks() {
  if (room_asked_.fetch_add(1, std::memory_order_relaxed) % kAsksOfRoom == 0) {
    const double used = static_cast<double>(cache_->GetUsage()) / static_cast<double>(cache_->GetCapacity());
    has_room_.store(used < kRoomForBlocks, std::memory_order_relaxed);
  }
  return has_room_.load(std::memory_order_relaxed);
}

// Ended is read before begun. The other way round a write could begin in
// between, and they would be equal for all that.
ReadCache::Question::Question(ReadCache& cache, const HashedKey& key)
    : stripe_(cache.StripeOfKey(key)),
      generation_(cache.generation_.load()),
      ended_(stripe_.ended.load()),
      begun_(stripe_.begun.load()) {
  Name(kKeyName, {key.key});
}

ReadCache::Question::Question(ReadCache& cache, const Range& range, const ScanOptions& options)
    : stripe_(cache.StripeOfPartition(range.begin)),
      generation_(cache.generation_.load()),
      ended_(stripe_.ended.load()),
      begun_(stripe_.begun.load()) {
  std::string begin_length;
  base::AppendVarint(begin_length, static_cast<std::uint32_t>(range.begin.size()));
  Name(options.reverse ? kReverseName : kForwardName, {begin_length, range.begin, range.end});
}

void ReadCache::Question::Name(char kind, std::initializer_list<std::string_view> parts) {
  name_.push_back(kind);
  for (const std::string_view part : parts) name_.insert(name_.end(), part.begin(), part.end());
  if (name_.size() != kRocksDbNameBytes) return;
  name_.front() = static_cast<char>(kind + kLengthened);
  name_.push_back('\0');
}

bool ReadCache::Get(const Question& question, Found found) const {
  const Hit hit(*this, question);
  if (hit.answer() == nullptr) return false;
  found(hit.answer()->view());
  return true;
}

// A scan's answer: how many entries, whether that is all there is, the entries.
bool ReadCache::Scan(const Question& question, std::size_t items_max, Visit visit) const {
  const Hit hit(*this, question);
  if (hit.answer() == nullptr) return false;
  const char* at = hit.answer()->data();
  const char* const end = at + hit.answer()->bytes;
  const std::uint32_t count = base::ReadVarint(at);
  const bool complete = *at++ != 0;
  if (!complete && (items_max == 0 || items_max > count)) return false;
  for (std::size_t left = items_max == 0 ? count : items_max; at != end && left > 0; --left) {
    const std::uint32_t key_bytes = base::ReadVarint(at);
    const std::uint32_t value_bytes = base::ReadVarint(at);
    const char* const key = at;
    at += key_bytes + value_bytes;
    if (!visit({key, key_bytes}, {key + key_bytes, value_bytes})) break;
  }
  return true;
}

void ReadCache::Recording::Add(std::string_view key, std::string_view value) {
  ++count_;
  if (too_long_ || entries_.size() + key.size() + value.size() > kScanBytesMax) {
    too_long_ = true;
    return;
  }
  base::AppendVarint(entries_, static_cast<std::uint32_t>(key.size()));
  base::AppendVarint(entries_, static_cast<std::uint32_t>(value.size()));
  entries_.append(key).append(value);
}

void ReadCache::Keep(const Question& question, std::string_view value) {
  if (value.size() > kValueBytesMax || question.begun_ != question.ended_) return;
  Insert(question, MakeAnswer(question, value));
}

void ReadCache::Keep(const Question& question, const Recording& recording) {
  if (recording.too_long_ || question.begun_ != question.ended_) return;
  std::string bytes;
  bytes.reserve(recording.entries_.size() + 8);
  base::AppendVarint(bytes, recording.count_);
  bytes.push_back(recording.complete_ ? 1 : 0);
  bytes.append(recording.entries_);
  Insert(question, MakeAnswer(question, bytes));
}

void ReadCache::Renew(const HashedKey& key, std::string_view value, std::uint64_t number) {
  const Question question(*this, key);
  if (question.begun_ != number) return;
  rocksdb::Cache::Handle* const handle = cache_->Lookup(question.name());
  if (handle == nullptr) return;
  cache_->Release(handle);
  Keep(question, value);
}

ReadCache::Answer* ReadCache::MakeAnswer(const Question& question, std::string_view bytes) {
  void* const memory = ::operator new(sizeof(Answer) + bytes.size());
  auto* const answer = new (memory) Answer{.begun = 0, .generation = question.generation_, .bytes = bytes.size()};
  std::memcpy(answer->data(), bytes.data(), bytes.size());
  answer->begun.store(question.begun_, std::memory_order_release);
  return answer;
}

void ReadCache::Insert(const Question& question, Answer* answer) {
  // Takes the answer, also when it has no room for it.
  cache_->Insert(question.name(), answer, sizeof(Answer) + answer->bytes, &Answer::Delete).PermitUncheckedError();
}

std::uint64_t ReadCache::Write::Begin(const HashedKey& key) {
  Begin(cache_.StripeOfPartition(key.key));
  return Begin(cache_.StripeOfKey(key));
}

std::uint64_t ReadCache::Write::Begin(Stripe& stripe) {
  stripes_.push_back(&stripe);
  return stripe.begun.fetch_add(1) + 1;
}

ReadCache::Write::~Write() {
  for (Stripe* const stripe : stripes_) stripe->ended.fetch_add(1);
}

}  // namespace taula::storage
