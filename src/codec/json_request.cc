#include "codec/json_request.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/base64.h"

namespace taula::codec {
namespace {

using simdjson::SUCCESS;

// A parser needs many times the memory of the longest body it has met; beyond
// this length it does not keep it.
constexpr std::size_t kKeptBodyBytesMax = 1024 * 1024;
// What keys and most items need, so that they grow in one allocation or two.
constexpr std::size_t kUsualItemBytes = 256;
// JSON levels, of which a level of attributes takes two.
constexpr std::size_t kJsonLevelsMax = 1024;
// Names of a map that are compared each with each; more of them are sorted.
constexpr std::size_t kComparedMax = 16;

bool NamesDiffer(const std::vector<JsonMap::Entry>& entries) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (entries[i].first == entries[j].first) return false;
    }
  }
  return true;
}

}  // namespace

JsonValue::JsonValue(JsonError* error, JsonPlace place, Json json) : error_(error), place_(place) {
  if (!json.is_null()) json_ = json;
}

std::nullopt_t JsonValue::Fail(std::string message) const {
  *error_ = Error{ErrorCode::kSerializationException, std::move(message), std::nullopt, {}};
  return std::nullopt;
}

std::optional<std::string_view> JsonValue::String() const {
  if (!readable()) return std::nullopt;
  std::string_view text;
  if (json_->get_string().get(text) != SUCCESS) return Fail(NotAScalar(*json_, "String"));
  return text;
}

std::optional<bool> JsonValue::Boolean() const {
  if (!readable()) return std::nullopt;
  bool truth = false;
  std::string message;
  if (!ReadJsonBoolean(*json_, truth, message)) return Fail(std::move(message));
  return truth;
}

std::optional<std::int64_t> JsonValue::IntegerBetween(std::int64_t min, std::int64_t max,
                                                      std::string_view java_type) const {
  if (!readable()) return std::nullopt;
  std::int64_t integer = 0;
  if (json_->get_int64().get(integer) != SUCCESS) {
    double number = 0;
    // Not so large that the integer would not hold it: 2^63 is the first.
    constexpr double kLimit = 9223372036854775808.0;
    if (!json_->is_double() || json_->get_double().get(number) != SUCCESS || std::fabs(number) >= kLimit) {
      return Fail(NotAScalar(*json_, java_type));
    }
    integer = static_cast<std::int64_t>(std::floor(number));
  }
  if (integer < min || integer > max) return Fail(NotAScalar(*json_, java_type));
  return integer;
}

std::optional<std::int32_t> JsonValue::Integer() const {
  using Limits = std::numeric_limits<std::int32_t>;
  const auto integer = IntegerBetween(Limits::min(), Limits::max(), "Integer");
  if (!integer) return std::nullopt;
  return static_cast<std::int32_t>(*integer);
}

std::optional<std::int64_t> JsonValue::Long() const {
  using Limits = std::numeric_limits<std::int64_t>;
  return IntegerBetween(Limits::min(), Limits::max(), "Long");
}

std::optional<double> JsonValue::Double() const {
  if (!readable()) return std::nullopt;
  double number = 0;
  if (json_->get_double().get(number) != SUCCESS) return Fail(NotAScalar(*json_, "Double"));
  return number;
}

std::optional<std::string> JsonValue::Blob() const {
  if (!readable()) return std::nullopt;
  std::string_view text;
  if (json_->get_string().get(text) != SUCCESS) return Fail(NotABlob(*json_));
  std::string bytes;
  if (!base::AppendBase64Decoded(bytes, text)) return Fail(NotBase64(text));
  return bytes;
}

std::optional<JsonList> JsonValue::List() const {
  if (!readable()) return std::nullopt;
  simdjson::dom::array elements;
  if (json_->get_array().get(elements) != SUCCESS) return Fail(NotAList(*json_, place_));
  return JsonList(error_, elements);
}

std::optional<JsonMap> JsonValue::Map(std::string_view type) const {
  if (!readable()) return std::nullopt;
  simdjson::dom::object members;
  if (json_->get_object().get(members) != SUCCESS) return Fail(NotAMap(*json_, place_, type));
  return JsonMap(error_, members);
}

