#include <optional>
#include <string>

#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "catalog/enum_names.h"
#include "codec/json_writer.h"

namespace taula::api {

void DescribeTimeToLive(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["TableName"].String(); },
      [&context](std::optional<std::string_view> name_or_arn) -> Result<std::string> {
        const auto name = ResolveTableName(context, name_or_arn);
        if (!name) return std::unexpected(name.error());
        const auto description = context.engine.tables().DescribeTimeToLive(*name);
        if (!description) return std::unexpected(description.error());
        std::string answer;
        codec::JsonWriter json(answer);
        json.BeginObject();
        json.Key("TimeToLiveDescription").BeginObject();
        json.Key("TimeToLiveStatus").String(catalog::NameOf(description->status));
        if (description->attribute_name) json.Key("AttributeName").String(*description->attribute_name);
        json.EndObject();
        json.EndObject();
        return answer;
      });
}

}  // namespace taula::api
