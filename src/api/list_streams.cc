#include <optional>
#include <string>
#include <vector>

#include "api/arn_page.h"
#include "api/operations.h"
#include "api/stream_members.h"
#include "api/table_name.h"
#include "api/table_request.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

constexpr std::int64_t kLimitMax = 100;

struct ListStreamsBody {
  std::optional<std::string> table_name;
  std::optional<std::string> start_arn;
  std::optional<std::int64_t> limit;
};

ListStreamsBody Read(const codec::JsonStruct& json) {
  ListStreamsBody body;
  if (const auto name = json["TableName"].String()) body.table_name = *name;
  if (const auto arn = json["ExclusiveStartStreamArn"].String()) body.start_arn = *arn;
  body.limit = json["Limit"].Integer();
  return body;
}

Result<void> Check(const ListStreamsBody& body) {
  Constraints constraints;
  CheckLength(constraints, "exclusiveStartStreamArn", body.start_arn, kStreamArnLength);
  CheckLimit(constraints, body.limit, kLimitMax);
  return constraints.Check();
}

Result<std::string> Answer(Context& context, const ListStreamsBody& body) {
  if (auto checked = Check(body); !checked) return std::unexpected(checked.error());
  std::optional<std::string> table_name;
  if (body.table_name) {
    auto resolved = ResolveTableName(context, *body.table_name);
    if (!resolved) return std::unexpected(resolved.error());
    table_name = *std::move(resolved);
  }
  const engine::Streams& streams = context.engine.streams();
  std::vector<catalog::StreamPtr> all = streams.List();
  SkipThrough(all, body.start_arn, [&](const catalog::StreamPtr& stream) { return streams.Arn(*stream); });
  if (table_name) std::erase_if(all, [&](const auto& stream) { return stream->table_name != *table_name; });
  const bool more = CutTo(all, static_cast<std::size_t>(body.limit.value_or(kLimitMax)));

  std::string answer;
  codec::JsonWriter json(answer);
  json.BeginObject();
  json.Key("Streams").BeginArray();
  for (const catalog::StreamPtr& stream : all) {
    json.BeginObject();
    json.Key("StreamArn").String(streams.Arn(*stream));
    json.Key("TableName").String(stream->table_name);
    json.Key("StreamLabel").String(stream->label);
    json.EndObject();
  }
  json.EndArray();
  if (more) json.Key("LastEvaluatedStreamArn").String(streams.Arn(*all.back()));
  json.EndObject();
  return answer;
}

}  // namespace

void ListStreams(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const ListStreamsBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