std::optional<JsonStruct> JsonValue::Struct(std::string_view type) const {
  if (!readable()) return std::nullopt;
  simdjson::dom::object members;
  if (json_->get_object().get(members) != SUCCESS) return Fail(NotAStructure(*json_, place_, type));
  return JsonStruct(error_, members);
}

std::optional<Value> JsonValue::Attribute(std::optional<ValueFault>& fault, ValueWording wording) const {
  if (!readable()) return std::nullopt;
  std::string encoded;
  JsonValueReader reader(encoded, wording);
  if (!reader.ReadValue(*json_, place_)) return Fail(reader.TakeTypeError());
  if (!fault) fault = reader.TakeFault();
  return Value::FromEncoded(std::move(encoded));
}

std::optional<Item> JsonValue::Item(std::optional<ValueFault>& fault, ValueWording wording) const {
  if (!readable()) return std::nullopt;
  std::string encoded;
  encoded.reserve(kUsualItemBytes);
  JsonValueReader reader(encoded, wording);
  if (!reader.ReadItem(*json_, place_)) return Fail(reader.TakeTypeError());
  if (!fault) fault = reader.TakeFault();
  return taula::Item::FromEncoded(std::move(encoded));
}

JsonValue JsonStruct::operator[](std::string_view name) const {
  // Where the structure ends is looked up in its own bytes, so once is enough.
  const auto end = members_.end();
  auto found = end;
  for (auto member = members_.begin(); member != end; ++member) {
    if (member.key_equals(name)) found = member;
  }
  if (found == end) return {error_, JsonPlace::kMember};
  return {error_, JsonPlace::kMember, found.value()};
}

std::size_t JsonList::size() const {
  // The array's own count stops at what fits in 24 bits.
  std::size_t count = 0;
  for (auto at = elements_.begin(); at != elements_.end(); ++at) ++count;
  return count;
}

JsonMap::JsonMap(JsonError* error, simdjson::dom::object members) {
  entries_.reserve(members.size());
  for (const auto& [name, json] : members) entries_.emplace_back(name, JsonValue(error, JsonPlace::kElement, json));
  if (entries_.size() <= kComparedMax && NamesDiffer(entries_)) return;

  std::vector<std::pair<std::string_view, std::size_t>> by_name;
  by_name.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) by_name.emplace_back(entries_[i].first, i);
  std::sort(by_name.begin(), by_name.end());
  std::vector<std::size_t> replaced;
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    if (by_name[i].first == by_name[i - 1].first) replaced.push_back(by_name[i - 1].second);
  }
  if (replaced.empty()) return;
  std::sort(replaced.begin(), replaced.end());
  std::vector<Entry> kept;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!std::binary_search(replaced.begin(), replaced.end(), i)) kept.push_back(std::move(entries_[i]));
  }
  entries_ = std::move(kept);
}

JsonBody::JsonBody() = default;
JsonBody::~JsonBody() = default;

Result<JsonStruct> JsonBody::Parse(std::string_view body) {
  error_.reset();
  const bool oversized = parser_ != nullptr && parser_->capacity() > kKeptBodyBytesMax;
  if (parser_ == nullptr || (oversized && body.size() <= kKeptBodyBytesMax)) {
    parser_ = std::make_unique<simdjson::dom::parser>();
  }
  // Levels are bound to capacity in the parser, so both are set together.
  if (body.size() > parser_->capacity() &&
      parser_->allocate(std::max<std::size_t>(body.size(), 4096), kJsonLevelsMax) != SUCCESS) {
    return Fail(ErrorCode::kInternalServerError, "Out of memory");
  }
  Json root;
  if (parser_->parse(body.data(), body.size()).get(root) != SUCCESS) {
    return Fail(ErrorCode::kSerializationException, "");
  }
  simdjson::dom::object members;
  if (root.get_object().get(members) != SUCCESS) return Fail(ErrorCode::kSerializationException, "");
  return JsonStruct(&error_, members);
}

}  // namespace taula::codec
