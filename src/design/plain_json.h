// Between plain JSON, as callers of operations write it, and values. The shape
// of an attribute says what JSON alone cannot: a set, a binary, a time.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "codec/plain_json.h"
#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

using codec::AppendPlainJson;
using codec::JsonMembers;
using codec::Misfit;

// The shape of a member by its name; nullptr refuses it as unknown.
using ShapeOfMember = base::FunctionRef<const Attribute*(std::string_view name)>;

// A JSON object, in the order of its members; null fits every shape.
// The misfit's path is empty when the text as a whole is wrong.
[[nodiscard]] std::expected<JsonMembers, Misfit> ReadPlainObject(std::string_view json, ShapeOfMember shape_of);

// A value of the shape's type out of one that may be written differently: a
// number or a truth as text, a list for a set, a time for seconds since 1970.
// Lengths, limits and the values of an enum are not looked at.
[[nodiscard]] std::expected<Value, Misfit> Fit(const Value& value, const Attribute& shape);

// Text as on a command line: JSON for lists and maps, otherwise the text
// itself, by the shape's type.
[[nodiscard]] std::expected<Value, Misfit> ValueFromText(std::string_view text, const Attribute& shape);

// "a whole number", "one of 'a', 'b'": what the caller is to give.
[[nodiscard]] std::string DescribeType(const Attribute& shape);

}  // namespace taula::design
