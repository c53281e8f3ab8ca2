#include "codec/plain_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <optional>

#include "base/base64.h"
#include "codec/json_writer.h"
#include "value/map_builder.h"
#include "value/number.h"

namespace taula::codec {
namespace {

using simdjson::ondemand::json_type;
using Read = std::expected<Value, Misfit>;

constexpr int kDepthMax = 32;        // of lists and maps, as DynamoDB has it
constexpr int kDepthOfMarksMax = 3;  // a set's object and array, and the object of a binary in it
constexpr std::string_view kBinaryMark = "$binary";
constexpr std::string_view kSetMark = "$set";

std::unexpected<Misfit> NotJson() { return Wrong("is not JSON"); }

Read BinaryOf(const Value& value) {
  std::string bytes;
  if (value.type() != Type::kString || !base::AppendBase64Decoded(bytes, value.view().bytes())) {
    return Wrong("is not Base64");
  }
  return Value::Binary(bytes);
}

Read SetOf(const Value& value) {
  if (value.type() != Type::kList) return Wrong("is not a list");
  std::vector<std::string> elements;
  std::optional<Type> type;
  for (const ValueView element : value.view().list()) {
    if (type.value_or(element.type()) != element.type()) return Wrong("has elements of several types");
    type = element.type();
    if (type != Type::kString && type != Type::kNumber && type != Type::kBinary) {
      return Wrong("has elements that are neither strings nor numbers nor binaries");
    }
    elements.push_back(type == Type::kNumber ? element.number_text() : std::string(element.bytes()));
  }
  if (!type) return Wrong("is empty, which a set cannot be");
  if (type == Type::kString) return Value::StringSet(std::move(elements));
  if (type == Type::kBinary) return Value::BinarySet(std::move(elements));
  return *Value::NumberSet(elements);
}

// The value of an object, which may be a mark.
Read Unmark(JsonMembers members) {
  auto& [name, value] = members.front();
  const bool is_binary = name == kBinaryMark;
  if (is_binary || name == kSetMark) {
    Read marked = is_binary ? BinaryOf(value) : SetOf(value);
    return marked ? marked : Inside(name, std::move(marked.error()));
  }
  if (name.starts_with("$$")) name.erase(0, 1);
  return Value::FromEncoded(EncodedMap(members));
}

// JSON as it comes.
class TreeReader {
 public:
  explicit TreeReader(TypeMarks marks)
      : marks_(marks), depth_max_(kDepthMax + (marks == TypeMarks::kWritten ? kDepthOfMarksMax : 0)) {}

  Read ReadAny(simdjson::ondemand::value json, int depth) {
    if (depth > depth_max_) return Wrong("is nested too deeply");
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
      Read member = ReadAny(json, depth + 1);
      if (!member) return Inside(owned, std::move(member.error()));
      members.emplace_back(std::move(owned), *std::move(member));
    }
    return members;
  }

 private:
  Read ReadMap(simdjson::ondemand::value json, int depth) {
    simdjson::ondemand::object object;
    if (json.get_object().get(object) != simdjson::SUCCESS) return NotJson();
    auto members = ReadMembers(object, depth);
    if (!members) return std::unexpected(std::move(members.error()));
    if (marks_ == TypeMarks::kWritten && members->size() == 1) return Unmark(*std::move(members));
    return Value::FromEncoded(EncodedMap(*members));
  }

  Read ReadList(simdjson::ondemand::value json, int depth) {
    simdjson::ondemand::array array;
    if (json.get_array().get(array) != simdjson::SUCCESS) return NotJson();
    std::vector<Value> elements;
    for (auto entry : array) {
      simdjson::ondemand::value element;
      if (entry.get(element) != simdjson::SUCCESS) return NotJson();
      Read read = ReadAny(element, depth + 1);
      if (!read) return Inside(fmt::format("[{}]", elements.size()), std::move(read.error()));
      elements.push_back(*std::move(read));
    }
    return Value::List(elements);
  }

  static Read ReadNumber(simdjson::ondemand::value json) {
    std::string_view text = json.raw_json_token();
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r' || text.back() == '\t')) {
      text.remove_suffix(1);
    }
    std::optional<Value> number = Value::Number(text);
    if (!number) return Wrong("is not a number with at most 38 digits");
    return *std::move(number);
  }

  static Read ReadString(simdjson::ondemand::value json) {
    std::string_view text;
    if (json.get_string().get(text) != simdjson::SUCCESS) return NotJson();
    return Value::String(text);
  }

  static Read ReadBoolean(simdjson::ondemand::value json) {
    bool truth = false;
    if (json.get_bool().get(truth) != simdjson::SUCCESS) return NotJson();
    return Value::Bool(truth);
  }

  static Read ReadNull(simdjson::ondemand::value json) {
    if (!json.is_null()) return NotJson();
    return Value::Null();
  }

  const TypeMarks marks_;
  const int depth_max_;
};

class Writer {
 public:
  Writer(std::string& out, TypeMarks marks) : out_(out), marked_(marks == TypeMarks::kWritten) {}

