#include "design/plain_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/base64.h"
#include "design/time_text.h"

namespace taula::design {
namespace {

using codec::Inside;
using codec::Wrong;
using Fitted = std::expected<Value, Misfit>;

const Attribute* FieldOf(const Attribute& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.fields, name, &Attribute::name);
  return found == shape.fields.end() ? nullptr : &*found;
}

bool IsWhole(ValueView number) { return number.number_text().find('.') == std::string::npos; }

Fitted FitNumber(const Value& value, const Attribute& shape) {
  std::optional<Value> number;
  if (value.type() == Type::kNumber) number = value;
  if (value.type() == Type::kString) number = Value::Number(value.view().bytes());
  if (!number) return Wrong("is not " + DescribeType(shape));
  if (shape.type == AttributeType::kInteger && !IsWhole(number->view())) return Wrong("is not a whole number");
  return *std::move(number);
}

Fitted FitBoolean(const Value& value) {
  if (value.type() == Type::kBool) return value;
  if (value == Value("true")) return Value::Bool(true);
  if (value == Value("false")) return Value::Bool(false);
  return Wrong("is neither true nor false");
}

Fitted FitString(const Value& value, const Attribute& shape) {
  if (value.type() == Type::kString) return value;
  return Wrong("is not " + DescribeType(shape));
}

Fitted FitBinary(const Value& value) {
  if (value.type() == Type::kBinary) return value;
  std::string bytes;
  if (value.type() != Type::kString || !base::AppendBase64Decoded(bytes, value.view().bytes())) {
    return Wrong("is not Base64");
  }
  return Value::Binary(bytes);
}

Fitted FitTimestamp(const Value& value, const Attribute& shape) {
  if (shape.format != TimeFormat::kEpoch) return FitString(value, shape);
  if (value.type() == Type::kNumber) return value;
  if (value.type() != Type::kString) return Wrong("is not a time");
  const std::string_view text = value.view().bytes();
  if (const std::optional<std::int64_t> ms = ParseTime(text)) return TimeValue(*ms, TimeFormat::kEpoch);
  if (std::optional<Value> number = Value::Number(text)) return *std::move(number);
  return Wrong("is not a time");
}

Fitted FitEnum(const Value& value, const Attribute& shape) {
  const bool numbers = !shape.values.empty() && shape.values.front().type() == Type::kNumber;
  return numbers ? FitNumber(value, shape) : FitString(value, shape);
}

Fitted FitSet(const Value& value, const Attribute& shape) {
  const Type type = shape.type == AttributeType::kStringSet   ? Type::kStringSet
                    : shape.type == AttributeType::kNumberSet ? Type::kNumberSet
                                                              : Type::kBinarySet;
  if (value.type() == type) return value;
  if (value.type() != Type::kList) return Wrong("is not a list");
  std::vector<std::string> elements;
  for (const ValueView element : value.view().list()) {
    Attribute one;
    one.type = type == Type::kStringSet   ? AttributeType::kString
               : type == Type::kNumberSet ? AttributeType::kNumber
                                          : AttributeType::kBinary;
    const Fitted fitted = Fit(Value(element), one);
    if (!fitted) return Inside(fmt::format("[{}]", elements.size()), fitted.error());
    elements.push_back(type == Type::kNumberSet ? fitted->view().number_text() : std::string(fitted->view().bytes()));
  }
  if (elements.empty()) return Wrong("is empty, which a set cannot be");
  if (type == Type::kStringSet) return Value::StringSet(std::move(elements));
  if (type == Type::kBinarySet) return Value::BinarySet(std::move(elements));
  return *Value::NumberSet(elements);
}

Fitted FitList(const Value& value, const Attribute& shape) {
  if (value.type() != Type::kList) return Wrong("is not a list");
  if (shape.elements.empty()) return value;
  std::vector<Value> elements;
  for (const ValueView element : value.view().list()) {
    Fitted fitted = Fit(Value(element), shape.elements.front());
    if (!fitted) return Inside(fmt::format("[{}]", elements.size()), std::move(fitted.error()));
    elements.push_back(*std::move(fitted));
  }
  return Value::List(elements);
}

Fitted FitMap(const Value& value, const Attribute& shape) {
  if (value.type() != Type::kMap) return Wrong("is not an object");
  JsonMembers members;
  for (const auto [name, member] : value.view().map()) {
    const Attribute* const field = FieldOf(shape, name);
    if (field == nullptr || member.type() == Type::kNull) {
      members.emplace_back(name, Value(member));
      continue;
    }
    Fitted fitted = Fit(Value(member), *field);
    if (!fitted) return Inside(std::string(name), std::move(fitted.error()));
    members.emplace_back(name, *std::move(fitted));
  }
  return Value::FromEncoded(codec::EncodedMap(members));
}

}  // namespace

