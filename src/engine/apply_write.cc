#include "engine/apply_write.h"

#include <algorithm>
#include <cstdlib>

#include "base/limits.h"
#include "catalog/item_rules.h"
#include "codec/stored_item.h"
#include "engine/change_log.h"
#include "engine/expiry.h"
#include "engine/history.h"
#include "engine/index_entries.h"
#include "engine/index_keys.h"
#include "engine/ordered_views.h"
#include "engine/statistics.h"
#include "engine/units.h"
#include "value/size.h"

namespace taula::engine {
namespace {

constexpr std::int64_t kCollectionBytesMax = 10LL * 1024 * 1024 * 1024;

// An item before or after the write: nothing, or its map, its size and the
// bytes that the store keeps for it.
struct Image {
  std::optional<ValueView> item;
  std::size_t bytes = 0;
  std::string_view stored;

  [[nodiscard]] std::int64_t signed_bytes() const { return static_cast<std::int64_t>(bytes); }
};

Image ImageOf(std::optional<std::string_view> stored) {
  if (!stored) return {};
  return {.item = codec::StoredItemValue(*stored), .bytes = codec::StoredItemSize(*stored), .stored = *stored};
}

// An index's entry for one image of the item.
struct Entry {
  const std::string* key = nullptr;  // null when the item is not in the index
  std::string own;                   // the stored form, when it differs from the item's
  std::string_view stored;
  std::size_t bytes = 0;

