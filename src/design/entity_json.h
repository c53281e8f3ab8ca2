// Entities as answers have them: plain JSON, attributes in the order of the
// design, no keys and no secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/derive.h"
#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

struct EntityJson {
  const std::vector<std::string>& returns;  // only these, unless it is empty
  bool named = false;                       // with "$entity"
};

// Whether an attribute is among those that an operation returns: "data.title"
// asks for title, "preferences.theme" for preferences.
[[nodiscard]] bool IsAsked(const std::vector<std::string>& returns, const Entity& entity, std::string_view name);

// `item` is a stored one of this entity.
void AppendEntityJson(std::string& out, const Deriver& deriver, const Entity& entity, ValueView item,
                      const EntityJson& form);

}  // namespace taula::design
