// Typed access to the members of a YAML map. What is unknown, missing, given
// twice or of the wrong type is complained of, and reading goes on, so that one
// run finds all mistakes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/diagnostic.h"
#include "design/yaml_tree.h"

namespace taula::design {

// Gathers what is wrong.
class Complaints {
 public:
  void Error(std::string code, Place place, std::string what, std::string fix = {});
  // `whose` has no such name: "'Batch' has no attribute 'x'", with the names there are.
  void UnknownName(Place place, std::string_view whose, std::string_view kind, std::string_view name,
                   std::span<const std::string_view> known);
  // In the order of their places.
  [[nodiscard]] Diagnostics Take();

 private:
  Diagnostics diagnostics_;
};

// A name in the file and where it stands.
struct PlacedName {
  std::string text;
  Place place;
};

template <typename T>
using Choices = std::span<const std::pair<std::string_view, T>>;

class MapReader {
 public:
  // `owner` is what the map describes, as in "entity 'Batch'".
  MapReader(const YamlNode& node, std::string owner, std::span<const std::string_view> known, Complaints& complaints);
  // A map whose names are the user's.
  MapReader(const YamlNode& node, std::string owner, Complaints& complaints);

  [[nodiscard]] const std::string& owner() const { return owner_; }
  [[nodiscard]] Place place() const { return node_.place; }
  // None when it is not a map; a name that was given twice only once.
  [[nodiscard]] const std::vector<const YamlMember*>& members() const { return members_; }
  [[nodiscard]] bool is_empty_map() const { return node_.kind == YamlNode::Kind::kMap && node_.map.empty(); }
  [[nodiscard]] const YamlMember* FindMember(std::string_view name) const;
  // The value; nothing when the member is not there, or null.
  [[nodiscard]] const YamlNode* Find(std::string_view name) const;
  [[nodiscard]] const YamlNode* Require(std::string_view name) const;

  [[nodiscard]] std::string Text(std::string_view name, std::string otherwise = {}) const;
  [[nodiscard]] std::string RequireText(std::string_view name) const;
  [[nodiscard]] bool Boolean(std::string_view name, bool otherwise = false) const;
  [[nodiscard]] std::optional<std::int64_t> Integer(std::string_view name, std::int64_t min, std::int64_t max) const;
  // A list of names, or one alone.
  [[nodiscard]] std::vector<PlacedName> Names(std::string_view name) const;

  template <typename T>
  [[nodiscard]] T Choice(std::string_view name, Choices<T> choices, T otherwise) const {
    const YamlNode* node = Find(name);
    if (node == nullptr) return otherwise;
    for (const auto& [text, value] : choices) {
      if (node->kind == YamlNode::Kind::kScalar && node->text == text) return value;
    }
    std::vector<std::string_view> known;
    for (const auto& choice : choices) known.push_back(choice.first);
    ComplainOfChoice(name, *node, known);
    return otherwise;
  }

 private:
  void Collect(std::span<const std::string_view> known, bool any);
  void ComplainOfChoice(std::string_view name, const YamlNode& node, std::span<const std::string_view> known) const;

  const YamlNode& node_;
  std::string owner_;
  Complaints& complaints_;
  std::vector<const YamlMember*> members_;
};

// A scalar's text, or a complaint that `what` must be text.
[[nodiscard]] std::optional<std::string> ReadText(const YamlNode& node, std::string_view what, Complaints& complaints);

// Plain true or false.
[[nodiscard]] std::optional<bool> AsBoolean(const YamlNode& node);

[[nodiscard]] std::string_view DescribeKind(const YamlNode& node);  // "a list"

}  // namespace taula::design
