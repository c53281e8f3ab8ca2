#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "design/load_parts.h"
#include "design/members.h"

namespace taula::design {
namespace {

using enum AttributeType;

constexpr std::array<std::pair<std::string_view, SetWhen>, 2> kSetWhen = {
    {{"on-create", SetWhen::kOnCreate}, {"on-write", SetWhen::kOnWrite}}};
constexpr std::array<std::pair<std::string_view, TimeFormat>, 3> kFormats = {
    {{"milliseconds", TimeFormat::kMilliseconds}, {"seconds", TimeFormat::kSeconds}, {"epoch", TimeFormat::kEpoch}}};

constexpr int kRoundsMin = 4;
constexpr int kRoundsMax = 31;
constexpr int kRoundsDefault = 10;
constexpr std::int64_t kLengthMax = std::int64_t{400} << 10;

// Members that make sense for some types only.
struct TypedMember {
  std::string_view name;
  std::array<AttributeType, 2> types;
  std::string_view of;
};
constexpr std::array<TypedMember, 12> kTypedMembers = {{
    {"generated", {kUlid, kUuid}, "ulid and uuid"},
    {"prefix", {kUlid, kUuid}, "ulid and uuid"},
    {"set", {kTimestamp, kDate}, "timestamp and date"},
    {"values", {kEnum, kEnum}, "enum"},
    {"min", {kNumber, kInteger}, "number and integer"},
    {"max", {kNumber, kInteger}, "number and integer"},
    {"min-length", {kString, kEmail}, "string and email"},
    {"max-length", {kString, kEmail}, "string and email"},
    {"fields", {kMap, kMap}, "map"},
    {"items", {kList, kList}, "list"},
    {"format", {kTimestamp, kTimestamp}, "timestamp"},
    {"rounds", {kBcrypt, kBcrypt}, "bcrypt"},
}};

void RefuseMembersOfOtherTypes(const MapReader& reader, AttributeType type, Complaints& complaints) {
  for (const TypedMember& member : kTypedMembers) {
    const YamlMember* found = reader.FindMember(member.name);
    if (found == nullptr || std::ranges::find(member.types, type) != member.types.end()) continue;
    complaints.Error(
        "misplaced-member", found->place,
        fmt::format("'{}' is a member of {} attributes, and {} is none", member.name, member.of, reader.owner()));
  }
}

void ReadValues(const MapReader& reader, Attribute& attribute, Complaints& complaints) {
  const YamlNode* values = reader.Require("values");
  if (values == nullptr) return;
  if (values->kind != YamlNode::Kind::kList || values->list.empty()) {
    complaints.Error("wrong-type", values->place, "'values' must be a list of strings or numbers");
    return;
  }
  for (const YamlNode& each : values->list) {
    Value value = ReadLiteral(each);
    // true and null among the values of an enum are words.
    if (each.kind == YamlNode::Kind::kScalar && value.type() == Type::kBool) value = Value::String(each.text);
    if (value.type() != Type::kString && value.type() != Type::kNumber) {
      complaints.Error("wrong-type", each.place, "a value of an enum is a string or a number");
    } else if (std::ranges::find(attribute.values, value) != attribute.values.end()) {
      complaints.Error("duplicate-member", each.place, fmt::format("'{}' is in the list twice", each.text));
    } else {
      attribute.values.push_back(std::move(value));
    }
  }
}

std::optional<Value> ReadNumber(const MapReader& reader, std::string_view name, const Attribute& attribute,
                                Complaints& complaints) {
  const YamlNode* node = reader.Find(name);
  if (node == nullptr) return std::nullopt;
  return ReadLiteralOf(attribute, *node, fmt::format("'{}'", name), complaints);
}

std::optional<std::size_t> ReadLength(const MapReader& reader, std::string_view name) {
  const std::optional<std::int64_t> length = reader.Integer(name, 0, kLengthMax);
  return length ? std::optional(static_cast<std::size_t>(*length)) : std::nullopt;
}

void ReadMembersOfType(const MapReader& reader, Attribute& attribute, Complaints& complaints) {
  switch (attribute.type) {
    case kEnum:
      ReadValues(reader, attribute, complaints);
      break;
    case kNumber:
    case kInteger:
      attribute.min = ReadNumber(reader, "min", attribute, complaints);
      attribute.max = ReadNumber(reader, "max", attribute, complaints);
      break;
    case kMap:
      if (const YamlNode* fields = reader.Find("fields")) {
        attribute.fields = ReadAttributes(*fields, fmt::format("'fields' of '{}'", attribute.name), complaints);
      }
      break;
    case kList:
      if (const YamlNode* items = reader.Find("items")) {
        attribute.elements.push_back(
            ReadAttribute(attribute.name, items->place, *items, Defaults::kLiteral, complaints));
      }
      break;
    case kBcrypt:
      attribute.rounds = static_cast<int>(reader.Integer("rounds", kRoundsMin, kRoundsMax).value_or(kRoundsDefault));
      attribute.secret = true;
      break;
    default:
      break;
  }
}

}  // namespace

Attribute ReadAttribute(std::string name, Place place, const YamlNode& node, Defaults defaults,
                        Complaints& complaints) {
  Attribute attribute{.name = std::move(name), .place = place};
  const std::string owner = fmt::format("attribute '{}'", attribute.name);
  if (node.kind == YamlNode::Kind::kScalar) {
    // "name: string" is short for { type: string }.
    YamlNode written_out{.kind = YamlNode::Kind::kMap, .place = node.place};
    written_out.map.push_back({.name = "type", .place = node.place, .value = node});
    return ReadAttribute(std::move(attribute.name), place, written_out, defaults, complaints);
  }
  const MapReader reader(node, owner, kAttributeMembers, complaints);
  if (reader.Require("type") == nullptr) return attribute;
  attribute.type = reader.Choice<AttributeType>("type", kAttributeTypes, kAny);
  attribute.description = reader.Text("description");
  attribute.required = reader.Boolean("required");
  attribute.generated = reader.Boolean("generated");
  attribute.secret = reader.Boolean("secret");
  attribute.stored = reader.Boolean("stored", true);
  attribute.immutable = reader.Boolean("immutable");
  attribute.set = reader.Choice<SetWhen>("set", kSetWhen, SetWhen::kNever);
  attribute.format = reader.Choice<TimeFormat>("format", kFormats, TimeFormat::kMilliseconds);
  attribute.prefix = reader.Text("prefix");
  attribute.min_length = ReadLength(reader, "min-length");
  attribute.max_length = ReadLength(reader, "max-length");
  ReadMembersOfType(reader, attribute, complaints);
  RefuseMembersOfOtherTypes(reader, attribute.type, complaints);
  const YamlNode* value = reader.Find("default");
  if (value != nullptr && defaults == Defaults::kLiteral) {
    attribute.default_value = ReadLiteralOf(attribute, *value, "the default", complaints);
  }
  return attribute;
}

std::vector<Attribute> ReadAttributes(const YamlNode& node, std::string owner, Complaints& complaints) {
  std::vector<Attribute> attributes;
  const MapReader reader(node, std::move(owner), complaints);
  for (const YamlMember* member : reader.members()) {
    if (member->value.kind == YamlNode::Kind::kNull) continue;  // an entity without one of the defaults
    RequireName(member->name, member->place, "an attribute", complaints);
    attributes.push_back(ReadAttribute(member->name, member->place, member->value, Defaults::kLiteral, complaints));
  }
  return attributes;
}

}  // namespace taula::design
