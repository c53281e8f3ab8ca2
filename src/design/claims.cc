#include "design/claims.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "design/attribute_text.h"
#include "design/entity_view.h"
#include "design/item_layout.h"
#include "value/encoding.h"

namespace taula::design {
namespace {

// The value that is compared; nothing when the item has none.
std::optional<Value> ClaimedValue(const CompiledEntity& entity, const EntityView& view,
                                  const UniqueRule::Member& member) {
  std::optional<Value> value;
  if (const std::optional<ValueView> stored = view.Stored(member.attribute)) {
    value.emplace(*stored);
  } else if (const std::optional<std::string_view> text = view.TextInKeys(member.attribute)) {
    value = ValueOf(entity.attributes[member.attribute].shape, *text);
  }
  if (!value || value->type() != Type::kString) return value;
  return Value(*Apply(member.transform, 0, value->view().bytes()));
}

std::optional<catalog::Claim> ClaimOf(const CompiledEntity& entity, const EntityView& view, const UniqueRule& rule) {
  catalog::Claim claim;
  value::AppendName(claim.name, entity.name);
  for (const UniqueRule::Member& member : rule.members) {
    const std::optional<Value> value = ClaimedValue(entity, view, member);
    if (!value) return std::nullopt;
    const Attribute& shape = entity.attributes[member.attribute].shape;
    value::AppendName(claim.name, shape.name);
    value::AppendName(claim.name, value->encoded());
    claim.meaning += fmt::format("{}{} {}", claim.meaning.empty() ? "" : " and ", shape.name, Quoted(value->view()));
  }
  claim.meaning += fmt::format(" of entity {}", entity.name);
  return claim;
}

}  // namespace

std::vector<catalog::Claim> ClaimsOf(const CompiledEntity& entity, ValueView item, const KeyMatch& key) {
  std::vector<catalog::Claim> claims;
  const ItemEdit edit(entity.layout, item);
  const EntityView view(entity, edit, key);
  for (const UniqueRule& rule : entity.unique) {
    if (std::optional<catalog::Claim> claim = ClaimOf(entity, view, rule)) claims.push_back(std::move(*claim));
  }
  return claims;
}

std::string DescribeClaims(const CompiledEntity& entity) {
  std::string text = fmt::format("{} {}", entity.name, entity.partition.text.text());
  if (entity.sort) text += fmt::format(" {}", entity.sort->text.text());
  for (const TypeMark& mark : entity.type) text += fmt::format(" {}={}", mark.name, Quoted(mark.value.view()));
  for (const UniqueRule& rule : entity.unique) {
    text += " unique";
    for (const UniqueRule::Member& member : rule.members) {
      const CompiledAttribute& attribute = entity.attributes[member.attribute];
      // A value that is not stored gets its type from the attribute.
      const int type = attribute.slot ? -1 : static_cast<int>(attribute.shape.type);
      text += fmt::format(" {}.{}:{}:{}", attribute.shape.map, attribute.shape.name, type,
                          static_cast<int>(member.transform));
    }
  }
  return text + "\n";
}

}  // namespace taula::design
