#include <string>

#include "api/kinesis_members.h"
#include "api/operations.h"
#include "api/table_request.h"
#include "engine/kinesis_destinations.h"

namespace taula::api {
namespace {

constexpr const char* kConfiguration = "EnableKinesisStreamingConfiguration";

Result<std::string> Answer(Context& context, const KinesisBody& body) {
  const auto name = CheckKinesisBody(context, body);
  if (!name) return name;
  const auto enabled = engine::EnableKinesisDestination(context.engine.catalog(), context.engine.tables().region(),
                                                        *name, body.stream_arn, body.precision);
  if (!enabled) return std::unexpected(enabled.error());
  return KinesisAnswer(*name, body, "ENABLING", kConfiguration);
}

}  // namespace

void EnableKinesisStreamingDestination(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(
      body, done, [](const codec::JsonStruct& json) { return ReadKinesisBody(json, kConfiguration); },
      [&context](const KinesisBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
