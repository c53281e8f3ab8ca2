#include "design/yaml_tree.h"

#include <fmt/core.h>
#include <simdjson.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

namespace taula::design {
namespace {

Place PlaceOf(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {.line = mark.line + 1, .column = mark.column + 1};
}

// Ends the parsing; yaml-cpp has no other way out of its events.
struct Refusal {
  YamlError error;
};

class TreeBuilder final : public YAML::EventHandler {
 public:
  YamlNode Take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { Add({.place = PlaceOf(mark)}); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw Refusal{{.code = "yaml-syntax",
                   .place = PlaceOf(mark),
                   .what = "a design cannot use aliases (*name)",
                   .fix = "Write the value out; attributes that all entities share stand in 'defaults'."}};
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    // "?" is what yaml-cpp calls a plain scalar without a tag.
    Add({.kind = YamlNode::Kind::kScalar, .place = PlaceOf(mark), .text = value, .quoted = tag != "?"});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    Open({.kind = YamlNode::Kind::kList, .place = PlaceOf(mark)});
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    Open({.kind = YamlNode::Kind::kMap, .place = PlaceOf(mark)});
  }
  void OnMapEnd() override { Close(); }

 private:
  // A node that is not finished, and a map's name that waits for its value.
  struct Level {
    YamlNode node;
    bool has_name = false;
    std::string name;
    Place name_place;
  };

  void Open(YamlNode node) {
    if (levels_.size() >= kYamlDepthMax) {
      throw Refusal{{.code = "nested-too-deep",
                     .place = node.place,
                     .what = fmt::format("this is nested deeper than {} levels", kYamlDepthMax),
                     .fix = ""}};
    }
    levels_.push_back({.node = std::move(node)});
  }

  void Close() {
    YamlNode node = std::move(levels_.back().node);
    levels_.pop_back();
    Add(std::move(node));
  }

  void Add(YamlNode node) {
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == YamlNode::Kind::kList) {
      level.node.list.push_back(std::move(node));
    } else if (level.has_name) {
      // What is not there stands nowhere; yaml-cpp says where the next thing is.
      if (node.kind == YamlNode::Kind::kNull) node.place = level.name_place;
      level.node.map.push_back({.name = std::move(level.name), .place = level.name_place, .value = std::move(node)});
      level.has_name = false;
    } else {
      TakeName(level, std::move(node));
    }
  }

  static void TakeName(Level& level, YamlNode node) {
    if (node.kind != YamlNode::Kind::kScalar) {
      throw Refusal{{.code = "yaml-syntax",
                     .place = node.place,
                     .what = "a member's name must be text",
                     .fix = "Put a text that begins with a brace in quotes: \"{name}\"."}};
    }
    level.name = std::move(node.text);
    level.name_place = node.place;
    level.has_name = true;
  }

  YamlNode root_;
  std::vector<Level> levels_;
};

// The place of the first one that is no part of a text; yaml-cpp takes some for
// the end of the file, and a terminal others for commands.
std::optional<Place> FindControlCharacter(std::string_view text) {
  Place place{.line = 1, .column = 1};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) return place;
    ++place.column;
    if (c == '\n') place = {.line = place.line + 1, .column = 1};
  }
  return std::nullopt;
}

std::expected<YamlNode, YamlError> Parse(std::string_view text) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  TreeBuilder builder;
  if (!parser.HandleNextDocument(builder)) return YamlNode{.place = {.line = 1, .column = 1}};
  YamlNode root = builder.Take();
  TreeBuilder second;
  if (parser.HandleNextDocument(second)) {
    return std::unexpected(YamlError{.code = "yaml-syntax",
                                     .place = second.Take().place,
                                     .what = "a design is one YAML document, and here another begins",
                                     .fix = "Keep each design in a file of its own."});
  }
  return root;
}

}  // namespace

const YamlNode* YamlNode::Find(std::string_view name) const {
  const auto found = std::ranges::find(map, name, &YamlMember::name);
  return found == map.end() ? nullptr : &found->value;
}

std::expected<YamlNode, YamlError> ParseYaml(std::string_view text) {
  if (text.size() > kYamlBytesMax) {
    return std::unexpected(
        YamlError{.code = "file-too-large", .what = "the file is larger than 1 MB, which no design is", .fix = ""});
  }
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return std::unexpected(YamlError{.code = "yaml-syntax", .what = "the file is not UTF-8 text", .fix = ""});
  }
  if (const std::optional<Place> place = FindControlCharacter(text)) {
    return std::unexpected(YamlError{.code = "yaml-syntax",
                                     .place = *place,
                                     .what = "here is a control character, and a design is text",
                                     .fix = ""});
  }
  try {
    return Parse(text);
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.error);
  } catch (const YAML::Exception& error) {
    return std::unexpected(YamlError{
        .code = "yaml-syntax", .place = PlaceOf(error.mark), .what = "this is not YAML: " + error.msg, .fix = ""});
  } catch (const std::exception& error) {
    return std::unexpected(
        YamlError{.code = "yaml-syntax", .what = fmt::format("this is not YAML: {}", error.what()), .fix = ""});
  }
}

}  // namespace taula::design
