#include "design/render_key.h"

#include <fmt/format.h>

namespace taula::design {
namespace {

// Template::CanHold, without its work where the literal's first character does
// not even occur.
bool IsReadable(const Template& text, std::size_t part, std::string_view value) {
  const std::vector<Template::Part>& parts = text.parts();
  if (part + 1 >= parts.size() || parts[part + 1].is_reference()) return true;
  if (value.find(parts[part + 1].literal.front()) == std::string_view::npos) return true;
  return text.CanHold(part, value);
}

}  // namespace

RenderedKey RenderKey(const CompiledTemplate& text, AttributeTexts texts, std::string& out) {
  out.clear();
  RenderedKey rendered;
  const std::vector<Template::Part>& parts = text.text.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Template::Part& part = parts[i];
    if (!part.is_reference()) {
      out += part.literal;
      continue;
    }
    NumberText room;
    const std::optional<std::string_view> value = texts(text.attributes[i], room);
    if (!value) return {.missing = i, .unreadable = rendered.unreadable};
    const std::size_t begin = out.size();
    if (part.transform == Transform::kNone) {
      out += *value;
    } else {
      const std::optional<std::string> transformed = Apply(part.transform, part.width, *value);
      if (!transformed) return {.missing = i, .unreadable = rendered.unreadable};
      out += *transformed;
    }
    if (!IsReadable(text.text, i, std::string_view(out).substr(begin))) rendered.unreadable = i;
  }
  return rendered;
}

std::string UnreadableClause(const CompiledTemplate& text, std::size_t part, std::string_view key) {
  return fmt::format("{} must not contain '{}', which follows it in {}", text.text.parts()[part].reference,
                     text.text.parts()[part + 1].literal, key);
}

}  // namespace taula::design
