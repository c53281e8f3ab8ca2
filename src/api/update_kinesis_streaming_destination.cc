#include <string>

#include "api/kinesis_members.h"
#include "api/operations.h"
#include "api/table_request.h"
#include "engine/kinesis_destinations.h"

namespace taula::api {
namespace {

constexpr const char* kConfiguration = "UpdateKinesisStreamingConfiguration";

Result<std::string> Answer(Context& context, const KinesisBody& body) {
  const auto name = CheckKinesisBody(context, body);
  if (!name) return name;
  if (!body.precision) {
    return ValidationError(
        "Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be "
        "null or contain only null values");
  }
  const auto updated =
      engine::UpdateKinesisDestination(context.engine.catalog(), *name, body.stream_arn, *body.precision);
  if (!updated) return std::unexpected(updated.error());
  return KinesisAnswer(*name, body, "UPDATING", kConfiguration);
}

}  // namespace

void UpdateKinesisStreamingDestination(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return ReadKinesisBody(json, kConfiguration); },
      [&context](const KinesisBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
