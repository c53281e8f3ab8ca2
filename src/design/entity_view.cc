#include "design/entity_view.h"

#include <algorithm>

namespace taula::design {
namespace {

std::string_view WithoutPadding(std::string_view digits) {
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return digits;
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

}  // namespace

std::optional<ValueView> EntityView::Stored(std::size_t attribute) const {
  const CompiledAttribute& compiled = entity_.attributes[attribute];
  if (!compiled.slot && !compiled.holder) return std::nullopt;
  std::optional<ValueView> value = compiled.slot ? item_.Find(*compiled.slot) : Stored(*compiled.holder);
  if (value && !compiled.slot) value = FindField(*value, entity_.PathInHolder(compiled));
  return value && value->type() != Type::kNull ? value : std::nullopt;
}

std::optional<std::string_view> EntityView::Text(std::size_t attribute, NumberText& room) const {
  if (const std::optional<ValueView> stored = Stored(attribute)) return TextOf(*stored, room);
  return TextInKeys(attribute);
}

std::optional<std::string_view> EntityView::TextInKeys(std::size_t attribute) const {
  const std::optional<std::size_t>& reference = entity_.attributes[attribute].reference;
  if (!reference) {
    const bool is_stored = entity_.attributes[attribute].slot || entity_.attributes[attribute].holder;
    return is_stored ? std::nullopt : TextInIndexKeys(attribute);
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