  void Append(ValueView value) {
    switch (value.type()) {
      case Type::kNull:
        out_.append("null");
        return;
      case Type::kBool:
        out_.append(value.boolean() ? "true" : "false");
        return;
      case Type::kNumber:
        out_.append(value.number_text());
        return;
      case Type::kString:
        AppendStringJson(out_, value.bytes());
        return;
      case Type::kBinary:
        AppendBinary(value.bytes());
        return;
      case Type::kStringSet:
        AppendSet(value.set(), [this](std::string_view element) { AppendStringJson(out_, element); });
        return;
      case Type::kNumberSet:
        AppendSet(value.set(), [this](std::string_view element) { value::AppendTextFromOrdered(out_, element); });
        return;
      case Type::kBinarySet:
        AppendSet(value.set(), [this](std::string_view element) { AppendBinary(element); });
        return;
      case Type::kList:
        AppendList('[', ']', value.list(), [this](ValueView element) { Append(element); });
        return;
      case Type::kMap:
        AppendMap(value.map(), marked_ && value.map().size() == 1);
        return;
    }
  }

  // `may_be_mark`: a name that begins with "$" must not be taken for one.
  void AppendMap(MapView map, bool may_be_mark) {
    AppendList('{', '}', map, [&](const MapView::Entry& entry) {
      const std::size_t quote = out_.size();
      AppendStringJson(out_, entry.name);
      if (may_be_mark && entry.name.starts_with('$')) out_.insert(quote + 1, 1, '$');
      out_.push_back(':');
      Append(entry.value);
    });
  }

 private:
  template <typename Elements, typename AppendElement>
  void AppendList(char open, char close, const Elements& elements, AppendElement append) {
    out_.push_back(open);
    bool first = true;
    for (const auto element : elements) {
      if (!std::exchange(first, false)) out_.push_back(',');
      append(element);
    }
    out_.push_back(close);
  }

  template <typename AppendContent>
  void AppendMarked(std::string_view mark, AppendContent append) {
    if (marked_) out_.append("{\"").append(mark).append("\":");
    append();
    if (marked_) out_.push_back('}');
  }

  template <typename AppendElement>
  void AppendSet(SetView elements, AppendElement append) {
    AppendMarked(kSetMark, [&] { AppendList('[', ']', elements, append); });
  }

  void AppendBinary(std::string_view bytes) {
    AppendMarked(kBinaryMark, [&] {
      out_.push_back('"');
      base::AppendBase64(out_, bytes);
      out_.push_back('"');
    });
  }

  std::string& out_;
  const bool marked_;
};

}  // namespace

void AppendPlainJson(std::string& out, ValueView value, TypeMarks marks) { Writer(out, marks).Append(value); }

void AppendPlainItem(std::string& out, MapView attributes) {
  Writer(out, TypeMarks::kWritten).AppendMap(attributes, false);
}

std::unexpected<Misfit> Wrong(std::string what) { return std::unexpected(Misfit{{}, std::move(what)}); }

std::unexpected<Misfit> Inside(std::string step, Misfit misfit) {
  if (!misfit.path.empty() && misfit.path.front() != '[') step.push_back('.');
  misfit.path.insert(0, step);
  return std::unexpected(std::move(misfit));
}

std::string EncodedMap(const JsonMembers& members) {
  std::string encoded;
  value::MapBuilder map(encoded);
  for (const auto& [name, member] : members) map.Add(name, member.view());
  map.Finish();
  return encoded;
}

class PlainJsonReader::Parser {
 public:
  // Parses a whole text and hands over what stands in it; `read` must take all.
  template <typename ReadDocument>
  auto WithDocument(std::string_view json, ReadDocument read)
      -> decltype(read(std::declval<simdjson::ondemand::document&>())) {
    padded_.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    padded_ = json;
    simdjson::ondemand::document document;
    if (parser_.iterate(simdjson::padded_string_view(padded_)).get(document) != simdjson::SUCCESS) return NotJson();
    auto result = read(document);
    // In bounds means that something follows.
    const char* rest = nullptr;
    if (result && document.current_location().get(rest) == simdjson::SUCCESS) return NotJson();
    return result;
  }

 private:
  simdjson::ondemand::parser parser_;
  std::string padded_;
};

PlainJsonReader::PlainJsonReader(TypeMarks marks) : marks_(marks), parser_(std::make_unique<Parser>()) {}
PlainJsonReader::~PlainJsonReader() = default;

std::expected<JsonMembers, Misfit> PlainJsonReader::ReadMembers(std::string_view json) {
  return parser_->WithDocument(json,
                               [this](simdjson::ondemand::document& document) -> std::expected<JsonMembers, Misfit> {
                                 simdjson::ondemand::object object;
                                 if (document.get_object().get(object) != simdjson::SUCCESS)
                                   return Wrong("is not a JSON object");
                                 return TreeReader(marks_).ReadMembers(object, 1);
                               });
}

std::expected<Item, Misfit> PlainJsonReader::ReadItem(std::string_view json) {
  const auto members = ReadMembers(json);
  if (!members) return std::unexpected(members.error());
  return Item::FromEncoded(EncodedMap(*members));
}

// As the one element of an array, for the library reads a number that stands
// alone in another way than one among others.
std::expected<Value, Misfit> PlainJsonReader::ReadValue(std::string_view json) {
  return parser_->WithDocument(fmt::format("[{}]", json), [this](simdjson::ondemand::document& document) -> Read {
    simdjson::ondemand::array elements;
    if (document.get_array().get(elements) != simdjson::SUCCESS) return NotJson();
    Read only = NotJson();
    std::size_t count = 0;
    for (auto element : elements) {
      simdjson::ondemand::value root;
      if (element.get(root) != simdjson::SUCCESS || ++count > 1) return NotJson();
      only = TreeReader(marks_).ReadAny(root, 1);
      if (!only) return only;
    }
    return only;
  });
}

}  // namespace taula::codec
