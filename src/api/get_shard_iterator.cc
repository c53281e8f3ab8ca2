#include <optional>
#include <string>

#include "api/operations.h"
#include "api/stream_members.h"
#include "api/table_request.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

using engine::ShardIteratorType;

struct GetShardIteratorBody {
  std::optional<std::string> arn;
  std::optional<std::string> shard;
  std::optional<std::string> type;
  std::optional<std::string> sequence_number;
};

GetShardIteratorBody Read(const codec::JsonStruct& json) {
  GetShardIteratorBody body;
  if (const auto arn = json["StreamArn"].String()) body.arn = *arn;
  if (const auto shard = json["ShardId"].String()) body.shard = *shard;
  if (const auto type = json["ShardIteratorType"].String()) body.type = *type;
  if (const auto number = json["SequenceNumber"].String()) body.sequence_number = *number;
  return body;
}

std::optional<ShardIteratorType> ParseType(std::string_view text) {
  if (text == "TRIM_HORIZON") return ShardIteratorType::kTrimHorizon;
  if (text == "LATEST") return ShardIteratorType::kLatest;
  if (text == "AT_SEQUENCE_NUMBER") return ShardIteratorType::kAtSequenceNumber;
  if (text == "AFTER_SEQUENCE_NUMBER") return ShardIteratorType::kAfterSequenceNumber;
  return std::nullopt;
}

Result<void> Check(const GetShardIteratorBody& body) {
  Constraints constraints;
  CheckRequiredLength(constraints, "streamArn", body.arn, kStreamArnLength);
  CheckRequiredLength(constraints, "shardId", body.shard, kShardIdLength);
  if (!body.type) {
    constraints.Missing("shardIteratorType");
  } else if (!ParseType(*body.type)) {
    constraints.Violated("shardIteratorType", *body.type,
                         IsOneOf("[AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]"));
  }
  CheckLength(constraints, "sequenceNumber", body.sequence_number, kSequenceNumberLength);
  return constraints.Check();
}

// The position of the types that begin at one.
Result<std::uint64_t> Position(const GetShardIteratorBody& body, ShardIteratorType type) {
  const bool by_number =
      type == ShardIteratorType::kAtSequenceNumber || type == ShardIteratorType::kAfterSequenceNumber;
  if (!by_number) {
    if (!body.sequence_number) return 0;
    return ValidationError(
        "One or more parameter values were invalid: SequenceNumber must not be provided with ShardIteratorType " +
        *body.type);
  }
  if (!body.sequence_number) {
    return ValidationError(
        "One or more parameter values were invalid: SequenceNumber is required for "
        "ShardIteratorType " +
        *body.type);
  }
  const auto position = engine::PositionFrom(*body.sequence_number);
  if (!position) return ValidationError("Invalid SequenceNumber");
  return *position;
}

Result<std::string> Answer(Context& context, const GetShardIteratorBody& body) {
  if (auto checked = Check(body); !checked) return std::unexpected(checked.error());
  const ShardIteratorType type = *ParseType(*body.type);
  const Result<std::uint64_t> position = Position(body, type);
  if (!position) return std::unexpected(position.error());
  const auto iterator = context.engine.streams().Begin(*body.arn, *body.shard, type, *position);
  if (!iterator) return std::unexpected(iterator.error());
  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("ShardIterator").String(engine::ToText(*iterator));
  json.EndObject();
  return answer;
}

}  // namespace

void GetShardIterator(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read,
                     [&context](const GetShardIteratorBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