  [[nodiscard]] std::int64_t signed_bytes() const { return static_cast<std::int64_t>(bytes); }
};

// All but its key, which it has if the image is in the index.
void FillEntry(const catalog::Table& table, const catalog::Index& index, const Image& image, Entry& entry) {
  if (entry.key == nullptr) return;
  if (index.projection.type == ProjectionType::kAll) {
    entry.stored = image.stored;
    entry.bytes = image.bytes;
    return;
  }
  const std::string projected = ProjectItem(table, index, *image.item);
  codec::AppendStoredItem(entry.own, ValueView(projected.data()));
  entry.stored = entry.own;
  entry.bytes = codec::StoredItemSize(entry.stored);
}

// Whether two images of an item have the same place in the index.
bool HasSameKey(const catalog::Index& index, const Image& before, const Image& after) {
  if (!before.item || !after.item) return false;
  const auto is_same = [&](const catalog::KeyAttribute& attribute) {
    return before.item->Find(attribute.name) == after.item->Find(attribute.name);
  };
  return std::ranges::all_of(index.key.partition, is_same) && std::ranges::all_of(index.key.sort, is_same);
}

// An index's entries for an item before and after a write. They refer to keys in
// here, so it stays where it is.
struct Entries {
  Entries(const catalog::Table& table, const catalog::Index& index, const Image& before, const Image& after) {
    if (before.item) old_key = IndexStoreKey(table, index, *before.item);
    if (old_key) old_entry.key = &*old_key;
    if (HasSameKey(index, before, after)) {
      new_entry.key = old_entry.key;
    } else if (after.item) {
      new_key = IndexStoreKey(table, index, *after.item);
      if (new_key) new_entry.key = &*new_key;
    }
    FillEntry(table, index, before, old_entry);
    FillEntry(table, index, after, new_entry);
  }
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  std::optional<std::string> old_key;
  std::optional<std::string> new_key;  // when it is another
  Entry old_entry;
  Entry new_entry;
};

// Writes what changes in one index; returns what that costs, zero when the
// index does not see the change.
double WriteIndex(const catalog::Table& table, const catalog::Index& index, const Image& before, const Image& after,
                  storage::Batch& batch, std::int64_t& collection_delta) {
  const Entries entries(table, index, before, after);
  const Entry& old_entry = entries.old_entry;
  const Entry& new_entry = entries.new_entry;

  double units = 0;
  if (old_entry.key != nullptr && new_entry.key != nullptr && *old_entry.key == *new_entry.key) {
    if (old_entry.stored == new_entry.stored) return 0;
    batch.Put(*new_entry.key, new_entry.stored);
    units = WriteUnits(std::max(old_entry.bytes, new_entry.bytes));
  } else {
    if (old_entry.key != nullptr) {
      batch.Delete(*old_entry.key);
      if (KeepsViews(table, &index)) DeleteFromViews(table, &index, *old_entry.key, batch);
      units += WriteUnits(old_entry.bytes);
    }
    if (new_entry.key != nullptr) {
      batch.Put(*new_entry.key, new_entry.stored);
      if (KeepsViews(table, &index)) PutInViews(table, &index, *new_entry.key, batch);
      units += WriteUnits(new_entry.bytes);
    }
  }
  const std::int64_t byte_delta = new_entry.signed_bytes() - old_entry.signed_bytes();
  AddStatistics(batch, index.space, (new_entry.key != nullptr ? 1 : 0) - (old_entry.key != nullptr ? 1 : 0),
                byte_delta);
  if (!index.global) collection_delta += byte_delta;
  return units;
}

// Amazon holds two things against the limit: the finished item, and what the
// statement writes together with a fee for each of its clauses.
bool FitsItemLimit(const expression::Update& update, const Item& updated, std::size_t item_bytes) {
  if (item_bytes > base::kItemBytesMax) return false;
  const std::size_t fee = update.StatementCost();
  if (item_bytes + fee <= base::kItemBytesMax) return true;
  return value::ItemSize(update.ExtractUpdated(updated.attributes()).attributes()) + fee <= base::kItemBytesMax;
}

// The item that the action makes, in its stored form; empty when it makes none.
Result<std::string> MakeItem(const WriteAction& action, const Image& before) {
  std::string stored;
  switch (action.kind) {
    case WriteKind::kPut:
      codec::AppendStoredItem(stored, action.item.view());
      return stored;
    case WriteKind::kDelete:
    case WriteKind::kConditionCheck:
      return stored;
    case WriteKind::kUpdate:
      break;
  }
  const ValueView base = before.item.value_or(action.item.view());
  if (!action.update) {
    codec::AppendStoredItem(stored, base);
    return stored;
  }
  Result<Item> updated = action.update->Apply(base.map());
  if (!updated) return std::unexpected(std::move(updated.error()));
  if (Result<void> ok = CheckUpdatedIndexKeys(*action.table, *action.update, base, updated->view()); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  codec::AppendStoredItem(stored, updated->view());
  if (!FitsItemLimit(*action.update, *updated, codec::StoredItemSize(stored))) {
    return ValidationError("Item size to update has exceeded the maximum allowed size");
  }
  return stored;
}

// The item that was made, as the table's rules want it.
Result<std::string> KeepRules(const WriteAction& action, const WriteContext& context, const Image& before,
                              std::string made) {
  const catalog::Table& table = *action.table;
  Result<std::optional<Item>> kept = table.rules->Keep({.before = before.item,
                                                        .after = codec::StoredItemValue(made),
                                                        .is_update = action.kind == WriteKind::kUpdate,
                                                        .now_ms = context.now_ms});
  if (!kept) return std::unexpected(std::move(kept.error()));
  if (!*kept) return made;
  if (Result<void> ok = CheckIndexKeys(table, (*kept)->view()); !ok) return std::unexpected(std::move(ok.error()));
  if (action.kind == WriteKind::kPut && !table.rules->claims_id().empty()) {
    context.claims->Remember(context.action, **kept);
  }
  made.clear();
  codec::AppendStoredItem(made, (*kept)->view());
  if (codec::StoredItemSize(made) > base::kItemBytesMax) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  return made;
}

std::optional<Item> AnswerAttributes(const WriteAction& action, const Image& before, const Image& after) {
  const auto whole = [](const Image& image) {
    return image.item ? std::optional<Item>(Item(*image.item)) : std::nullopt;
  };
  const auto updated = [&action](const Image& image) -> std::optional<Item> {
    if (!image.item || !action.update) return std::nullopt;
    Item part = action.update->ExtractUpdated(image.item->map());
    if (part.empty()) return std::nullopt;
    return part;
  };
  switch (action.return_values) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return whole(before);
    case ReturnValues::kAllNew:
      return whole(after);
    case ReturnValues::kUpdatedOld:
      return updated(before);
    case ReturnValues::kUpdatedNew:
      return updated(after);
  }
  return std::nullopt;
}

std::unexpected<Error> ConditionFailed(const WriteAction& action, const Image& before) {
  Error error{ErrorCode::kConditionalCheckFailedException, "The conditional request failed", std::nullopt, {}};
  if (action.return_on_condition_failure == ReturnOnConditionFailure::kAllOld && before.item) {
    error.item = Item(*before.item);
  }
  return std::unexpected(std::move(error));
}

bool Holds(const WriteAction& action, const Image& before) {
  if (action.expired_by_s && !(before.item && IsExpired(*action.table, *before.item, *action.expired_by_s)))
    return false;
  if (!action.condition) return true;
  return action.condition->Evaluate(before.item ? before.item->map() : MapView({}));
}

Change ChangeOf(const WriteAction& action, const WriteContext& context, const Image& before, const Image& after) {
  Change change{
      .kind = ChangeKind::kModify, .now_ms = context.now_ms, .item_key = context.key, .before = {}, .after = {}};
  if (before.item) change.before = before.stored;
  if (after.item) change.after = after.stored;
  if (!before.item) change.kind = ChangeKind::kInsert;
  if (!after.item) change.kind = action.expired_by_s ? ChangeKind::kExpire : ChangeKind::kRemove;
  return change;
}

}  // namespace

Result<AppliedWrite> ApplyWrite(const WriteAction& action, const WriteContext& context,
                                std::optional<std::string_view> stored, storage::Batch& batch) {
  if (action.invalid) return std::unexpected(*action.invalid);
  const catalog::Table& table = *action.table;
  const Image before = ImageOf(stored);
  if (!Holds(action, before)) return ConditionFailed(action, before);

  AppliedWrite applied;
  ConsumedCapacity& capacity = applied.outcome.capacity;
  capacity.table_name = table.name;
  if (action.kind == WriteKind::kConditionCheck) {
    applied.image_bytes = before.bytes;
    capacity.table.write_units = context.table_factor * WriteUnits(before.bytes);
    return applied;
  }

  Result<std::string> made = MakeItem(action, before);
  if (made && table.rules != nullptr && !made->empty()) made = KeepRules(action, context, before, *std::move(made));
  if (!made) return std::unexpected(std::move(made.error()));
  const Image after = made->empty() ? Image{} : ImageOf(*made);
  if (table.rules != nullptr && !table.rules->claims_id().empty()) {
    context.claims->Note(context.action, table, before.item, after.item, context.key);
  }

  std::int64_t collection_delta = after.signed_bytes() - before.signed_bytes();
  for (const catalog::Index& index : table.indexes) {
    if (index.status == IndexStatus::kDeleting) continue;
    const double units = WriteIndex(table, index, before, after, batch, collection_delta);
    if (units == 0) continue;
    auto& indexes = index.global ? capacity.global_indexes : capacity.local_indexes;
    indexes[index.name].write_units += units;
  }
  if (table.has_local_indexes() && collection_delta != 0) {
    if (collection_delta > 0 && context.collection_bytes + collection_delta > kCollectionBytesMax) {
      return Fail(ErrorCode::kItemCollectionSizeLimitExceededException, "Collection size exceeded.");
    }
    batch.Add(CollectionKey(PartitionStoreKey(table, action.item.view())), collection_delta);
  }

  if (after.stored != before.stored) {
    if (KeepsHistory(table)) {
      LogHistory(table, context.key, context.now_ms, before.item ? std::optional(before.stored) : std::nullopt, batch);
    }
    if (LogsChanges(table)) LogChange(table, ChangeOf(action, context, before, after), batch);
    if (Expires(table)) MoveExpiry(table, context.key, before.item, after.item, batch);
  }
  if (after.item) {
    if (after.stored != before.stored) batch.Put(context.key, after.stored);
    if (!before.item && KeepsViews(table, nullptr)) PutInViews(table, nullptr, context.key, batch);
  } else if (before.item) {
    batch.Delete(context.key);
    if (KeepsViews(table, nullptr)) DeleteFromViews(table, nullptr, context.key, batch);
  }
  AddStatistics(batch, table.space, (after.item ? 1 : 0) - (before.item ? 1 : 0),
                after.signed_bytes() - before.signed_bytes());

  applied.image_bytes = std::max(before.bytes, after.bytes);
  capacity.table.write_units = context.table_factor * WriteUnits(applied.image_bytes);
  applied.outcome.attributes = AnswerAttributes(action, before, after);
  return applied;
}

}  // namespace taula::engine
