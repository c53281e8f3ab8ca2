#include "design/plain_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>

#include "base/base64.h"
#include "codec/json_writer.h"
#include "design/time_text.h"
#include "value/map_builder.h"
#include "value/number.h"

namespace taula::design {
namespace {

using simdjson::ondemand::json_type;
using Fitted = std::expected<Value, Misfit>;

constexpr int kDepthMax = 32;  // of lists and maps, as DynamoDB has it

std::unexpected<Misfit> Wrong(std::string what) { return std::unexpected(Misfit{{}, std::move(what)}); }

std::unexpected<Misfit> Inside(std::string step, Misfit misfit) {
  if (!misfit.path.empty() && misfit.path.front() != '[') step.push_back('.');
  misfit.path.insert(0, step);
  return std::unexpected(std::move(misfit));
}

const Attribute* FieldOf(const Attribute& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.fields, name, &Attribute::name);
  return found == shape.fields.end() ? nullptr : &*found;
}

Value MapOf(const JsonMembers& members) {
  std::string encoded;
  value::MapBuilder map(encoded);
  for (const auto& [name, member] : members) map.Add(name, member.view());
  map.Finish();
  return Value::FromEncoded(std::move(encoded));
}

// JSON as it comes, without a shape.
class Reader {
 public:
  Fitted Read(simdjson::ondemand::value json, int depth) {
    if (depth > kDepthMax) return Wrong("is nested too deeply");
    json_type type{};
    if (json.type().get(type) != simdjson::SUCCESS) return NotJson();
    switch (type) {
      case json_type::object:
        return ReadMap(json, depth);
      case json_type::array:
        return ReadList(json, depth);
      case json_type::number:
        return ReadNumber(json);
      case json_type::string:
        return ReadString(json);
      case json_type::boolean:
        return ReadBoolean(json);
      case json_type::null:
        return ReadNull(json);
    }
    return NotJson();
  }

  std::expected<JsonMembers, Misfit> ReadMembers(simdjson::ondemand::object object, int depth) {
    JsonMembers members;
    for (auto field : object) {
      std::string_view name;
      simdjson::ondemand::value json;
      if (field.unescaped_key().get(name) != simdjson::SUCCESS) return NotJson();
      std::string owned(name);
      if (field.value().get(json) != simdjson::SUCCESS) return NotJson();
      Fitted member = Read(json, depth + 1);
      if (!member) return Inside(owned, std::move(member.error()));
      members.emplace_back(std::move(owned), *std::move(member));
    }
    return members;
  }

  static std::unexpected<Misfit> NotJson() { return Wrong("is not JSON"); }

 private:
  Fitted ReadMap(simdjson::ondemand::value json, int depth) {
    simdjson::ondemand::object object;
    if (json.get_object().get(object) != simdjson::SUCCESS) return NotJson();
    const auto members = ReadMembers(object, depth);
    if (!members) return std::unexpected(members.error());
    return MapOf(*members);
  }

  Fitted ReadList(simdjson::ondemand::value json, int depth) {
    simdjson::ondemand::array array;
    if (json.get_array().get(array) != simdjson::SUCCESS) return NotJson();
    std::vector<Value> elements;
    for (auto entry : array) {
      simdjson::ondemand::value element;
      if (entry.get(element) != simdjson::SUCCESS) return NotJson();
      Fitted read = Read(element, depth + 1);
      if (!read) return Inside(fmt::format("[{}]", elements.size()), std::move(read.error()));
      elements.push_back(*std::move(read));
    }
    return Value::List(elements);
  }

  static Fitted ReadNumber(simdjson::ondemand::value json) {
    std::string_view text = json.raw_json_token();
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r' || text.back() == '\t')) {
      text.remove_suffix(1);
    }
    std::optional<Value> number = Value::Number(text);
    if (!number) return Wrong("is not a number with at most 38 digits");
    return *std::move(number);
  }

  static Fitted ReadString(simdjson::ondemand::value json) {
    std::string_view text;
    if (json.get_string().get(text) != simdjson::SUCCESS) return NotJson();
    return Value::String(text);
  }

