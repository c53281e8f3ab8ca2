#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "api/tags_json.h"

namespace taula::api {

namespace {

struct TagResourceBody {
  std::optional<std::string_view> arn;
  ReadTagsResult tags;
};

Result<void> Check(const TagResourceBody& body) {
  if (!body.tags.tags) {
    Constraints constraints;
    constraints.Missing("tags");
    return constraints.Check();
  }
  if (body.tags.tags->empty()) return ValidationError("Atleast one Tag needs to be provided as Input.");
  if (body.tags.invalid) return std::unexpected(*body.tags.invalid);
  return {};
}

}  // namespace

void TagResource(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) {
        return TagResourceBody{json["ResourceArn"].String(), ReadTags(json["Tags"])};
      },
      [&context](const TagResourceBody& decoded) -> Result<std::string> {
        const auto name = ResolveResourceArn(context, decoded.arn);
        if (!name) return std::unexpected(name.error());
        if (auto checked = Check(decoded); !checked) return std::unexpected(checked.error());
        auto tagged = context.engine.tables().Tag(*name, *decoded.tags.tags);
        if (!tagged) return std::unexpected(NotFoundByArn(tagged.error(), *decoded.arn));
        return std::string();
      });
}

}  // namespace taula::api
