// A set of records that the store keeps under one prefix, each known by its id:
// backups, exports, imports. All of them are in memory, too.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/persist.h"
#include "codec/key_codec.h"
#include "storage/store.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::catalog {

// How one kind of record is kept. Specialised for each, with
//   kPrefix         of its keys; persisted: do not change
//   kName           for messages: "a backup"
//   Encode, Decode  to an item and back; nothing when it is not one
template <typename Record>
struct RecordKind;

// Reads never wait for the store. Changes are serialised, durable when they
// return, and seen by every Find that starts later.
template <typename Record>
class RecordSet {
 public:
  using Pointer = std::shared_ptr<const Record>;
  using Kind = RecordKind<Record>;

  explicit RecordSet(storage::Store& store) : store_(store) {}

  // To be called once, before all else.
  [[nodiscard]] Result<void> Load() {
    const std::string prefix(Kind::kPrefix);
    bool damaged = false;
    const storage::Status status =
        store_.Scan({prefix, codec::PrefixEnd(prefix)}, {}, [&](std::string_view /*key*/, std::string_view value) {
          std::optional<Record> record = Kind::Decode(ValueView(value.data()));
          damaged = !record;
          if (damaged) return false;
          std::string id = record->id;
          records_.emplace(std::move(id), std::make_shared<const Record>(*std::move(record)));
          return true;
        });
    if (!damaged && status == storage::Status::kOk) return {};
    return Fail(ErrorCode::kInternalServerError,
                std::string("The record of ").append(Kind::kName).append(damaged ? " is damaged" : " cannot be read"));
  }

  // In the order of their ids.
  [[nodiscard]] std::vector<Pointer> All() const {
    const std::shared_lock lock(looking_);
    std::vector<Pointer> records;
    records.reserve(records_.size());
    for (const auto& [id, record] : records_) records.push_back(record);
    return records;
  }

  // Nothing when there is none.
  [[nodiscard]] Pointer Find(std::string_view id) const {
    const std::shared_lock lock(looking_);
    const auto found = records_.find(id);
    return found == records_.end() ? nullptr : found->second;
  }

  // Adds it, or puts it in the place of the one with its id.
  [[nodiscard]] Result<void> Put(Record record) {
    const std::lock_guard changing(changing_);
    const Item encoded = Kind::Encode(record);
    if (auto kept = Persist(store_, [&](storage::Batch& batch) { batch.Put(Key(record.id), encoded.encoded()); });
        !kept) {
      return kept;
    }
    const std::lock_guard lock(looking_);
    std::string id = record.id;
    records_.insert_or_assign(std::move(id), std::make_shared<const Record>(std::move(record)));
    return {};
  }

  [[nodiscard]] Result<void> Remove(std::string_view id) {
    const std::lock_guard changing(changing_);
    if (auto kept = Persist(store_, [&](storage::Batch& batch) { batch.Delete(Key(id)); }); !kept) return kept;
    const std::lock_guard lock(looking_);
    if (const auto found = records_.find(id); found != records_.end()) records_.erase(found);
    return {};
  }

 private:
  [[nodiscard]] static std::string Key(std::string_view id) { return std::string(Kind::kPrefix).append(id); }

  storage::Store& store_;
  std::mutex changing_;                // held through a whole change
  mutable std::shared_mutex looking_;  // held to look at or change what follows
  std::map<std::string, Pointer, std::less<>> records_;
};

}  // namespace taula::catalog
