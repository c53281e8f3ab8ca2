// A YAML document as a tree that knows where each of its nodes stands, and
// which scalars were quoted.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "design/place.h"

namespace taula::design {

struct YamlMember;

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  Place place;
  std::string text;     // of a scalar
  bool quoted = false;  // also block scalars: text, whatever it looks like
  std::vector<YamlNode> list;
  std::vector<YamlMember> map;  // in the order of the file; a name may come twice

  [[nodiscard]] const YamlNode* Find(std::string_view name) const;
};

struct YamlMember {
  std::string name;
  Place place;  // of the name
  YamlNode value;
};

struct YamlError {
  std::string code;  // of the diagnostic: yaml-syntax, file-too-large or nested-too-deep
  Place place;
  std::string what;
  std::string fix;
};

inline constexpr std::size_t kYamlBytesMax = std::size_t{1} << 20;
inline constexpr int kYamlDepthMax = 64;

// One document. Aliases are refused: what they stand for has no place of its
// own, and a few of them can stand for more than any memory holds.
[[nodiscard]] std::expected<YamlNode, YamlError> ParseYaml(std::string_view text);

}  // namespace taula::design
