#include "design/entity_view.h"

#include <algorithm>

namespace taula::design {
namespace {

std::string_view WithoutPadding(std::string_view digits) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return digits.substr(first);
}

}  // namespace

std::optional<ValueView> EntityView::Stored(std::size_t attribute) const {
  const std::optional<ItemLayout::Slot>& slot = entity_.attributes[attribute].slot;
  if (!slot) return std::nullopt;
  const std::optional<ValueView> value = item_.Find(*slot);
  return value && value->type() != Type::kNull ? value : std::nullopt;
}

std::optional<std::string_view> EntityView::Text(std::size_t attribute, NumberText& room) const {
  if (const std::optional<ValueView> stored = Stored(attribute)) return TextOf(*stored, room);
  return TextInKeys(attribute);
}

std::optional<std::string_view> EntityView::TextInKeys(std::size_t attribute) const {
  const std::optional<std::size_t>& reference = entity_.attributes[attribute].reference;
  if (!reference) {
    return entity_.attributes[attribute].slot ? std::nullopt : TextInIndexKeys(attribute);
  }
  if (*reference >= key_.size()) return std::nullopt;
  const std::string_view text = key_.text(*reference);
  return entity_.references[*reference].transform == Transform::kPad ? WithoutPadding(text) : text;
}

// For attributes that are neither stored nor in the primary key.
std::optional<std::string_view> EntityView::TextInIndexKeys(std::size_t attribute) const {
  const std::string& name = entity_.attributes[attribute].shape.name;
  for (const DerivedIndex& index : entity_.indexes) {
    for (const DerivedKey& key : index.keys) {
      const std::optional<ValueView> given = item_.Given(key.slot);
      if (!key.text || !key.text->text.Refers(name) || !given || given->type() != Type::kString) continue;
      const std::optional<Template::Values> values = key.text->text.Match(given->bytes());
      if (!values) continue;
      for (const auto& [reference, text] : *values) {
        if (reference == name) return text;
      }
    }
  }
  return std::nullopt;
}

}  // namespace taula::design
