#include "api/tags_json.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace taula::api {

ReadTagsResult ReadTags(const codec::JsonValue& json) {
  ReadTagsResult result;
  const std::optional<codec::JsonList> list = json.List();
  if (!list) return result;
  result.tags.emplace();
  for (const codec::JsonValue element : *list) {
    const std::optional<codec::JsonStruct> members = element.Struct("Tag");
    const std::optional<std::string_view> key = members ? (*members)["Key"].String() : std::nullopt;
    const std::optional<std::string_view> value = members ? (*members)["Value"].String() : std::nullopt;
    if (!result.invalid && !key) {
      result.invalid = ValidationError("The Tag Key provided is invalid, Key: null").error();
    } else if (!result.invalid && !value) {
      result.invalid = ValidationError("The Tag Value provided is invalid, Value: null").error();
    }
    result.tags->push_back({std::string(key.value_or("")), std::string(value.value_or(""))});
  }
  return result;
}

void WriteTags(codec::JsonWriter& json, const std::vector<Tag>& tags) {
  json.Key("Tags").BeginArray();
  for (const Tag& tag : tags) {
    json.BeginObject();
    json.Key("Key").String(tag.key);
    json.Key("Value").String(tag.value);
    json.EndObject();
  }
  json.EndArray();
}

Error NotFoundByArn(Error error, std::string_view arn) {
  if (error.code == ErrorCode::kResourceNotFoundException) {
    error.message = fmt::format("Requested resource not found: ResourceArn: {} not found", arn);
  }
  return error;
}

}  // namespace taula::api
