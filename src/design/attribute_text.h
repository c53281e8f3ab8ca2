// An attribute's value as the text that stands for it in a key, and back.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "design/model.h"
#include "taula/value.h"
#include "value/number.h"

namespace taula::design {

// Room for the text of a number.
using NumberText = std::array<char, value::kNumberTextBytesMax>;

// A string's or a binary's own bytes, a number's digits, "true" or "false";
// nothing for other types, nor for what is empty. In `room` or in the value.
[[nodiscard]] std::optional<std::string_view> TextOf(ValueView value, NumberText& room);

// The value of the attribute's type that has this text; nothing when there is
// none, such as a number for "abc".
[[nodiscard]] std::optional<Value> ValueOf(const Attribute& attribute, std::string_view text);

// The value of a key attribute of this type, likewise.
[[nodiscard]] std::optional<Value> KeyValueOf(Type type, std::string_view text);

// For messages: 'text', 12, true, "a list". Long text is cut.
[[nodiscard]] std::string Quoted(ValueView value);
[[nodiscard]] std::string Quoted(std::string_view text);

}  // namespace taula::design
