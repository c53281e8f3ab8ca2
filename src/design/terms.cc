#include "design/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/random_id.h"
#include "base/timestamp.h"
#include "base/ulid.h"
#include "design/plain_json.h"
#include "design/time_text.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

using Evaluated = std::expected<std::optional<Value>, std::string>;

std::optional<std::int64_t> UnitMs(char unit) {
  constexpr std::int64_t kSecond = 1000;
  switch (unit) {
    case 's':
      return kSecond;
    case 'm':
      return 60 * kSecond;
    case 'h':
      return 3600 * kSecond;
    case 'd':
      return 86400 * kSecond;
    case 'w':
      return 7 * 86400 * kSecond;
    default:
      return std::nullopt;
  }
}

std::optional<Value> Made(std::string_view reference, std::int64_t now_ms, const Attribute* shape) {
  if (reference == "ulid") return base::Ulid(now_ms);
  if (reference == "uuid") return base::UuidV4();
  if (reference == "today") return base::IsoDate(now_ms);
  const std::optional<std::int64_t> offset = OffsetFromNow(reference);
  if (!offset) return std::nullopt;
  if (shape != nullptr && shape->type == AttributeType::kDate) {
    return base::IsoDate(now_ms + *offset);
  }
  const bool is_time = shape != nullptr && shape->type == AttributeType::kTimestamp;
  return TimeValue(now_ms + *offset, is_time ? shape->format : TimeFormat::kMilliseconds);
}

Evaluated EvaluateText(const Template& text, const Scope& scope, const Attribute* shape) {
  if (text.is_single_reference()) return scope.Find(text.parts().front().reference, shape);
  std::string missing;
  const auto lookup = [&](std::string_view reference) -> std::optional<std::string> {
    const std::optional<Value> value = scope.Find(reference, shape);
    std::optional<std::string> rendered = value ? TextOf(value->view()) : std::nullopt;
    if (!rendered) missing = reference;
    return rendered;
  };
  std::optional<std::string> rendered = text.Render(lookup);
  if (rendered) return Value(*rendered);
  if (!missing.empty()) return std::unexpected(fmt::format("{{{}}} in \"{}\" has no value", missing, text.text()));
  return std::unexpected(fmt::format("\"{}\" cannot be made of these values", text.text()));
}

Evaluated EvaluateList(const Term& term, const Scope& scope, const Attribute* shape) {
  const Attribute* const element_shape = shape != nullptr && !shape->elements.empty() ? &shape->elements[0] : nullptr;
  std::vector<Value> elements;
  for (const Term& element : term.list) {
    Evaluated value = Evaluate(element, scope, element_shape);
    if (!value) return value;
    if (*value) elements.push_back(**std::move(value));
  }
  return Value::List(elements);
}

Evaluated EvaluateMap(const Term& term, const Scope& scope, const Attribute* shape) {
  std::string encoded;
  value::MapBuilder map(encoded);
  for (const auto& [name, field] : term.map) {
    const Attribute* field_shape = nullptr;
    if (shape != nullptr) {
      const auto found = std::ranges::find(shape->fields, name, &Attribute::name);
      if (found != shape->fields.end()) field_shape = &*found;
    }
    Evaluated value = Evaluate(field, scope, field_shape);
    if (!value) return value;
    if (*value) map.Add(name, (*value)->view());
  }
  map.Finish();
  return Value::FromEncoded(std::move(encoded));
}

Evaluated EvaluateAsItIs(const Term& term, const Scope& scope, const Attribute* shape) {
  switch (term.kind) {
    case Term::Kind::kLiteral:
      return term.literal;
    case Term::Kind::kText:
      return EvaluateText(term.text, scope, shape);
    case Term::Kind::kList:
      return EvaluateList(term, scope, shape);
    case Term::Kind::kMap:
      return EvaluateMap(term, scope, shape);
  }
  return term.literal;
}

void CollectReferences(const Term& term, std::vector<std::string>& found) {
  for (const Template::Part& part : term.text.parts()) {
    if (!part.is_reference() || IsMade(part.reference)) continue;
    if (std::ranges::find(found, part.reference) == found.end()) found.push_back(part.reference);
  }
  for (const Term& element : term.list) CollectReferences(element, found);
  for (const auto& [name, field] : term.map) CollectReferences(field, found);
}

}  // namespace

