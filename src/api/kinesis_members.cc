#include "api/kinesis_members.h"

#include <fmt/format.h>

#include "api/table_name.h"
#include "codec/json_writer.h"

namespace taula::api {

namespace {

constexpr const char* kPrecision = "ApproximateCreationDateTimePrecision";

std::string InCamelCase(std::string name) {
  name.front() = static_cast<char>(name.front() - 'A' + 'a');
  return name;
}

}  // namespace

KinesisBody ReadKinesisBody(const codec::JsonStruct& json, const std::string& configuration) {
  KinesisBody body;
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  if (const auto arn = json["StreamArn"].String()) {
    body.stream_arn = *arn;
  } else {
    body.constraints.Missing("streamArn");
  }
  const auto members = json[configuration].Struct(configuration);
  if (!members) return body;
  const auto precision = (*members)[kPrecision].String();
  if (precision) body.precision = *precision;
  if (precision && *precision != "MILLISECOND" && *precision != "MICROSECOND") {
    body.constraints.Violated(fmt::format("{}.{}", InCamelCase(configuration), InCamelCase(kPrecision)), *precision,
                              IsOneOf("[MILLISECOND, MICROSECOND]"));
  }
  return body;
}

Result<std::string> CheckKinesisBody(const Context& context, const KinesisBody& body) {
  auto name = ResolveTableName(context, body.name_or_arn);
  if (!name) return name;
  if (auto shape = body.constraints.Check(); !shape) return std::unexpected(shape.error());
  return name;
}

std::string KinesisAnswer(const std::string& table, const KinesisBody& body, std::string_view status,
                          std::string_view configuration) {
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("TableName").String(table);
  json.Key("StreamArn").String(body.stream_arn);
  json.Key("DestinationStatus").String(status);
  if (!configuration.empty()) {
    json.Key(configuration).BeginObject();
    if (body.precision) json.Key(kPrecision).String(*body.precision);
    json.EndObject();
  }
  json.EndObject();
  return answer;
}

}  // namespace taula::api
