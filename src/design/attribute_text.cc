#include "design/attribute_text.h"

#include <fmt/format.h>

namespace taula::design {
namespace {

constexpr std::size_t kQuotedBytesMax = 80;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

std::optional<Value> EnumValueOf(const Attribute& attribute, std::string_view text) {
  NumberText room;
  for (const Value& value : attribute.values) {
    if (TextOf(value.view(), room) == text) return value;
  }
  return Value(text);
}

}  // namespace

std::optional<std::string_view> TextOf(ValueView value, NumberText& room) {
  switch (value.type()) {
    case Type::kString:
    case Type::kBinary: {
      const std::string_view bytes = value.bytes();
      if (bytes.empty()) return std::nullopt;
      return bytes;
    }
    case Type::kNumber: {
      const char* const end = value::WriteTextFromOrdered(room.data(), value.ordered_number());
      return std::string_view(room.data(), end);
    }
    case Type::kBool:
      return value.boolean() ? "true" : "false";
    default:
      return std::nullopt;
  }
}

std::optional<Value> ValueOf(const Attribute& attribute, std::string_view text) {
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kInteger:
      return Value::Number(text);
    case AttributeType::kTimestamp:
      if (attribute.format == TimeFormat::kEpoch) return Value::Number(text);
      return Value(text);
    case AttributeType::kBoolean:
      if (text != "true" && text != "false") return std::nullopt;
      return Value::Bool(text == "true");
    case AttributeType::kBinary:
      return Value::Binary(text);
    case AttributeType::kEnum:
      return EnumValueOf(attribute, text);
    default:
      return Value(text);
  }
}

std::optional<Value> KeyValueOf(Type type, std::string_view text) {
  if (type == Type::kNumber) return Value::Number(text);
  if (type == Type::kBinary) return Value::Binary(text);
  return Value(text);
}

std::string Quoted(ValueView value) {
  switch (value.type()) {
    case Type::kString:
      return Quoted(value.bytes());
    case Type::kNumber:
      return value.number_text();
    case Type::kBool:
      return value.boolean() ? "true" : "false";
    case Type::kNull:
      return "null";
    case Type::kBinary:
      return "a binary";
    case Type::kList:
      return "a list";
    case Type::kMap:
      return "a map";
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return "a set";
  }
  return {};
}

std::string Quoted(std::string_view text) {
  if (text.size() <= kQuotedBytesMax) return fmt::format("'{}'", text);
  std::size_t end = kQuotedBytesMax;
  while (end > 0 && IsContinuation(text[end])) --end;
  return fmt::format("'{}…'", text.substr(0, end));
}

}  // namespace taula::design
