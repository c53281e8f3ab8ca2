// A request's input or an answer's output, as it is before a protocol writes it
// and after it has read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace taula::cloudwatch {

// How deep a request may be nested. CloudWatch's own need seven levels.
inline constexpr std::size_t kDepthMax = 12;

struct Member;

struct Document {
  struct Null {};
  // A value of a form, which may be meant as anything.
  struct Raw {
    std::string text;
  };
  struct Time {
    std::int64_t ms = 0;
  };
  using List = std::vector<Document>;
  using Struct = std::vector<Member>;
  // The same for JSON and CBOR; XML writes maps in another way.
  struct Map {
    std::vector<Member> entries;
  };

  std::variant<Null, Raw, std::string, std::int64_t, double, bool, Time, List, Struct, Map> value;

  template <typename T>
  [[nodiscard]] const T* As() const {
    return std::get_if<T>(&value);
  }
  // Nothing where this is no structure, or has no such member, or that is null.
  [[nodiscard]] const Document* Find(std::string_view name) const;
};

struct Member {
  std::string name;
  Document value;
};

inline const Document* Document::Find(std::string_view name) const {
  const auto* const members = As<Struct>();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.name == name) return member.value.As<Null>() == nullptr ? &member.value : nullptr;
  }
  return nullptr;
}

}  // namespace taula::cloudwatch
