// An item seen as its entity: attributes from where they are stored, or from
// the keys that hold them instead.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "design/attribute_text.h"
#include "design/compiled_entity.h"
#include "design/item_layout.h"
#include "taula/value.h"

namespace taula::design {

// Attributes by their numbers in CompiledEntity::attributes. What it is made of
// must live as long.
class EntityView {
 public:
  EntityView(const CompiledEntity& entity, const ItemEdit& item, const KeyMatch& key)
      : entity_(entity), item_(item), key_(key) {}

  // What is stored, changes included; a null is as good as nothing.
  [[nodiscard]] std::optional<ValueView> Stored(std::size_t attribute) const;

  // What stands in keys for an attribute, from a key where it is not stored.
  // Nothing when the value is empty or of a type that no key can hold. In
  // `room`, in the item or in a key.
  [[nodiscard]] std::optional<std::string_view> Text(std::size_t attribute, NumberText& room) const;

  // From the keys alone.
  [[nodiscard]] std::optional<std::string_view> TextInKeys(std::size_t attribute) const;

 private:
  [[nodiscard]] std::optional<std::string_view> TextInIndexKeys(std::size_t attribute) const;

  const CompiledEntity& entity_;
  const ItemEdit& item_;
  const KeyMatch& key_;
};

}  // namespace taula::design
