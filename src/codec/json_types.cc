#include "codec/json_types.h"

#include <algorithm>
#include <array>

namespace taula::codec {
namespace {

constexpr std::string_view kModelPackage = "com.amazonaws.dynamodb.v20120810.";
constexpr std::string_view kUnexpectedObject = "Start of structure or map found where not expected";
constexpr std::string_view kUnexpectedMember = "Unexpected field type";
constexpr std::string_view kUnexpectedElement =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class "
    "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of "
    "loader 'bootstrap')";

std::string Concatenate(std::string_view a, std::string_view b, std::string_view c = {}, std::string_view d = {}) {
  std::string text;
  for (const std::string_view part : {a, b, c, d}) text.append(part);
  return text;
}

std::string_view TokenName(Json got) {
  switch (got.type()) {
    case JsonType::BOOL:
      return bool{got.get_bool().value_unsafe()} ? "TRUE_VALUE" : "FALSE_VALUE";
    case JsonType::INT64:
    case JsonType::UINT64:
      return "NUMBER_VALUE";
    case JsonType::DOUBLE:
      return "DECIMAL_VALUE";
    case JsonType::STRING:
      return "STRING_VALUE";
    default:
      return "NULL_VALUE";
  }
}

bool IsWord(std::string_view text, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [&](char a, char b) { return lower(a) == b; });
}

}  // namespace

std::string NotAScalar(Json got, std::string_view java_type) {
  if (got.is_array()) return Concatenate("Unrecognized collection type class java.lang.", java_type);
  if (got.is_object()) return std::string(kUnexpectedObject);
  return Concatenate(TokenName(got), " cannot be converted to ", java_type);
}

std::string NotABlob(Json got) {
  if (got.is_array()) return "Unrecognized collection type class java.nio.ByteBuffer";
  if (got.is_object()) return std::string(kUnexpectedObject);
  return "only base-64-encoded strings are convertible to bytes";
}

std::string NotAList(Json got, JsonPlace place) {
  if (got.is_object()) return std::string(kUnexpectedObject);
  return std::string(place == JsonPlace::kMember ? kUnexpectedMember : kUnexpectedElement);
}

std::string NotAMap(Json got, JsonPlace place, std::string_view type) {
  if (got.is_array()) {
    const std::string_view package = type.contains('.') ? std::string_view() : kModelPackage;
    return Concatenate("Unrecognized collection type java.util.Map<java.lang.String, ", package, type, ">");
  }
  return std::string(place == JsonPlace::kMember ? kUnexpectedMember : kUnexpectedElement);
}

std::string NotAStructure(Json got, JsonPlace place, std::string_view type) {
  if (got.is_array()) return Concatenate("Unrecognized collection type class ", kModelPackage, type);
  return std::string(place == JsonPlace::kMember ? kUnexpectedMember : "Unexpected value type in payload");
}

std::string NotBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return Concatenate("Base64 encoded length is expected a multiple of 4 bytes but found: ",
                       std::to_string(text.size()));
  }
  return "Invalid last non-pad Base64 character dectected";  // the typing error is Amazon's
}

bool ReadJsonBoolean(Json json, bool& truth, std::string& error) {
  if (json.get_bool().get(truth) == simdjson::SUCCESS) return true;
  std::string_view text;
  if (json.get_string().get(text) != simdjson::SUCCESS) {
    error = NotAScalar(json, "Boolean");
    return false;
  }
  constexpr std::array<std::string_view, 3> kTrue{"true", "1", "yes"};
  constexpr std::array<std::string_view, 3> kFalse{"false", "0", "no"};
  const auto is_word = [&](std::string_view word) { return IsWord(text, word); };
  truth = std::any_of(kTrue.begin(), kTrue.end(), is_word);
  if (truth || std::any_of(kFalse.begin(), kFalse.end(), is_word)) return true;
  error = "Unexpected token received from parser";
  return false;
}

}  // namespace taula::codec
