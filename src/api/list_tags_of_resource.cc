#include <optional>
#include <string>

#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "api/tags_json.h"
#include "codec/json_writer.h"

namespace taula::api {

void ListTagsOfResource(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) {
        const std::optional<std::string_view> arn = json["ResourceArn"].String();
        // All tags fit one answer, so no token is ever handed out, and one that
        // comes is ignored; but it has to be a string.
        (void)json["NextToken"].String();
        return arn;
      },
      [&context](std::optional<std::string_view> arn) -> Result<std::string> {
        const auto name = ResolveResourceArn(context, arn);
        if (!name) return std::unexpected(name.error());
        const auto tags = context.engine.tables().Tags(*name);
        if (!tags) return std::unexpected(NotFoundByArn(tags.error(), *arn));
        std::string answer;
        codec::JsonWriter json(answer);
        json.BeginObject();
        WriteTags(json, *tags);
        json.EndObject();
        return answer;
      });
}

}  // namespace taula::api
