#include <optional>
#include <string>
#include <vector>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "api/tags_json.h"

namespace taula::api {

namespace {

struct UntagResourceBody {
  std::optional<std::string_view> arn;
  std::optional<std::vector<std::string>> keys;
};

UntagResourceBody Read(const codec::JsonStruct& json) {
  UntagResourceBody body{json["ResourceArn"].String(), std::nullopt};
  const auto list = json["TagKeys"].List();
  if (!list) return body;
  body.keys.emplace();
  for (const codec::JsonValue key : *list) body.keys->emplace_back(key.String().value_or(""));
  return body;
}

Result<void> Check(const UntagResourceBody& body) {
  if (!body.keys) {
    Constraints constraints;
    constraints.Missing("tagKeys");
    return constraints.Check();
  }
  if (body.keys->empty()) return ValidationError("Atleast one Tag Key needs to be provided as Input.");
  return {};
}

}  // namespace

void UntagResource(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const UntagResourceBody& decoded) -> Result<std::string> {
    const auto name = ResolveResourceArn(context, decoded.arn);
    if (!name) return std::unexpected(name.error());
    if (auto checked = Check(decoded); !checked) return std::unexpected(checked.error());
    auto untagged = context.engine.tables().Untag(*name, *decoded.keys);
    if (!untagged) return std::unexpected(NotFoundByArn(untagged.error(), *decoded.arn));
    return std::string();
  });
}

}  // namespace taula::api
