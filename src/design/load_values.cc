#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "design/load_parts.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

bool IsPlainNumber(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kScalar && !node.quoted && Value::Number(node.text).has_value();
}

Value ReadScalar(const YamlNode& node) {
  if (node.quoted) return Value::String(node.text);
  if (const std::optional<bool> truth = AsBoolean(node)) return Value::Bool(*truth);
  if (std::optional<Value> number = Value::Number(node.text)) return *std::move(number);
  return Value::String(node.text);
}

std::optional<Value> ReadSet(const YamlNode& node, AttributeType type) {
  if (node.kind != YamlNode::Kind::kList || node.list.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const YamlNode& each : node.list) {
    if (each.kind != YamlNode::Kind::kScalar) return std::nullopt;
    texts.push_back(each.text);
  }
  if (type == AttributeType::kNumberSet) return Value::NumberSet(texts);
  return Value::StringSet(std::move(texts));
}

// Nothing when the node is not of the attribute's type.
std::optional<Value> Convert(const Attribute& attribute, const YamlNode& node) {
  using Kind = YamlNode::Kind;
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kInteger:
      if (!IsPlainNumber(node)) return std::nullopt;
      return Value::Number(node.text);
    case AttributeType::kBoolean:
      if (const std::optional<bool> truth = AsBoolean(node)) return Value::Bool(*truth);
      return std::nullopt;
    case AttributeType::kList:
      return node.kind == Kind::kList ? std::optional(ReadLiteral(node)) : std::nullopt;
    case AttributeType::kMap:
      return node.kind == Kind::kMap ? std::optional(ReadLiteral(node)) : std::nullopt;
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
      return ReadSet(node, attribute.type);
    case AttributeType::kEnum: {
      const Value value = ReadLiteral(node);
      return std::ranges::find(attribute.values, value) == attribute.values.end() ? std::nullopt : std::optional(value);
    }
    case AttributeType::kTimestamp:
      if (attribute.format == TimeFormat::kEpoch) return IsPlainNumber(node) ? Value::Number(node.text) : std::nullopt;
      [[fallthrough]];
    case AttributeType::kString:
    case AttributeType::kDate:
    case AttributeType::kUlid:
    case AttributeType::kUuid:
    case AttributeType::kEmail:
    case AttributeType::kBcrypt:
      return node.kind == Kind::kScalar ? std::optional(Value::String(node.text)) : std::nullopt;
    case AttributeType::kAny:
      return ReadLiteral(node);
    case AttributeType::kBinary:
    case AttributeType::kBinarySet:
      return std::nullopt;
  }
  return std::nullopt;
}

// Where in the file a byte of a scalar stands. Right for what is written on one
// line without escapes, as templates are.
Place Inside(const YamlNode& node, std::size_t offset) {
  return {.line = node.place.line, .column = node.place.column + static_cast<int>(offset) + (node.quoted ? 1 : 0)};
}

}  // namespace

Value ReadLiteral(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return Value::Null();
    case YamlNode::Kind::kScalar:
      return ReadScalar(node);
    case YamlNode::Kind::kList: {
      std::vector<Value> elements;
      std::ranges::transform(node.list, std::back_inserter(elements), ReadLiteral);
      return Value::List(elements);
    }
    case YamlNode::Kind::kMap: {
      std::string encoded;
      value::MapBuilder map(encoded);
      for (const YamlMember& member : node.map) map.Add(member.name, ReadLiteral(member.value).view());
      map.Finish();
      return Value::FromEncoded(std::move(encoded));
    }
  }
  return Value::Null();
}

std::optional<Value> ReadLiteralOf(const Attribute& attribute, const YamlNode& node, std::string_view what,
                                   Complaints& complaints) {
  std::optional<Value> value = Convert(attribute, node);
  if (!value) {
    complaints.Error("wrong-type", node.place,
                     fmt::format("{} of '{}' is not of the attribute's type", what, attribute.name));
  }
  return value;
}

Template ReadTemplate(const YamlNode& node, std::string_view what, Complaints& complaints) {
  const std::optional<std::string> text = ReadText(node, what, complaints);
  if (!text) return {};
  if (text->empty()) {
    complaints.Error("template-syntax", node.place, fmt::format("{} is empty", what));
    return {};
  }
  auto parsed = Template::Parse(*text);
  if (parsed) return *std::move(parsed);
  complaints.Error("template-syntax", Inside(node, parsed.error().offset),
                   fmt::format("{} cannot be read as a template: {}", what, parsed.error().what));
  return {};
}

Term ReadTerm(const YamlNode& node, Complaints& complaints) {
  Term term{.place = node.place};
  switch (node.kind) {
    case YamlNode::Kind::kList:
      term.kind = Term::Kind::kList;
      for (const YamlNode& each : node.list) term.list.push_back(ReadTerm(each, complaints));
      return term;
    case YamlNode::Kind::kMap: {
      term.kind = Term::Kind::kMap;
      const MapReader map(node, "a value", complaints);
      for (const YamlMember* member : map.members()) {
        term.map.emplace_back(member->name, ReadTerm(member->value, complaints));
      }
      return term;
    }
    default:
      break;
  }
  term.literal = ReadLiteral(node);
  if (term.literal.type() != Type::kString || node.text.empty()) return term;
  term.text = ReadTemplate(node, "the value", complaints);
  if (term.text.has_references()) {
    term.kind = Term::Kind::kText;
  } else {
    // Only to make one brace of two.
    term.literal = term.text.Render([](std::string_view) { return std::nullopt; }).value_or(node.text);
  }
  return term;
}

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= 255 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

void RequireName(std::string_view name, Place place, std::string_view kind, Complaints& complaints) {
  if (IsName(name)) return;
  complaints.Error("bad-name", place, fmt::format("'{}' cannot be the name of {}", name, kind),
                   "Letters, digits, '-' and '_' can stand in a name.");
}

}  // namespace taula::design
