#include "catalog/catalog.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "catalog/item_rules.h"
#include "catalog/persist.h"
#include "catalog/stream_record.h"
#include "catalog/table_record.h"

namespace taula::catalog {

namespace {

// Persisted: do not change (docs/formats.md).
constexpr std::string_view kTablePrefix = "Ct";
constexpr std::string_view kDroppedPrefix = "Ce";
constexpr std::string_view kNextSpaceKey = "Cn";
constexpr std::string_view kStreamPrefix = "Cs";
constexpr std::string_view kTextPrefix = "Cx";

std::string TableKey(std::string_view name) { return std::string(kTablePrefix).append(name); }

std::string SpaceKey(std::string_view prefix, codec::SpaceId space) {
  std::string key(prefix);
  base::AppendBigEndianU32(key, space);
  return key;
}

std::string DroppedKey(codec::SpaceId space) { return SpaceKey(kDroppedPrefix, space); }

void PutStream(storage::Batch& batch, const Stream& stream) {
  batch.Put(SpaceKey(kStreamPrefix, stream.space), EncodeStream(stream).encoded());
}

storage::Range PrefixRange(std::string_view prefix) { return {std::string(prefix), codec::PrefixEnd(prefix)}; }

std::vector<codec::SpaceId> SpacesOf(const Table& table) {
  std::vector<codec::SpaceId> spaces = {table.space};
  for (const Index& index : table.indexes) spaces.push_back(index.space);
  if (table.recovery) spaces.push_back(table.recovery->space);
  return spaces;
}

std::unexpected<Error> NotFound(std::string_view name) {
  return Fail(ErrorCode::kResourceNotFoundException,
              "Requested resource not found: Table: " + std::string(name) + " not found");
}

}  // namespace

Result<std::unique_ptr<Catalog>> Catalog::Load(storage::Store& store) {
  std::unique_ptr<Catalog> catalog(new Catalog(store));
  std::optional<std::string> damaged;
  const storage::Status status =
      store.Scan(PrefixRange(kTablePrefix), {}, [&](std::string_view key, std::string_view value) {
        std::optional<Table> table = DecodeTable(ValueView(value.data()));
        if (!table) {
          damaged = key.substr(kTablePrefix.size());
          return false;
        }
        std::string name = table->name;
        catalog->by_name_.emplace(std::move(name), std::make_shared<const Table>(std::move(*table)));
        return true;
      });
  if (damaged) return Fail(ErrorCode::kInternalServerError, "The record of table " + *damaged + " is damaged");
  if (status != storage::Status::kOk) {
    return Fail(ErrorCode::kInternalServerError, "The tables cannot be read from the store");
  }
  if (auto streams = catalog->LoadStreams(); !streams) return std::unexpected(streams.error());
  if (auto backups = catalog->backups_.Load(); !backups) return std::unexpected(backups.error());
  if (auto exports = catalog->exports_.Load(); !exports) return std::unexpected(exports.error());
  if (auto imports = catalog->imports_.Load(); !imports) return std::unexpected(imports.error());
  return catalog;
}

Result<void> Catalog::LoadStreams() {
  bool damaged = false;
  const storage::Status status =
      store_.Scan(PrefixRange(kStreamPrefix), {}, [&](std::string_view /*key*/, std::string_view value) {
        std::optional<Stream> stream = DecodeStream(ValueView(value.data()));
        damaged = !stream;
        if (damaged) return false;
        const codec::SpaceId space = stream->space;
        streams_.emplace(space, std::make_shared<const Stream>(*std::move(stream)));
        return true;
      });
  if (damaged) return Fail(ErrorCode::kInternalServerError, "The record of a stream is damaged");
  if (status != storage::Status::kOk) {
    return Fail(ErrorCode::kInternalServerError, "The streams cannot be read from the store");
  }
  return {};
}

TablePtr Catalog::Find(std::string_view name) const {
  const std::shared_lock lock(tables_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::vector<std::string> Catalog::Names(std::string_view after, std::size_t limit) const {
  const std::shared_lock lock(tables_);
  std::vector<std::string> names;
  for (auto at = by_name_.upper_bound(after); at != by_name_.end() && names.size() < limit; ++at) {
    names.push_back(at->first);
  }
  return names;
}

std::vector<TablePtr> Catalog::All() const {
  const std::shared_lock lock(tables_);
  std::vector<TablePtr> tables;
  tables.reserve(by_name_.size());
  for (const auto& [name, table] : by_name_) tables.push_back(table);
  return tables;
}

Result<codec::SpaceId> Catalog::NewSpaces(std::size_t count) {
  const std::vector<storage::Key> reads = {storage::Key(kNextSpaceKey)};
  std::uint64_t first = 0;
  const storage::Commit commit = storage::MutateAndWait(
      store_, reads, [&](std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
        first = values[0] ? base::ReadU32(values[0]->data()) : 1;
        if (first + count > std::numeric_limits<codec::SpaceId>::max()) return false;
        std::string next;
        base::AppendU32(next, static_cast<std::uint32_t>(first + count));
        batch.Put(kNextSpaceKey, next);
        return true;
      });
  if (auto result = FromCommit(commit); !result) return std::unexpected(result.error());
  return static_cast<codec::SpaceId>(first);
}

Result<codec::SpaceId> Catalog::NewScratchSpace() {
  const Result<codec::SpaceId> space = NewSpaces(1);
  if (!space) return space;
  if (auto noted = Persist(store_, [&](storage::Batch& batch) { batch.Put(DroppedKey(*space), ""); }); !noted) {
    return std::unexpected(noted.error());
  }
  return space;
}

void Catalog::Publish(std::string_view name, TablePtr current) {
  const std::lock_guard lock(tables_);
  std::erase_if(replaced_, [](const auto& entry) { return entry.second.expired(); });
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) replaced_.emplace(found->second->id, found->second);
  if (current == nullptr) {
    by_name_.erase(found);
  } else if (found != by_name_.end()) {
    found->second = std::move(current);
  } else {
    by_name_.emplace(name, std::move(current));
  }
}

Result<TablePtr> Catalog::Add(Table table) {
  const std::lock_guard lock(changes_);
  if (Find(table.name) != nullptr) {
    return Fail(ErrorCode::kResourceInUseException, "Table already exists: " + table.name);
  }
  if (const auto rules = rules_.find(table.name); rules != rules_.end()) {
    table.rules = rules->second;
    // A new table has no items that could have claimed anything before, or that
    // its views could lack.
    table.claims_id = table.rules->claims_id();
    if (table.rules->range_queries()) table.range_queries = IndexStatus::kActive;
  }
  auto current = std::make_shared<const Table>(std::move(table));
  const Item record = EncodeTable(*current);
  StreamPtr stream = NewStream(nullptr, *current);
  auto persisted = Persist(store_, [&](storage::Batch& batch) {
    batch.Put(TableKey(current->name), record.encoded());
    if (stream != nullptr) PutStream(batch, *stream);
  });
  if (!persisted) return std::unexpected(persisted.error());
  if (stream != nullptr) Publish(std::move(stream));
  Publish(current->name, current);
  return current;
}

Result<TablePtr> Catalog::Change(std::string_view name, const std::function<Result<void>(Table&)>& change) {
  const std::lock_guard lock(changes_);
  TablePtr before = Find(name);
  if (before == nullptr) return NotFound(name);
  Table edited = *before;
  if (auto changed = change(edited); !changed) return std::unexpected(changed.error());

  auto current = std::make_shared<const Table>(std::move(edited));
  const Item record = EncodeTable(*current);
  const std::vector<codec::SpaceId> kept = SpacesOf(*current);
  StreamPtr stream = NewStream(before.get(), *current);
  auto persisted = Persist(store_, [&](storage::Batch& batch) {
    batch.Put(TableKey(name), record.encoded());
    if (stream != nullptr) PutStream(batch, *stream);
    for (const codec::SpaceId space : SpacesOf(*before)) {
      if (std::ranges::find(kept, space) == kept.end()) batch.Put(DroppedKey(space), "");
    }
  });
  if (!persisted) return std::unexpected(persisted.error());
  before.reset();
  if (stream != nullptr) Publish(std::move(stream));
  Publish(name, current);
  return current;
}

Result<TablePtr> Catalog::Remove(std::string_view name, const std::function<Result<void>(const Table&)>& may_remove) {
  const std::lock_guard lock(changes_);
  TablePtr last = Find(name);
  if (last == nullptr) return NotFound(name);
  if (auto allowed = may_remove(*last); !allowed) return std::unexpected(allowed.error());
  auto persisted = Persist(store_, [&](storage::Batch& batch) {
    batch.Delete(TableKey(name));
    for (const codec::SpaceId space : SpacesOf(*last)) batch.Put(DroppedKey(space), "");
  });
  if (!persisted) return std::unexpected(persisted.error());
  Publish(name, nullptr);
  return last;
}

void Catalog::SetRules(std::string_view name, std::shared_ptr<const ItemRules> rules) {
  const std::lock_guard lock(changes_);
  if (rules == nullptr) {
    if (const auto found = rules_.find(name); found != rules_.end()) rules_.erase(found);
  } else {
    rules_.insert_or_assign(std::string(name), rules);
  }
  TablePtr before = Find(name);
  if (before == nullptr || before->rules == rules) return;
  auto current = std::make_shared<Table>(*before);
  current->rules = std::move(rules);
  before.reset();
  Publish(name, std::move(current));
}

void Catalog::SetRulesOf(const Catalog& other) {
  std::unique_lock lock(other.changes_);
  const auto rules = other.rules_;
  lock.unlock();
  for (const auto& [name, each] : rules) SetRules(name, each);
}

// Its first period begins before anybody can know of the stream and log to it.
StreamPtr Catalog::NewStream(const Table* before, const Table& after) const {
  if (after.stream_space == 0 || (before != nullptr && before->stream_space == after.stream_space)) return nullptr;
  auto stream = std::make_shared<Stream>();
  stream->space = after.stream_space;
  stream->table_name = after.name;
  stream->table_id = after.id;
  stream->label = after.stream_label;
  stream->view = after.stream->view_type.value_or(StreamViewType::kNewAndOldImages);
  stream->key = after.key;
  stream->created_ms = after.stream_since_ms;
  stream->lanes = kStreamLanes;
  stream->periods = {{.first_position = store_.LastPosition() + 1, .begun_ms = after.stream_since_ms}};
  return stream;
}

void Catalog::Publish(StreamPtr stream) {
  const std::lock_guard lock(tables_);
  const codec::SpaceId space = stream->space;
  streams_.insert_or_assign(space, std::move(stream));
}

std::vector<StreamPtr> Catalog::Streams() const {
  const std::shared_lock lock(tables_);
  std::vector<StreamPtr> streams;
  for (const auto& [space, stream] : streams_) streams.push_back(stream);
  return streams;
}

StreamPtr Catalog::FindStream(std::string_view table_name, std::string_view label) const {
  const std::shared_lock lock(tables_);
  for (const auto& [space, stream] : streams_) {
    if (stream->table_name == table_name && stream->label == label) return stream;
  }
  return nullptr;
}

Result<void> Catalog::ChangeStream(codec::SpaceId space, const std::function<void(Stream&)>& change) {
  const std::lock_guard lock(changes_);
  StreamPtr before;
  {
    const std::shared_lock tables(tables_);
    const auto found = streams_.find(space);
    if (found == streams_.end()) return {};
    before = found->second;
  }
  auto current = std::make_shared<Stream>(*before);
  change(*current);
  auto persisted = Persist(store_, [&](storage::Batch& batch) { PutStream(batch, *current); });
  if (persisted) Publish(std::move(current));
  return persisted;
}

Result<void> Catalog::RemoveStream(codec::SpaceId space) {
  const std::lock_guard lock(changes_);
  auto persisted = Persist(store_, [&](storage::Batch& batch) {
    batch.Delete(SpaceKey(kStreamPrefix, space));
    batch.Put(DroppedKey(space), "");
  });
  if (!persisted) return persisted;
  const std::lock_guard tables(tables_);
  streams_.erase(space);
  return {};
}

Result<std::optional<std::string>> Catalog::SavedText(std::string_view name) const {
  std::optional<std::string> text;
  const storage::Status status =
      store_.Get(std::string(kTextPrefix).append(name), [&](std::string_view value) { text = value; });
  if (status != storage::Status::kOk) {
    return Fail(ErrorCode::kInternalServerError, "The store could not be read; the server's log says why.");
  }
  return text;
}

Result<void> Catalog::SaveText(std::string_view name, std::string_view text) {
  return Persist(store_, [&](storage::Batch& batch) { batch.Put(std::string(kTextPrefix).append(name), text); });
}

Result<std::vector<codec::SpaceId>> Catalog::Dropped() const {
  std::vector<codec::SpaceId> spaces;
  const storage::Status status =
      store_.Scan(PrefixRange(kDroppedPrefix), {}, [&](std::string_view key, std::string_view) {
        spaces.push_back(base::ReadBigEndianU32(key.data() + kDroppedPrefix.size()));
        return true;
      });
  if (status != storage::Status::kOk) {
    return Fail(ErrorCode::kInternalServerError, "The dropped spaces cannot be read from the store");
  }
  return spaces;
}

Result<void> Catalog::ForgetDropped(codec::SpaceId space) {
  return Persist(store_, [&](storage::Batch& batch) { batch.Delete(DroppedKey(space)); });
}

bool Catalog::WaitForReaders(std::string_view table_id, const std::stop_token& stop) const {
  std::vector<std::weak_ptr<const Table>> readers;
  {
    const std::shared_lock lock(tables_);
    const auto [begin, end] = replaced_.equal_range(table_id);
    std::transform(begin, end, std::back_inserter(readers), [](const auto& entry) { return entry.second; });
  }
  // Readers let go within the time of a request; polling spares them the cost
  // of telling anyone.
  constexpr auto kPause = std::chrono::milliseconds(1);
  for (const std::weak_ptr<const Table>& reader : readers) {
    while (!reader.expired()) {
      if (stop.stop_requested()) return false;
      std::this_thread::sleep_for(kPause);
    }
  }
  return true;
}

}  // namespace taula::catalog
