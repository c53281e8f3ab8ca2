#include "design/json_schema.h"

#include <string>

#include "design/plain_json.h"

namespace taula::design {
namespace {

using codec::JsonWriter;
using enum AttributeType;

std::string PlainJson(const Value& value) {
  std::string out;
  AppendPlainJson(out, value.view());
  return out;
}

void WriteType(JsonWriter& json, std::string_view type, std::string_view format = {}) {
  json.Key("type").String(type);
  if (!format.empty()) json.Key("format").String(format);
}

void WriteArrayOf(JsonWriter& json, AttributeType type) {
  Attribute element;
  element.type = type;
  json.Key("type").String("array");
  json.Key("items");
  WriteSchema(json, element);
}

void WriteSetOf(JsonWriter& json, AttributeType type) {
  WriteArrayOf(json, type);
  json.Key("uniqueItems").Boolean(true);
  json.Key("minItems").Integer(1);
}

void WriteList(JsonWriter& json, const Attribute& list) {
  json.Key("type").String("array");
  if (list.elements.empty()) return;
  json.Key("items");
  WriteSchema(json, list.elements.front());
}

void WriteMap(JsonWriter& json, const Attribute& map) {
  json.Key("type").String("object");
  if (map.fields.empty()) return;
  json.Key("properties").BeginObject();
  bool any_required = false;
  for (const Attribute& field : map.fields) {
    json.Key(field.name);
    WriteSchema(json, field);
    any_required |= field.required;
  }
  json.EndObject();
  if (!any_required) return;
  json.Key("required").BeginArray();
  for (const Attribute& field : map.fields) {
    if (field.required) json.String(field.name);
  }
  json.EndArray();
}

void WriteEnum(JsonWriter& json, const Attribute& attribute) {
  json.Key("enum").BeginArray();
  for (const Value& value : attribute.values) json.Json(PlainJson(value));
  json.EndArray();
}

void WriteLimits(JsonWriter& json, const Attribute& attribute) {
  if (attribute.min) json.Key("minimum").Json(PlainJson(*attribute.min));
  if (attribute.max) json.Key("maximum").Json(PlainJson(*attribute.max));
  if (attribute.min_length) json.Key("minLength").Integer(static_cast<std::int64_t>(*attribute.min_length));
  if (attribute.max_length) json.Key("maxLength").Integer(static_cast<std::int64_t>(*attribute.max_length));
}

// A prefix before an id makes it something else than its format says.
std::string_view IdFormat(const Attribute& attribute, std::string_view format) {
  return attribute.prefix.empty() ? format : std::string_view();
}

void WriteKind(JsonWriter& json, const Attribute& attribute) {
  switch (attribute.type) {
    case kString:
      return WriteType(json, "string");
    case kNumber:
      return WriteType(json, "number");
    case kInteger:
      return WriteType(json, "integer");
    case kBoolean:
      return WriteType(json, "boolean");
    case kBinary:
      WriteType(json, "string");
      json.Key("contentEncoding").String("base64");
      return;
    case kList:
      return WriteList(json, attribute);
    case kMap:
      return WriteMap(json, attribute);
    case kStringSet:
      return WriteSetOf(json, kString);
    case kNumberSet:
      return WriteSetOf(json, kNumber);
    case kBinarySet:
      return WriteSetOf(json, kBinary);
    case kEnum:
      return WriteEnum(json, attribute);
    case kTimestamp:
      return attribute.format == TimeFormat::kEpoch ? WriteType(json, "integer")
                                                    : WriteType(json, "string", "date-time");
    case kDate:
      return WriteType(json, "string", "date");
    case kUlid:
      return WriteType(json, "string", IdFormat(attribute, "ulid"));
    case kUuid:
      return WriteType(json, "string", IdFormat(attribute, "uuid"));
    case kEmail:
      return WriteType(json, "string", "email");
    case kBcrypt:
      WriteType(json, "string", "password");
      json.Key("writeOnly").Boolean(true);
      return;
    case kAny:
      return;
  }
}

}  // namespace

void WriteSchema(JsonWriter& json, const Attribute& attribute) {
  json.BeginObject();
  WriteKind(json, attribute);
  WriteLimits(json, attribute);
  if (!attribute.description.empty()) json.Key("description").String(attribute.description);
  if (attribute.default_value) json.Key("default").Json(PlainJson(*attribute.default_value));
  json.EndObject();
}

}  // namespace taula::design
