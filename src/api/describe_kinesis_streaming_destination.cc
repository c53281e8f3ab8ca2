#include <optional>
#include <string>

#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_writer.h"
#include "engine/kinesis_destinations.h"
#include "engine/table_update.h"

namespace taula::api {
namespace {

void WriteDestination(codec::JsonWriter& json, const catalog::KinesisDestination& destination) {
  const bool failed = !destination.failure.empty();
  json.BeginObject();
  json.Key("StreamArn").String(destination.stream_arn);
  json.Key("DestinationStatus").String(failed ? "ENABLE_FAILED" : destination.active ? "ACTIVE" : "DISABLED");
  if (failed || destination.active) {
    json.Key("DestinationStatusDescription").String(failed ? destination.failure : engine::kNothingIsSent);
  }
  if (destination.timestamp_precision) {
    json.Key("ApproximateCreationDateTimePrecision").String(*destination.timestamp_precision);
  }
  json.EndObject();
}

Result<std::string> Answer(Context& context, std::optional<std::string_view> name_or_arn) {
  const auto name = ResolveTableName(context, name_or_arn);
  if (!name) return std::unexpected(name.error());
  const catalog::TablePtr table = context.engine.FindTable(*name);
  if (table == nullptr) return engine::TableNotFound(*name);
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("TableName").String(table->name);
  json.Key("KinesisDataStreamDestinations").BeginArray();
  for (const catalog::KinesisDestination& destination : table->kinesis_destinations) {
    WriteDestination(json, destination);
  }
  json.EndArray();
  json.EndObject();
  return answer;
}

}  // namespace

void DescribeKinesisStreamingDestination(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return json["TableName"].String(); },
      [&context](std::optional<std::string_view> name) { return Answer(context, name); });
}

}  // namespace taula::api
