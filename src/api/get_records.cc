#include <fmt/format.h>

#include <optional>
#include <string>

#include "api/operations.h"
#include "api/stream_members.h"
#include "api/table_request.h"
#include "catalog/enum_names.h"
#include "codec/json_writer.h"
#include "codec/stored_item.h"
#include "value/size.h"

namespace taula::api {
namespace {

using codec::JsonWriter;
using engine::ChangeKind;

constexpr std::int64_t kLimitMax = 1000;

struct GetRecordsBody {
  std::optional<std::string> iterator;
  std::optional<std::int64_t> limit;
};

GetRecordsBody Read(const codec::JsonStruct& json) {
  GetRecordsBody body;
  if (const auto iterator = json["ShardIterator"].String()) body.iterator = *iterator;
  body.limit = json["Limit"].Integer();
  return body;
}

Result<void> Check(const GetRecordsBody& body) {
  Constraints constraints;
  CheckRequiredLength(constraints, "shardIterator", body.iterator, kShardIteratorLength);
  CheckLimit(constraints, body.limit, kLimitMax);
  return constraints.Check();
}

std::string_view EventName(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kInsert:
      return "INSERT";
    case ChangeKind::kModify:
      return "MODIFY";
    case ChangeKind::kRemove:
    case ChangeKind::kExpire:
      break;
  }
  return "REMOVE";
}

// The same each time the record is read, and another for each record.
std::string EventId(const catalog::Stream& stream, std::uint64_t position) {
  const auto mix = [](std::uint64_t number) {
    number = (number ^ (number >> 33)) * 0xff51afd7ed558ccdULL;
    number = (number ^ (number >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return number ^ (number >> 33);
  };
  const std::uint64_t first = mix(position + static_cast<std::uint64_t>(stream.created_ms));
  return fmt::format("{:016x}{:016x}", first, mix(first ^ stream.space));
}

std::size_t Size(MapView attributes) { return value::ItemSize(attributes); }

// The attributes of the table's key, from an item that has them.
void WriteKeys(JsonWriter& json, const catalog::KeySchema& key, MapView item, std::size_t& bytes) {
  Item keys;
  for (const auto* part : {&key.partition, &key.sort}) {
    for (const catalog::KeyAttribute& attribute : *part) {
      if (const auto value = item.Find(attribute.name)) keys.Set(attribute.name, Value(*value));
    }
  }
  json.Key("Keys").Item(keys.attributes());
  bytes += Size(keys.attributes());
}

void WriteImage(JsonWriter& json, std::string_view name, const std::optional<std::string_view>& stored,
                std::size_t& bytes) {
  if (!stored) return;
  json.Key(name).Item(codec::StoredItemValue(*stored).map());
  bytes += codec::StoredItemSize(*stored);
}

void WriteRecord(JsonWriter& json, std::string_view region, const catalog::Stream& stream, std::uint64_t position,
                 const engine::ChangeRecord& record) {
  json.BeginObject();
  json.Key("eventID").String(EventId(stream, position));
  json.Key("eventName").String(EventName(record.kind));
  json.Key("eventVersion").String("1.1");
  json.Key("eventSource").String("aws:dynamodb");
  json.Key("awsRegion").String(region);
  json.Key("dynamodb").BeginObject();
  json.Key("ApproximateCreationDateTime").Integer(record.time_ms / 1000);
  std::size_t bytes = 0;
  const std::string_view any = record.key ? *record.key : (record.after ? *record.after : *record.before);
  WriteKeys(json, stream.key, codec::StoredItemValue(any).map(), bytes);
  WriteImage(json, "NewImage", record.after, bytes);
  WriteImage(json, "OldImage", record.before, bytes);
  json.Key("SequenceNumber").String(engine::SequenceNumber(position));
  json.Key("SizeBytes").Integer(static_cast<std::int64_t>(bytes));
  json.Key("StreamViewType").String(catalog::NameOf(stream.view));
  json.EndObject();
  if (record.kind == ChangeKind::kExpire) {
    json.Key("userIdentity").BeginObject();
    json.Key("PrincipalId").String("dynamodb.amazonaws.com");
    json.Key("Type").String("Service");
    json.EndObject();
  }
  json.EndObject();
}

Result<std::string> Answer(Context& context, const GetRecordsBody& body) {
  if (auto checked = Check(body); !checked) return std::unexpected(checked.error());
  const auto from = engine::ShardIteratorFrom(*body.iterator);
  if (!from) return ValidationError("Invalid ShardIterator");
  std::string answer;
  JsonWriter json(answer);
  json.BeginObject();
  json.Key("Records").BeginArray();
  std::uint64_t records = 0;
  std::pair<std::string, std::string> of;
  const std::string& region = context.engine.options().region;
  const auto next = context.engine.streams().Read(
      *from, static_cast<std::size_t>(body.limit.value_or(kLimitMax)),
      [&](const catalog::Stream& stream, std::uint64_t position, const engine::ChangeRecord& record) {
        WriteRecord(json, region, stream, position, record);
        if (records++ == 0) of = {stream.table_name, stream.label};
      });
  if (!next) return std::unexpected(next.error());
  if (records != 0) context.engine.metrics().traffic().CountRecords(of.first, of.second, records, answer.size());
  json.EndArray();
  if (*next) json.Key("NextShardIterator").String(engine::ToText(**next));
  json.EndObject();
  return answer;
}

}  // namespace

void GetRecords(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const GetRecordsBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
