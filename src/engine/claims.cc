#include "engine/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"

namespace taula::engine {
namespace {

constexpr char kClaimKind = 'U';

std::string ClaimPrefix(codec::SpaceId space) {
  std::string prefix(1, kClaimKind);
  base::AppendBigEndianU32(prefix, space);
  return prefix;
}

storage::Key ClaimKey(const catalog::Table& table, const catalog::Claim& claim) {
  return ClaimPrefix(table.space).append(claim.name);
}

std::vector<catalog::Claim> ClaimsOf(const catalog::Table& table, std::optional<ValueView> item) {
  if (!item) return {};
  return table.rules->Claims(*item);
}

bool HasClaim(const std::vector<catalog::Claim>& claims, const catalog::Claim& claim) {
  return std::ranges::find(claims, claim.name, &catalog::Claim::name) != claims.end();
}

std::size_t PlaceOf(std::span<const storage::Key> reads, const storage::Key& key) {
  return static_cast<std::size_t>(std::ranges::find(reads, key) - reads.begin());
}

}  // namespace

storage::Range ClaimRange(codec::SpaceId space) {
  const std::string prefix = ClaimPrefix(space);
  return {prefix, codec::PrefixEnd(prefix)};
}

std::vector<storage::Key> ClaimKeys(const catalog::Table& table, ValueView item) {
  std::vector<storage::Key> keys;
  for (const catalog::Claim& claim : table.rules->Claims(item)) keys.push_back(ClaimKey(table, claim));
  return keys;
}

Error NotUnique(std::string_view meaning) {
  return {ErrorCode::kConditionalCheckFailedException,
          fmt::format("Not unique: another item has {}", meaning),
          std::nullopt,
          {}};
}

void ClaimChanges::Note(std::size_t action, const catalog::Table& table, std::optional<ValueView> before,
                        std::optional<ValueView> after, std::string_view owner) {
  const std::vector<catalog::Claim> old_claims = ClaimsOf(table, before);
  const std::vector<catalog::Claim> new_claims = ClaimsOf(table, after);
  for (const catalog::Claim& claim : old_claims) {
    if (!HasClaim(new_claims, claim)) Add(action, table, claim, owner, false);
  }
  for (const catalog::Claim& claim : new_claims) {
    if (!HasClaim(old_claims, claim)) Add(action, table, claim, owner, true);
  }
}

void ClaimChanges::Add(std::size_t action, const catalog::Table& table, const catalog::Claim& claim,
                       std::string_view owner, bool taken) {
  changes_.push_back({action, ClaimKey(table, claim), claim.meaning, std::string(owner), taken});
}

std::vector<storage::Key> ClaimChanges::Missing(std::span<const storage::Key> reads) const {
  std::vector<storage::Key> missing;
  for (const Change& change : changes_) {
    if (PlaceOf(reads, change.key) == reads.size() && PlaceOf(missing, change.key) == missing.size()) {
      missing.push_back(change.key);
    }
  }
  return missing;
}

std::vector<ClaimChanges::Refusal> ClaimChanges::Write(std::span<const storage::Key> reads,
                                                       std::span<const std::optional<std::string_view>> values,
                                                       storage::Batch& batch) const {
  struct Owned {
    const storage::Key* key;
    std::optional<std::string_view> by;
  };
  std::vector<Owned> owned;
  const auto owner_of = [&](const storage::Key& key) -> Owned& {
    const auto found = std::ranges::find_if(owned, [&](const Owned& one) { return *one.key == key; });
    if (found != owned.end()) return *found;
    return owned.emplace_back(Owned{&key, values[PlaceOf(reads, key)]});
  };
  for (const Change& change : changes_) {
    if (change.taken) continue;
    Owned& claim = owner_of(change.key);
    if (claim.by == change.owner) claim.by.reset();
  }
  std::vector<Refusal> refusals;
  for (const Change& change : changes_) {
    if (!change.taken) continue;
    Owned& claim = owner_of(change.key);
    if (claim.by && *claim.by != change.owner)
      refusals.push_back({change.action, change.meaning, NotUnique(change.meaning)});
    claim.by = change.owner;
  }
  for (const Owned& claim : owned) {
    if (claim.by) {
      batch.Put(*claim.key, *claim.by);
    } else {
      batch.Delete(*claim.key);
    }
  }
  return refusals;
}

}  // namespace taula::engine