std::expected<JsonMembers, Misfit> ReadPlainObject(std::string_view json, ShapeOfMember shape_of) {
  auto members = codec::PlainJsonReader().ReadMembers(json);
  if (!members) return members;
  JsonMembers fitted;
  for (auto& [name, member] : *members) {
    const Attribute* const shape = shape_of(name);
    if (shape == nullptr) return Inside(name, {{}, "is unknown"});
    if (std::ranges::find(fitted, name, &JsonMembers::value_type::first) != fitted.end()) {
      return Inside(name, {{}, "is given twice"});
    }
    if (member.type() == Type::kNull) {
      fitted.emplace_back(std::move(name), Value::Null());
      continue;
    }
    Fitted value = Fit(member, *shape);
    if (!value) return Inside(name, std::move(value.error()));
    fitted.emplace_back(std::move(name), *std::move(value));
  }
  return fitted;
}

std::expected<Value, Misfit> Fit(const Value& value, const Attribute& shape) {
  switch (shape.type) {
    case AttributeType::kAny:
      return value;
    case AttributeType::kNumber:
    case AttributeType::kInteger:
      return FitNumber(value, shape);
    case AttributeType::kBoolean:
      return FitBoolean(value);
    case AttributeType::kBinary:
      return FitBinary(value);
    case AttributeType::kList:
      return FitList(value, shape);
    case AttributeType::kMap:
      return FitMap(value, shape);
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet:
      return FitSet(value, shape);
    case AttributeType::kEnum:
      return FitEnum(value, shape);
    case AttributeType::kTimestamp:
      return FitTimestamp(value, shape);
    case AttributeType::kString:
    case AttributeType::kDate:
    case AttributeType::kUlid:
    case AttributeType::kUuid:
    case AttributeType::kEmail:
    case AttributeType::kBcrypt:
      return FitString(value, shape);
  }
  return value;
}

std::expected<Value, Misfit> ValueFromText(std::string_view text, const Attribute& shape) {
  switch (shape.type) {
    case AttributeType::kList:
    case AttributeType::kMap:
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet: {
      const Fitted json = codec::PlainJsonReader().ReadValue(text);
      return json ? Fit(*json, shape) : json;
    }
    case AttributeType::kAny: {
      // "3" and "[1]" are JSON; what is not is text.
      Fitted json = codec::PlainJsonReader().ReadValue(text);
      return json ? *std::move(json) : Value::String(text);
    }
    default:
      return Fit(Value::String(text), shape);
  }
}

std::string DescribeType(const Attribute& shape) {
  switch (shape.type) {
    case AttributeType::kNumber:
      return "a number";
    case AttributeType::kInteger:
      return "a whole number";
    case AttributeType::kBoolean:
      return "true or false";
    case AttributeType::kBinary:
      return "Base64";
    case AttributeType::kList:
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet:
      return "a list";
    case AttributeType::kMap:
      return "an object";
    case AttributeType::kTimestamp:
      return "a time such as 2024-11-02T15:30:00.000Z";
    case AttributeType::kDate:
      return "a date such as 2024-11-02";
    case AttributeType::kEmail:
      return "an email address";
    case AttributeType::kEnum: {
      std::string text = "one of ";
      for (std::size_t i = 0; i < shape.values.size(); ++i) {
        if (i > 0) text.append(", ");
        AppendPlainJson(text, shape.values[i].view());
      }
      return text;
    }
    case AttributeType::kAny:
      return "any value";
    default:
      return "text";
  }
}

}  // namespace taula::design
