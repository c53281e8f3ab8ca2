#include "embedded_pair.h"

#include <rocksdb/cache.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "codec/key_codec.h"
#include "codec/stored_item.h"
#include "samples.h"
#include "storage/rocksdb/folder.h"

namespace taula::micro {
namespace {

constexpr const char* kTable = "sample";

template <typename T>
T OrThrow(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

// Not the system's folder for temporary files: where that is memory, syncing costs nothing.
std::filesystem::path Parent() {
  const char* const asked = std::getenv("TAULA_MICRO_FOLDER");
  return asked != nullptr ? asked : std::filesystem::canonical("/proc/self/exe").parent_path();
}

std::filesystem::path MakeFolder() {
  std::string name = Parent() / "embedded-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made at " + name);
  return name;
}

CreateTableRequest TableRequest() {
  CreateTableRequest request;
  request.table_name = kTable;
  request.attribute_definitions = {{"PK", Type::kString}, {"SK", Type::kString}};
  request.key_schema = {{"PK", KeyType::kHash}, {"SK", KeyType::kRange}};
  request.billing_mode = BillingMode::kPayPerRequest;
  return request;
}

GetItemRequest GetRequest(int number) {
  GetItemRequest get;
  get.table_name = kTable;
  get.key = NumberedKey(number);
  return get;
}

QueryRequest NewestRequest(int number) {
  QueryRequest query;
  query.table_name = kTable;
  query.key_condition_expression = "PK = :pk AND begins_with(SK, :prefix)";
  query.attributes.values = AttributeValues{{":pk", PartitionKeyOf(number)}, {":prefix", "EVENT#"}};
  query.scan_index_forward = false;
  query.limit = EmbeddedPair::kPageItems;
  return query;
}

UpdateItemRequest UpdateRequest(int number) {
  UpdateItemRequest update;
  update.table_name = kTable;
  update.key = NumberedKey(number);
  update.update_expression = "SET stock = stock - :quantity";
  update.condition_expression = "stock >= :quantity";
  update.attributes.values = AttributeValues{{":quantity", 1}};
  return update;
}

PutItemRequest PutRequest(int number, const char* status) {
  PutItemRequest put;
  put.table_name = kTable;
  put.item = NumberedItem(number).Set("status", status);
  return put;
}

std::string Stored(const Item& item) {
  std::string stored;
  codec::AppendStoredItem(stored, item.view());
  return stored;
}

std::size_t StoredBytes(const Item& item) { return codec::kStoredItemHeaderBytes + item.encoded().size(); }

}  // namespace

EmbeddedPair::EmbeddedPair(Durability durability) : folder_(MakeFolder()), durability_(durability) {
  for (int number = 0; number < kItems; ++number) {
    embedded_items_.push_back({.get = GetRequest(number),
                               .query = NewestRequest(number),
                               .update = UpdateRequest(number),
                               .puts = {PutRequest(number, "active"), PutRequest(number, "paused")}});
  }
  DatabaseOptions options;
  options.path = folder_ / "embedded";
  options.durability = Durability::kRelaxed;
  database_ = OrThrow(Database::Open(options));
  Load();
  database_.reset();
  std::filesystem::copy(folder_ / "embedded", folder_ / "raw", std::filesystem::copy_options::recursive);
  OpenRaw();
  FindRawItems();
  options.durability = durability;
  database_ = OrThrow(Database::Open(options));
}

EmbeddedPair::~EmbeddedPair() {
  database_.reset();
  raw_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void EmbeddedPair::Load() {
  OrThrow(database_->CreateTable(TableRequest()));
  for (const EmbeddedItem& item : embedded_items_) OrThrow(database_->PutItem(item.puts[0]));
}

// With the block cache and the write buffers that Taula gives its own RocksDB
// (storage/rocksdb/rocksdb_store.cc, database/open.cc).
void EmbeddedPair::OpenRaw() {
  const DatabaseOptions defaults;
  storage::RocksDbOptions options;
  options.path = folder_ / "raw";
  options.cache_bytes = defaults.cache_bytes;
  options.write_buffer_bytes = defaults.cache_bytes / 4;
  auto opened = storage::OpenFolder(options, rocksdb::NewLRUCache(defaults.cache_bytes / 10 * 7));
  if (!opened) throw std::runtime_error(opened.error());
  raw_ = *std::move(opened);
}

void EmbeddedPair::FindRawItems() {
  raw_items_.resize(kItems);
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> at(raw_->NewIterator(options));
  int found = 0;
  for (at->Seek(std::string(1, codec::kDataKind)); at->Valid() && at->key()[0] == codec::kDataKind; at->Next()) {
    const ValueView item = codec::StoredItemValue(at->value().ToStringView());
    const std::string_view event = item.Find("GSI1PK")->bytes();
    const auto number = std::stoul(std::string(event.substr(event.find('#') + 1)));
    const auto& puts = embedded_items_.at(number).puts;
    raw_items_[number] = {at->key().ToString(), {Stored(puts[0].item), Stored(puts[1].item)}};
    if (raw_items_[number].values[0] != at->value()) throw std::runtime_error("a stored item is not what was put");
    ++found;
  }
  if (found != kItems) throw std::runtime_error("not every item is in the store");
}

std::size_t EmbeddedPair::EmbeddedGet(std::size_t number) {
  const Result<GetItemResponse> answer = database_->GetItem(embedded_items_[number].get);
  return answer && answer->item ? StoredBytes(*answer->item) : 0;
}

std::size_t EmbeddedPair::RawGet(std::size_t number) {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = raw_->Get({}, raw_->DefaultColumnFamily(), raw_items_[number].key, &value);
  return status.ok() ? value.size() : 0;
}

std::size_t EmbeddedPair::EmbeddedQuery(std::size_t number) {
  const Result<PageResponse> answer = database_->Query(embedded_items_[number].query);
  if (!answer || answer->count != kPageItems) return 0;
  std::size_t bytes = 0;
  for (const Item& item : answer->items) bytes += StoredBytes(item);
  return bytes;
}

std::size_t EmbeddedPair::RawQuery(std::size_t number) {
  const std::string_view partition = std::string_view(raw_items_[number].key).substr(0, codec::kPartitionPrefixBytes);
  const std::string end = codec::PrefixEnd(partition);
  const rocksdb::Slice lower = partition;
  const rocksdb::Slice upper = end;
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> at(raw_->NewIterator(options));
  std::size_t bytes = 0;
  int seen = 0;
  for (at->SeekToLast(); at->Valid() && seen < kPageItems; at->Prev(), ++seen) bytes += at->value().size();
  return seen == kPageItems ? bytes : 0;
}

std::size_t EmbeddedPair::EmbeddedPut(std::size_t number) {
  EmbeddedItem& item = embedded_items_[number];
  const PutItemRequest& request = item.puts[item.next];
  item.next = (item.next + 1) % kVersions;
  return database_->PutItem(request) ? StoredBytes(request.item) : 0;
}

std::size_t EmbeddedPair::RawPut(std::size_t number) {
  rocksdb::WriteOptions options;
  options.sync = durability_ == Durability::kSync;
  RawItem& item = raw_items_[number];
  const std::string& value = item.values[item.next];
  item.next = (item.next + 1) % kVersions;
  return raw_->Put(options, item.key, value).ok() ? value.size() : 0;
}

std::size_t EmbeddedPair::EmbeddedUpdate(std::size_t number) {
  return database_->UpdateItem(embedded_items_[number].update) ? raw_items_[number].values[0].size() : 0;
}

std::size_t EmbeddedPair::RawUpdate(std::size_t number) { return RawGet(number) == 0 ? 0 : RawPut(number); }

}  // namespace taula::micro
