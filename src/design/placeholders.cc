#include "design/placeholders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace taula::design {

std::string Placeholders::Name(std::string_view attribute) {
  for (const auto& [placeholder, name] : names_) {
    if (name == attribute) return placeholder;
  }
  const bool is_plain = !attribute.empty() && std::ranges::all_of(attribute, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
  std::string placeholder = is_plain ? fmt::format("#{}", attribute) : fmt::format("#n{}", names_.size());
  // An attribute that is itself called "n0".
  const auto is_taken = [&](const auto& entry) { return entry.first == placeholder; };
  while (std::ranges::any_of(names_, is_taken)) placeholder.push_back('_');
  names_.emplace_back(placeholder, attribute);
  return placeholder;
}

std::string Placeholders::Path(std::span<const std::string> path) {
  std::string text;
  for (const std::string& step : path) {
    if (step.starts_with('[')) {
      text.append(step);
      continue;
    }
    if (!text.empty()) text.push_back('.');
    text.append(Name(step));
  }
  return text;
}

std::string Placeholders::Value(const taula::Value& value) {
  for (const auto& [placeholder, known] : values_) {
    if (known == value) return placeholder;
  }
  values_.emplace_back(fmt::format(":v{}", values_.size() + 1), value);
  return values_.back().first;
}

void Placeholders::Write(codec::JsonWriter& json) const {
  if (!names_.empty()) {
    json.Key("ExpressionAttributeNames").BeginObject();
    for (const auto& [placeholder, name] : names_) json.Key(placeholder).String(name);
    json.EndObject();
  }
  if (!values_.empty()) {
    json.Key("ExpressionAttributeValues").BeginObject();
    for (const auto& [placeholder, value] : values_) json.Key(placeholder).Value(value.view());
    json.EndObject();
  }
}

std::string And(std::string_view a, std::string_view b) {
  if (a.empty()) return std::string(b);
  if (b.empty()) return std::string(a);
  return fmt::format("{} AND {}", a, b);
}

}  // namespace taula::design
