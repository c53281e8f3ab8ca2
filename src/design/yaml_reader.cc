#include "design/yaml_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "design/closest_name.h"

namespace taula::design {

void Complaints::Error(std::string code, Place place, std::string what, std::string fix) {
  diagnostics_.push_back({.severity = Severity::kError,
                          .code = std::move(code),
                          .place = place,
                          .what = std::move(what),
                          .why = "",
                          .fix = std::move(fix)});
}

void Complaints::UnknownName(Place place, std::string_view whose, std::string_view kind, std::string_view name,
                             std::span<const std::string_view> known) {
  Error("unknown-name", place, fmt::format("{} has no {} '{}'", whose, kind, name), SuggestName(name, known));
}

Diagnostics Complaints::Take() {
  std::ranges::stable_sort(diagnostics_, {}, &Diagnostic::place);
  return std::move(diagnostics_);
}

MapReader::MapReader(const YamlNode& node, std::string owner, std::span<const std::string_view> known,
                     Complaints& complaints)
    : node_(node), owner_(std::move(owner)), complaints_(complaints) {
  Collect(known, false);
}

MapReader::MapReader(const YamlNode& node, std::string owner, Complaints& complaints)
    : node_(node), owner_(std::move(owner)), complaints_(complaints) {
  Collect({}, true);
}

void MapReader::Collect(std::span<const std::string_view> known, bool any) {
  if (node_.kind != YamlNode::Kind::kMap) {
    complaints_.Error("wrong-type", node_.place,
                      fmt::format("{} must be a map, and this is {}", owner_, DescribeKind(node_)));
    return;
  }
  std::unordered_set<std::string_view> seen;
  for (const YamlMember& member : node_.map) {
    if (!seen.insert(member.name).second) {
      complaints_.Error("duplicate-member", member.place, fmt::format("{} has '{}' twice", owner_, member.name),
                        "Remove one of them.");
    } else if (!any && std::ranges::find(known, member.name) == known.end()) {
      complaints_.Error("unknown-member", member.place, fmt::format("{} has no member '{}'", owner_, member.name),
                        SuggestName(member.name, known));
    } else {
      members_.push_back(&member);
    }
  }
}

const YamlMember* MapReader::FindMember(std::string_view name) const {
  const auto found =
      std::ranges::find(members_, name, [](const YamlMember* member) -> std::string_view { return member->name; });
  return found == members_.end() ? nullptr : *found;
}

const YamlNode* MapReader::Find(std::string_view name) const {
  const YamlMember* member = FindMember(name);
  return member == nullptr || member->value.kind == YamlNode::Kind::kNull ? nullptr : &member->value;
}

const YamlNode* MapReader::Require(std::string_view name) const {
  const YamlNode* node = Find(name);
  if (node == nullptr && node_.kind == YamlNode::Kind::kMap) {
    complaints_.Error("missing-member", node_.place, fmt::format("{} needs '{}'", owner_, name));
  }
  return node;
}

std::string MapReader::Text(std::string_view name, std::string otherwise) const {
  const YamlNode* node = Find(name);
  if (node == nullptr) return otherwise;
  return ReadText(*node, fmt::format("'{}'", name), complaints_).value_or(std::move(otherwise));
}

std::string MapReader::RequireText(std::string_view name) const {
  if (Require(name) == nullptr) return {};
  return Text(name);
}

bool MapReader::Boolean(std::string_view name, bool otherwise) const {
  const YamlNode* node = Find(name);
  if (node == nullptr) return otherwise;
  if (const std::optional<bool> truth = AsBoolean(*node)) return *truth;
  complaints_.Error("wrong-type", node->place, fmt::format("'{}' must be true or false", name));
  return otherwise;
}

std::optional<std::int64_t> MapReader::Integer(std::string_view name, std::int64_t min, std::int64_t max) const {
  const YamlNode* node = Find(name);
  if (node == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* end = node->text.data() + node->text.size();
  const auto [stop, error] = std::from_chars(node->text.data(), end, number);
  if (node->kind == YamlNode::Kind::kScalar && error == std::errc() && stop == end && number >= min && number <= max) {
    return number;
  }
  complaints_.Error("wrong-type", node->place,
                    fmt::format("'{}' must be a whole number from {} to {}", name, min, max));
  return std::nullopt;
}

std::vector<PlacedName> MapReader::Names(std::string_view name) const {
  const YamlNode* node = Find(name);
  if (node == nullptr) return {};
  std::vector<PlacedName> names;
  const auto add = [&](const YamlNode& each) {
    if (auto text = ReadText(each, fmt::format("each of '{}'", name), complaints_)) {
      names.push_back({.text = std::move(*text), .place = each.place});
    }
  };
  if (node->kind != YamlNode::Kind::kList) {
    add(*node);
  } else {
    std::ranges::for_each(node->list, add);
  }
  return names;
}

void MapReader::ComplainOfChoice(std::string_view name, const YamlNode& node,
                                 std::span<const std::string_view> known) const {
  const std::string given =
      node.kind == YamlNode::Kind::kScalar ? fmt::format("'{}'", node.text) : std::string(DescribeKind(node));
  std::string all;
  for (const std::string_view each : known) all += (all.empty() ? "" : ", ") + std::string(each);
  const std::string_view closest =
      node.kind == YamlNode::Kind::kScalar ? ClosestName(node.text, known) : std::string_view{};
  complaints_.Error("unknown-choice", node.place, fmt::format("'{}' cannot be {}", name, given),
                    closest.empty() ? fmt::format("It is one of {}.", all)
                                    : fmt::format("Did you mean '{}'? It is one of {}.", closest, all));
}

std::optional<std::string> ReadText(const YamlNode& node, std::string_view what, Complaints& complaints) {
  if (node.kind == YamlNode::Kind::kScalar) return node.text;
  // {userId} without quotes is a map with one member, and the most likely slip.
  complaints.Error("wrong-type", node.place, fmt::format("{} must be text, and this is {}", what, DescribeKind(node)),
                   node.kind == YamlNode::Kind::kMap ? "A text that begins with a brace needs quotes." : "");
  return std::nullopt;
}

std::optional<bool> AsBoolean(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar || node.quoted) return std::nullopt;
  if (node.text == "true" || node.text == "True" || node.text == "TRUE") return true;
  if (node.text == "false" || node.text == "False" || node.text == "FALSE") return false;
  return std::nullopt;
}

std::string_view DescribeKind(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "empty";
    case YamlNode::Kind::kScalar:
      return "text";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a map";
  }
  return "";
}

}  // namespace taula::design
