#include <string>

#include "api/kinesis_members.h"
#include "api/operations.h"
#include "api/table_request.h"
#include "engine/kinesis_destinations.h"

namespace taula::api {
namespace {

Result<std::string> Answer(Context& context, const KinesisBody& body) {
  const auto name = CheckKinesisBody(context, body);
  if (!name) return name;
  if (body.precision) {
    return ValidationError("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters");
  }
  const auto disabled = engine::DisableKinesisDestination(context.engine.catalog(), *name, body.stream_arn);
  if (!disabled) return std::unexpected(disabled.error());
  return KinesisAnswer(*name, body, "DISABLING", "");
}

}  // namespace

void DisableKinesisStreamingDestination(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done,
      [](const codec::JsonStruct& json) { return ReadKinesisBody(json, "EnableKinesisStreamingConfiguration"); },
      [&context](const KinesisBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