Scope::Scope(const Scope& outer, std::string variable, Value element)
    : now_ms_(outer.now_ms_), outer_(&outer), variable_(std::move(variable)) {
  Set(variable_, std::move(element));
}

void Scope::Set(std::string_view name, Value value) {
  const auto found = std::ranges::find(values_, name, &std::pair<std::string, Value>::first);
  if (found != values_.end()) {
    found->second = std::move(value);
  } else {
    values_.emplace_back(name, std::move(value));
  }
}

std::optional<ValueView> Scope::FindName(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &std::pair<std::string, Value>::first);
  if (found != values_.end()) return found->second.view();
  return outer_ == nullptr ? std::nullopt : outer_->FindName(name);
}

std::optional<Value> Scope::Find(std::string_view reference, const Attribute* shape) const {
  if (std::optional<Value> made = Made(reference, now_ms_, shape)) return made;
  std::size_t dot = reference.find('.');
  std::optional<ValueView> value = FindName(reference.substr(0, dot));
  while (value && dot != std::string_view::npos) {
    const std::size_t begin = dot + 1;
    dot = reference.find('.', begin);
    if (value->type() != Type::kMap) return std::nullopt;
    value = value->Find(reference.substr(begin, dot == std::string_view::npos ? dot : dot - begin));
  }
  if (!value || value->type() == Type::kNull) return std::nullopt;
  return Value(*value);
}

std::optional<Value> Scope::ElementField(std::string_view name) const {
  if (variable_.empty()) return std::nullopt;
  return Find(fmt::format("{}.{}", variable_, name));
}

std::optional<Value> Scope::Implied(std::string_view attribute) const {
  if (std::optional<Value> field = ElementField(attribute)) return field;
  return outer_ == nullptr ? Find(attribute) : outer_->Implied(attribute);
}

bool Scope::IsNull(std::string_view name) const {
  const std::optional<ValueView> value = FindName(name);
  return value && value->type() == Type::kNull;
}

bool IsMade(std::string_view reference) {
  return reference == "ulid" || reference == "uuid" || reference == "today" || OffsetFromNow(reference);
}

std::optional<std::int64_t> OffsetFromNow(std::string_view reference) {
  constexpr std::string_view kNow = "now";
  if (!reference.starts_with(kNow)) return std::nullopt;
  reference.remove_prefix(kNow.size());
  if (reference.empty()) return 0;
  if (reference.size() < 3 || (reference.front() != '+' && reference.front() != '-')) return std::nullopt;
  const std::optional<std::int64_t> unit = UnitMs(reference.back());
  constexpr std::int64_t kCountMax = 1'000'000;
  std::int64_t count = 0;
  const char* const end = reference.data() + reference.size() - 1;
  const auto [behind, error] = std::from_chars(reference.data() + 1, end, count);
  if (!unit || error != std::errc() || behind != end || count < 0 || count > kCountMax) return std::nullopt;
  return (reference.front() == '-' ? -count : count) * *unit;
}

std::vector<std::string> ReferencesOf(const Term& term) {
  std::vector<std::string> found;
  CollectReferences(term, found);
  return found;
}

std::optional<std::string> TextOf(ValueView value) {
  switch (value.type()) {
    case Type::kString:
      return std::string(value.bytes());
    case Type::kNumber:
      return value.number_text();
    case Type::kBool:
      return value.boolean() ? "true" : "false";
    default:
      return std::nullopt;
  }
}

std::expected<std::optional<Value>, std::string> Evaluate(const Term& term, const Scope& scope,
                                                          const Attribute* shape) {
  Evaluated value = EvaluateAsItIs(term, scope, shape);
  if (!value || !*value || shape == nullptr || (*value)->type() == Type::kNull) return value;
  std::expected<Value, Misfit> fitted = Fit(**value, *shape);
  if (fitted) return *std::move(fitted);
  const Misfit& misfit = fitted.error();
  const std::string dot = misfit.path.empty() || misfit.path.front() == '[' ? "" : ".";
  return std::unexpected(fmt::format("{}{}{} {}", shape->name, dot, misfit.path, misfit.what));
}

}  // namespace taula::design
