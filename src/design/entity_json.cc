#include "design/entity_json.h"

#include <algorithm>

#include "codec/json_writer.h"
#include "design/plain_json.h"

namespace taula::design {

bool IsAsked(const std::vector<std::string>& returns, const Entity& entity, std::string_view name) {
  if (returns.empty()) return true;
  return std::ranges::any_of(returns, [&](std::string_view path) {
    if (!entity.map.empty() && path.starts_with(entity.map + ".")) path.remove_prefix(entity.map.size() + 1);
    return path.substr(0, path.find('.')) == name || path == entity.map;
  });
}

void AppendEntityJson(std::string& out, const Deriver& deriver, const Entity& entity, ValueView item,
                      const EntityJson& form) {
  const Item attributes = deriver.AttributesOf(entity.name, item);
  bool first = true;
  const auto append = [&](std::string_view name, ValueView value) {
    if (!std::exchange(first, false)) out.push_back(',');
    codec::AppendStringJson(out, name);
    out.push_back(':');
    AppendPlainJson(out, value);
  };
  out.push_back('{');
  if (form.named) append("$entity", Value(entity.name).view());
  for (const Attribute& attribute : entity.attributes) {
    const auto value = attributes.Find(attribute.name);
    if (value && IsAsked(form.returns, entity, attribute.name)) append(attribute.name, *value);
  }
  for (const auto [name, value] : attributes.attributes()) {
    if (entity.Find(name) == nullptr && IsAsked(form.returns, entity, name)) append(name, value);
  }
  out.push_back('}');
}

}  // namespace taula::design
