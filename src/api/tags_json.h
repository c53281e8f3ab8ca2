// Tags as requests and answers have them.
#pragma once

#include <optional>
#include <vector>

#include "codec/json_request.h"
#include "codec/json_writer.h"
#include "taula/error.h"
#include "taula/table.h"

namespace taula::api {

struct ReadTagsResult {
  std::optional<std::vector<Tag>> tags;  // nothing when there is no list
  std::optional<Error> invalid;          // a tag without a key or a value
};

[[nodiscard]] ReadTagsResult ReadTags(const codec::JsonValue& json);

void WriteTags(codec::JsonWriter& json, const std::vector<Tag>& tags);

// "Requested resource not found: ResourceArn: <arn> not found", in place of
// what is said of a table that is named otherwise.
[[nodiscard]] Error NotFoundByArn(Error error, std::string_view arn);

}  // namespace taula::api
