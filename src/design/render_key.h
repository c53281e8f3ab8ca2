// A key's text from the attributes in its template.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "design/attribute_text.h"
#include "design/compiled_entity.h"

namespace taula::design {

// The text of an attribute (EntityView::Text).
using AttributeTexts = base::FunctionRef<std::optional<std::string_view>(std::size_t attribute, NumberText& room)>;

struct RenderedKey {
  // The part whose attribute has no value, or none that fits its transform.
  // Then the key has no text.
  std::optional<std::size_t> missing;
  // The part whose value cannot be told from what follows it in the text.
  std::optional<std::size_t> unreadable;
};

// Writes the text over what is in `out`.
[[nodiscard]] RenderedKey RenderKey(const CompiledTemplate& text, AttributeTexts texts, std::string& out);

// "status must not contain '#', which follows it in GSI1SK": for unreadable.
[[nodiscard]] std::string UnreadableClause(const CompiledTemplate& text, std::size_t part, std::string_view key);

}  // namespace taula::design
