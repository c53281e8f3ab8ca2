#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/operations.h"
#include "api/stream_members.h"
#include "api/table_request.h"
#include "catalog/enum_names.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

using codec::JsonWriter;

constexpr std::int64_t kLimitMax = 100;
constexpr std::string_view kChildShards = "CHILD_SHARDS";

struct DescribeStreamBody {
  std::optional<std::string> arn;
  std::optional<std::string> start_shard;
  std::optional<std::int64_t> limit;
  std::optional<std::string> filter_type;
  std::optional<std::string> filter_shard;
};

DescribeStreamBody Read(const codec::JsonStruct& json) {
  DescribeStreamBody body;
  if (const auto arn = json["StreamArn"].String()) body.arn = *arn;
  if (const auto shard = json["ExclusiveStartShardId"].String()) body.start_shard = *shard;
  body.limit = json["Limit"].Integer();
  if (const auto filter = json["ShardFilter"].Struct("ShardFilter")) {
    if (const auto type = (*filter)["Type"].String()) body.filter_type = *type;
    if (const auto shard = (*filter)["ShardId"].String()) body.filter_shard = *shard;
  }
  return body;
}

Result<void> Check(const DescribeStreamBody& body) {
  Constraints constraints;
  CheckRequiredLength(constraints, "streamArn", body.arn, kStreamArnLength);
  CheckLength(constraints, "exclusiveStartShardId", body.start_shard, kShardIdLength);
  CheckLimit(constraints, body.limit, kLimitMax);
  if (body.filter_type && *body.filter_type != kChildShards) {
    constraints.Violated("shardFilter.type", *body.filter_type, IsOneOf("[CHILD_SHARDS]"));
  }
  CheckLength(constraints, "shardFilter.shardId", body.filter_shard, kShardIdLength);
  return constraints.Check();
}

std::string_view NameOf(engine::StreamStatus status) {
  switch (status) {
    case engine::StreamStatus::kEnabled:
      return "ENABLED";
    case engine::StreamStatus::kDisabling:
      return "DISABLING";
    case engine::StreamStatus::kDisabled:
      return "DISABLED";
  }
  return "";
}

void WriteKeyAttributes(JsonWriter& json, const std::vector<catalog::KeyAttribute>& attributes, KeyType type) {
  for (const catalog::KeyAttribute& attribute : attributes) {
    json.BeginObject();
    json.Key("AttributeName").String(attribute.name);
    json.Key("KeyType").String(catalog::NameOf(type));
    json.EndObject();
  }
}

void WriteShard(JsonWriter& json, const engine::StreamShard& shard) {
  json.BeginObject();
  json.Key("ShardId").String(shard.id);
  json.Key("SequenceNumberRange").BeginObject();
  json.Key("StartingSequenceNumber").String(engine::SequenceNumber(shard.first_position));
  if (shard.last_position) json.Key("EndingSequenceNumber").String(engine::SequenceNumber(*shard.last_position));
  json.EndObject();
  if (shard.parent) json.Key("ParentShardId").String(*shard.parent);
  json.EndObject();
}

// The shards that the request asks for, and the one that the next request
// begins behind.
std::vector<engine::StreamShard> SelectShards(const DescribeStreamBody& body, const catalog::Stream& stream,
                                              std::optional<std::string>& last) {
  std::vector<engine::StreamShard> shards = engine::Streams::Shards(stream);
  if (body.start_shard) {
    const auto start = std::ranges::find(shards, *body.start_shard, &engine::StreamShard::id);
    shards.erase(shards.begin(), start == shards.end() ? start : start + 1);
  }
  if (body.filter_type) {
    std::erase_if(shards, [&](const engine::StreamShard& shard) { return shard.parent != body.filter_shard; });
  }
  const auto limit = static_cast<std::size_t>(body.limit.value_or(kLimitMax));
  if (shards.size() > limit) {
    shards.resize(limit);
    last = shards.back().id;
  }
  return shards;
}

Result<std::string> Answer(Context& context, const DescribeStreamBody& body) {
  if (auto checked = Check(body); !checked) return std::unexpected(checked.error());
  const engine::Streams& streams = context.engine.streams();
  const Result<catalog::StreamPtr> stream = streams.Find(*body.arn);
  if (!stream) return std::unexpected(stream.error());
  std::optional<std::string> last_shard;
  const std::vector<engine::StreamShard> shards = SelectShards(body, **stream, last_shard);

  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key("StreamDescription").BeginObject();
  json.Key("StreamArn").String(*body.arn);
  json.Key("StreamLabel").String((*stream)->label);
  json.Key("StreamStatus").String(NameOf(streams.Status(**stream)));
  json.Key("StreamViewType").String(catalog::NameOf((*stream)->view));
  json.Key("CreationRequestDateTime").Double(static_cast<double>((*stream)->created_ms) / 1000);
  json.Key("TableName").String((*stream)->table_name);
  json.Key("KeySchema").BeginArray();
  WriteKeyAttributes(json, (*stream)->key.partition, KeyType::kHash);
  WriteKeyAttributes(json, (*stream)->key.sort, KeyType::kRange);
  json.EndArray();
  json.Key("Shards").BeginArray();
  for (const engine::StreamShard& shard : shards) WriteShard(json, shard);
  json.EndArray();
  if (last_shard) json.Key("LastEvaluatedShardId").String(*last_shard);
  json.EndObject();
  json.EndObject();
  return answer;
}

}  // namespace

void DescribeStream(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read,
                     [&context](const DescribeStreamBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
