#include <optional>
#include <string>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "base/limits.h"
#include "codec/json_writer.h"

namespace taula::api {

namespace {

struct UpdateTimeToLiveBody {
  std::optional<std::string_view> name_or_arn;
  TimeToLiveSpecification specification;
  Constraints constraints;
};

UpdateTimeToLiveBody Read(const codec::JsonStruct& json) {
  UpdateTimeToLiveBody body;
  body.name_or_arn = json["TableName"].String();
  const auto specification = json["TimeToLiveSpecification"].Struct("TimeToLiveSpecification");
  if (!specification) {
    body.constraints.Missing("timeToLiveSpecification");
    return body;
  }
  constexpr std::string_view kAttributePath = "timeToLiveSpecification.attributeName";
  const auto enabled = (*specification)["Enabled"].Boolean();
  const auto attribute = (*specification)["AttributeName"].String();
  if (!attribute) {
    body.constraints.Missing(kAttributePath);
  } else if (attribute->empty()) {
    body.constraints.Violated(kAttributePath, "", LengthAtLeast(1));
  } else if (attribute->size() > base::kKeyNameBytesMax) {
    body.constraints.Violated(kAttributePath, *attribute, LengthAtMost(base::kKeyNameBytesMax));
  }
  if (!enabled) body.constraints.Missing("timeToLiveSpecification.enabled");
  body.specification = {std::string(attribute.value_or("")), enabled.value_or(false)};
  return body;
}

std::string Write(const TimeToLiveSpecification& specification) {
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("TimeToLiveSpecification").BeginObject();
  json.Key("Enabled").Boolean(specification.enabled);
  json.Key("AttributeName").String(specification.attribute_name);
  json.EndObject();
  json.EndObject();
  return answer;
}

}  // namespace

void UpdateTimeToLive(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const UpdateTimeToLiveBody& decoded) -> Result<std::string> {
    const auto name = ResolveTableName(context, decoded.name_or_arn);
    if (!name) return std::unexpected(name.error());
    if (auto shape = decoded.constraints.Check(); !shape) return std::unexpected(shape.error());
    const auto updated = context.engine.tables().UpdateTimeToLive(*name, decoded.specification);
    if (!updated) return std::unexpected(updated.error());
    return Write(*updated);
  });
}

}  // namespace taula::api
