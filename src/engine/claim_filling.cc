#include "engine/claim_filling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "catalog/item_rules.h"
#include "codec/stored_item.h"
#include "engine/claims.h"

namespace taula::engine {
namespace {

// Items of one mutation: enough to share a sync, few enough to hold no writer up.
constexpr std::size_t kItemsTogether = 256;
constexpr std::size_t kDuplicatesNamed = 5;

class Filling {
 public:
  Filling(storage::Store& store, catalog::TablePtr table) : store_(store), held_(std::move(table)), table_(*held_) {}

  Result<void> Run() {
    storage::Range rest = codec::SpaceRange(table_.space);
    while (!rest.begin.empty()) {
      if (!TakeItems(rest)) return Fail(ErrorCode::kInternalServerError, "The items cannot be read from the store");
      if (!FillItems()) return Fail(ErrorCode::kServiceUnavailable, "The store cannot be written at the moment");
    }
    if (duplicates_ == 0) return {};
    return ValidationError(fmt::format("Table {} has {} item{} whose values are not unique: {}{}", table_.name,
                                       duplicates_, duplicates_ == 1 ? "" : "s", fmt::join(named_, "; "),
                                       duplicates_ > named_.size() ? "; …" : ""));
  }

 private:
  // Leaves in `rest` what comes after them, nothing when that is all.
  bool TakeItems(storage::Range& rest) {
    keys_.clear();
    storage::Key next;
    const auto visit = [&](std::string_view key, std::string_view stored) {
      if (keys_.size() >= kItemsTogether) {
        next = key;
        return false;
      }
      std::vector<storage::Key> claims = ClaimKeys(table_, codec::StoredItemValue(stored));
      if (claims.empty()) return true;
      keys_.emplace_back(key);
      std::ranges::move(claims, std::back_inserter(keys_));
      return true;
    };
    if (store_.Scan(rest, {}, visit) != storage::Status::kOk) return false;
    rest.begin = std::move(next);
    return true;
  }

  // As they are by now. Claims that only they have by now are noted by those who
  // wrote them.
  bool FillItems() {
    if (keys_.empty()) return true;
    std::vector<ClaimChanges::Refusal> refusals;
    const auto decide = [&](std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
      ClaimChanges changes;
      for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (!keys_[i].starts_with(codec::kDataKind) || !values[i]) continue;
        const ValueView item = codec::StoredItemValue(*values[i]);
        const std::vector<storage::Key> claims = ClaimKeys(table_, item);
        const bool is_as_it_was = std::ranges::all_of(
            claims, [&](const storage::Key& claim) { return std::ranges::find(keys_, claim) != keys_.end(); });
        if (is_as_it_was) changes.Note(i, table_, std::nullopt, item, keys_[i]);
      }
      refusals = changes.Write(keys_, values, batch);
      return refusals.empty();
    };
    const storage::Commit commit = storage::MutateAndWait(store_, keys_, decide);
    for (ClaimChanges::Refusal& refusal : refusals) {
      ++duplicates_;
      if (named_.size() < kDuplicatesNamed) named_.push_back(std::move(refusal.meaning));
    }
    return commit == storage::Commit::kOk || commit == storage::Commit::kAborted;
  }

  storage::Store& store_;
  const catalog::TablePtr held_;
  const catalog::Table& table_;
  std::vector<storage::Key> keys_;  // of items, each followed by its claims'
  std::size_t duplicates_ = 0;
  std::vector<std::string> named_;
};

Result<void> NoteClaims(catalog::Catalog& catalog, std::string_view table_name, std::string_view claims_id) {
  Result<catalog::TablePtr> changed = catalog.Change(table_name, [&](catalog::Table& table) -> Result<void> {
    table.claims_id = claims_id;
    return {};
  });
  if (!changed) return std::unexpected(std::move(changed.error()));
  return {};
}

bool HasToFill(const catalog::Catalog& catalog, std::string_view table_name, const catalog::ItemRules* rules) {
  const catalog::TablePtr table = catalog.Find(table_name);
  return table != nullptr && rules != nullptr && !rules->claims_id().empty() && table->claims_id != rules->claims_id();
}

// Until all of them work with the current version of the table.
void WaitForWriters(const catalog::Catalog& catalog, std::string_view table_name) {
  // Only its id: who holds a version itself would wait forever.
  const std::string id = catalog.Find(table_name)->id;
  (void)catalog.WaitForReaders(id);
}

// Nobody else reads or writes claims when this is called.
Result<void> FillAnew(storage::Store& store, catalog::Catalog& catalog, std::string_view table_name,
                      const std::shared_ptr<const catalog::ItemRules>& rules) {
  if (Result<void> noted = NoteClaims(catalog, table_name, ""); !noted) return noted;
  const codec::SpaceId space = catalog.Find(table_name)->space;
  if (store.EraseRange(ClaimRange(space)) != storage::Status::kOk) {
    return Fail(ErrorCode::kServiceUnavailable, "The store cannot be written at the moment");
  }
  catalog.SetRules(table_name, rules);
  WaitForWriters(catalog, table_name);
  Result<void> filled = Filling(store, catalog.Find(table_name)).Run();
  if (filled) return NoteClaims(catalog, table_name, rules->claims_id());
  catalog.SetRules(table_name, nullptr);
  return filled;
}

}  // namespace

Result<void> PutRulesOn(storage::Store& store, catalog::Catalog& catalog, std::string_view table_name,
                        std::shared_ptr<const catalog::ItemRules> rules) {
  if (!HasToFill(catalog, table_name, rules.get())) {
    catalog.SetRules(table_name, std::move(rules));
    return {};
  }
  catalog.SetRules(table_name, nullptr);
  WaitForWriters(catalog, table_name);
  return FillAnew(store, catalog, table_name, rules);
}

Result<bool> GiveUpClaims(catalog::Catalog& catalog, const catalog::Table& table) {
  // Rules of another kind keep other claims, or none.
  const bool is_kept = table.rules != nullptr && table.rules->claims_id() == table.claims_id;
  if (table.claims_id.empty() || is_kept) return false;
  if (Result<void> noted = NoteClaims(catalog, table.name, ""); !noted)
    return std::unexpected(std::move(noted.error()));
  return true;
}

}  // namespace taula::engine
