// The texts that a key template can make, as far as the types of its attributes
// tell: a timestamp is never "METADATA", and a uuid holds no '#'.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"

namespace taula::design {

class KeyLanguage {
 public:
  enum class Text : std::uint8_t {
    kAny,       // a string may hold anything but what follows it in the template
    kOrdinary,  // a string holds no punctuation that stands in either template
  };

  // `separators` are the characters that kOrdinary leaves out of strings.
  [[nodiscard]] static KeyLanguage Of(const Template& text, const Entity& entity, Text strings,
                                      std::string_view separators);
  // Only so many parts of the template, and then anything or nothing.
  [[nodiscard]] static KeyLanguage OfBeginning(const Template& text, std::size_t count, const Entity& entity,
                                               Text strings, std::string_view separators);

  // Whether some text is in both.
  [[nodiscard]] bool Intersects(const KeyLanguage& other) const;

 private:
  using Class = std::bitset<256>;
  struct Edge {
    std::size_t to;
    Class on;
  };

  void AppendReference(const Template::Part& part, const Attribute* attribute, const Class& free_text);
  void AppendTyped(const Attribute& attribute, const Class& free_text);
  void AppendLiteral(std::string_view text);
  void AppendAlternatives(const std::vector<std::string>& texts);
  // 'd' is a digit, 'x' a hexadecimal one, 'u' a character of a ULID, and the
  // rest itself.
  void AppendPattern(std::string_view pattern);
  void AppendClass(const Class& on);
  void AppendOneOrMore(const Class& on);
  void AppendAnything();
  std::size_t AddState();

  // A machine whose ends are where a text of the language may stop.
  std::vector<std::vector<Edge>> states_ = {{}};
  std::vector<std::size_t> ends_ = {0};
};

// The punctuation in the literal parts of templates.
[[nodiscard]] std::string SeparatorsOf(const Template& text);

// Whether values of the attribute in this part can hold the literal behind it,
// or nothing stands between it and the next attribute.
[[nodiscard]] bool CanHoldSeparator(const Template& text, std::size_t part, const Entity& entity);

}  // namespace taula::design