  static Fitted ReadBoolean(simdjson::ondemand::value json) {
    bool truth = false;
    if (json.get_bool().get(truth) != simdjson::SUCCESS) return NotJson();
    return Value::Bool(truth);
  }

  static Fitted ReadNull(simdjson::ondemand::value json) {
    if (!json.is_null()) return NotJson();
    return Value::Null();
  }
};

// Parses a whole text and hands over what stands in it; `read` must take all.
template <typename Read>
auto WithDocument(std::string_view json, Read read) -> decltype(read(std::declval<simdjson::ondemand::document&>())) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(json);
  simdjson::ondemand::document document;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return Reader::NotJson();
  auto result = read(document);
  // In bounds means that something follows.
  const char* rest = nullptr;
  if (result && document.current_location().get(rest) == simdjson::SUCCESS) return Reader::NotJson();
  return result;
}

// As the one element of an array, for the library reads a number that stands
// alone in another way than one among others.
Fitted ReadAny(std::string_view json) {
  return WithDocument(fmt::format("[{}]", json), [](simdjson::ondemand::document& document) -> Fitted {
    simdjson::ondemand::array elements;
    if (document.get_array().get(elements) != simdjson::SUCCESS) return Reader::NotJson();
    Fitted only = Reader::NotJson();
    std::size_t count = 0;
    for (auto element : elements) {
      simdjson::ondemand::value root;
      if (element.get(root) != simdjson::SUCCESS || ++count > 1) return Reader::NotJson();
      only = Reader().Read(root, 1);
      if (!only) return only;
    }
    return only;
  });
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
  return MapOf(members);
}

}  // namespace

std::expected<JsonMembers, Misfit> ReadPlainObject(std::string_view json, ShapeOfMember shape_of) {
  auto members = WithDocument(json, [](simdjson::ondemand::document& document) -> std::expected<JsonMembers, Misfit> {
    simdjson::ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS) return Wrong("is not a JSON object");
    return Reader().ReadMembers(object, 1);
  });
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
      const Fitted json = ReadAny(text);
      return json ? Fit(*json, shape) : json;
    }
    case AttributeType::kAny: {
      // "3" and "[1]" are JSON; what is not is text.
      Fitted json = ReadAny(text);
      return json ? *std::move(json) : Value::String(text);
    }
    default:
      return Fit(Value::String(text), shape);
  }
}

void AppendPlainJson(std::string& out, ValueView value) {
  const auto list = [&out](char open, char close, const auto& elements, auto append) {
    out.push_back(open);
    bool first = true;
    for (const auto element : elements) {
      if (!std::exchange(first, false)) out.push_back(',');
      append(element);
    }
    out.push_back(close);
  };
  const auto base64 = [&out](std::string_view bytes) {
    out.push_back('"');
    base::AppendBase64(out, bytes);
    out.push_back('"');
  };
  switch (value.type()) {
    case Type::kNull:
      out.append("null");
      return;
    case Type::kBool:
      out.append(value.boolean() ? "true" : "false");
      return;
    case Type::kNumber:
      out.append(value.number_text());
      return;
    case Type::kString:
      codec::AppendStringJson(out, value.bytes());
      return;
    case Type::kBinary:
      base64(value.bytes());
      return;
    case Type::kStringSet:
      list('[', ']', value.set(), [&](std::string_view element) { codec::AppendStringJson(out, element); });
      return;
    case Type::kNumberSet:
      list('[', ']', value.set(), [&](std::string_view element) { value::AppendTextFromOrdered(out, element); });
      return;
    case Type::kBinarySet:
      list('[', ']', value.set(), base64);
      return;
    case Type::kList:
      list('[', ']', value.list(), [&](ValueView element) { AppendPlainJson(out, element); });
      return;
    case Type::kMap:
      list('{', '}', value.map(), [&](const MapView::Entry& entry) {
        codec::AppendStringJson(out, entry.name);
        out.push_back(':');
        AppendPlainJson(out, entry.value);
      });
      return;
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
