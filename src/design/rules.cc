#include "design/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/attribute_text.h"
#include "design/claims.h"
#include "design/keep_item.h"

namespace taula::design {

DesignRules::DesignRules(const Design& design, const Table& table)
    : design_(design.name), checks_(design.checks), key_names_(table), range_queries_(table.range_queries) {
  for (const Entity& entity : design.entities) {
    if (entity.table != table.id) continue;
    entities_.push_back(std::make_unique<const CompiledEntity>(design, table, entity));
  }
  std::ranges::stable_sort(entities_, std::greater(), [](const auto& entity) { return entity->literal_size; });
  if (std::ranges::all_of(entities_, [](const auto& entity) { return entity->unique.empty(); })) return;
  for (const auto& entity : entities_) claims_id_ += DescribeClaims(*entity);
}

Result<std::optional<Item>> DesignRules::Keep(const catalog::ItemChange& change) const {
  if (change.is_update && change.before == change.after) return std::nullopt;
  const KeyTexts key(key_names_, change.after);
  const Found found = Find(key, change.after);
  if (found.entity != nullptr && found.contradicted == nullptr) {
    return KeepItem(*found.entity, change, found.key, warnings_);
  }
  const Checks checks = found.entity != nullptr ? found.entity->checks : checks_;
  if (checks == Checks::kOff || WasSoBefore(change, found)) return std::nullopt;
  std::string message = NoEntity(change.after);
  if (found.entity != nullptr) {
    message =
        fmt::format("{}: {} must be {}, not {}", found.entity->DoesNotFit(), found.contradicted->name,
                    Quoted(found.contradicted->value.view()), Quoted(*change.after.Find(found.contradicted->name)));
  }
  const Result<void> reported = Report(checks, std::move(message), warnings_);
  if (!reported) return std::unexpected(reported.error());
  return std::nullopt;
}

// An update leaves the key as it is, and perhaps the mark: then the item is no
// worse for it.
bool DesignRules::WasSoBefore(const catalog::ItemChange& change, const Found& found) {
  if (!change.is_update || !change.before) return false;
  if (found.contradicted == nullptr) return true;
  return change.before->Find(found.contradicted->name) == change.after.Find(found.contradicted->name);
}

std::vector<catalog::Claim> DesignRules::Claims(ValueView item) const {
  if (claims_id_.empty()) return {};
  const KeyTexts key(key_names_, item);
  const Found found = Find(key, item);
  if (found.entity == nullptr || found.contradicted != nullptr) return {};
  return ClaimsOf(*found.entity, item, found.key);
}

const CompiledEntity* DesignRules::EntityOf(ValueView item) const {
  const KeyTexts key(key_names_, item);
  const Found found = Find(key, item);
  return found.contradicted == nullptr ? found.entity : nullptr;
}

const CompiledEntity* DesignRules::FindEntity(std::string_view name) const {
  const auto found = std::ranges::find_if(entities_, [&](const auto& entity) { return entity->name == name; });
  return found == entities_.end() ? nullptr : found->get();
}

Result<std::optional<Item>> DesignRules::KeepAs(const CompiledEntity& entity, const catalog::ItemChange& change) const {
  const KeyTexts key(key_names_, change.after);
  KeyMatch match;
  static_cast<void>(entity.Match(key, match));
  return KeepItem(entity, change, match, warnings_);
}

DesignRules::Found DesignRules::Find(const KeyTexts& key, ValueView item) const {
  Found found;
  for (const auto& entity : entities_) {
    if (!entity->Match(key, found.key)) continue;
    const TypeMark* const contradicted = entity->Contradicted(item);
    if (contradicted != nullptr && found.entity != nullptr) continue;
    found.entity = entity.get();
    found.contradicted = contradicted;
    if (contradicted == nullptr) break;
  }
  return found;
}

std::string DesignRules::NoEntity(ValueView item) const {
  std::string key;
  const auto add = [&](const KeyPart& part) {
    const std::optional<ValueView> value = item.Find(part.name);
    if (value) key += fmt::format("{}{} {}", key.empty() ? "" : " and ", part.name, Quoted(*value));
  };
  add(key_names_.partition);
  if (key_names_.sort) add(*key_names_.sort);
  return fmt::format("Item fits no entity of design {}: no key template gives {}", design_, key);
}

std::shared_ptr<const DesignRules> MakeRules(const Design& design, const Table& table) {
  return std::make_shared<const DesignRules>(design, table);
}

}  // namespace taula::design
