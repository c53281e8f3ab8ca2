#include "client/stream_follower.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "client/patience.h"
#include "codec/json_writer.h"

namespace taula::client {
namespace {

using simdjson::dom::element;

// New shards, and whether there is a new stream, are looked for after this many
// polls, and whenever a shard has ended.
constexpr std::size_t kPollsBetweenLists = 50;

std::string Object(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  for (const auto& [name, value] : members) json.Key(name).String(value);
  json.EndObject();
  return body;
}

std::optional<std::string> Text(const element& object, std::string_view pointer) {
  std::string_view text;
  if (object.at_pointer(pointer).get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

// False when it is missing.
bool Flag(const element& object, std::string_view pointer) {
  bool truth = false;
  return object.at_pointer(pointer).get(truth) == simdjson::SUCCESS && truth;
}

std::unexpected<Error> NotAnAnswer(std::string_view operation) {
  return Fail(ErrorCode::kServiceUnavailable,
              fmt::format("The server's answer to {} is not as DynamoDB's would be", operation));
}

}  // namespace

StreamFollower::StreamFollower(CallFunction call, std::string table, From from)
    : call_(std::move(call)), table_(std::move(table)), from_(from) {}

std::string StreamFollower::Checkpoint() const {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("table").String(table_);
  json.Key("stream").String(stream_arn_);
  json.Key("shards").BeginArray();
  for (const auto& [id, shard] : shards_) {
    json.BeginObject();
    json.Key("id").String(id);
    if (shard.parent) json.Key("parent").String(*shard.parent);
    if (!shard.after.empty()) json.Key("after").String(shard.after);
    if (!shard.at.empty()) json.Key("at").String(shard.at);
    json.Key("from_now").Boolean(shard.from_now && !(held_ && shard.IsUnplaced()));
    json.Key("done").Boolean(shard.done);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

bool StreamFollower::Resume(std::string_view checkpoint) {
  simdjson::dom::parser parser;
  element json;
  simdjson::dom::array shards;
  if (parser.parse(checkpoint.data(), checkpoint.size()).get(json) != simdjson::SUCCESS) return false;
  const auto table = Text(json, "/table");
  const auto stream = Text(json, "/stream");
  if (table != table_ || !stream || json.at_pointer("/shards").get(shards) != simdjson::SUCCESS) return false;
  Shards read;
  for (const element each : shards) {
    const auto id = Text(each, "/id");
    if (!id) return false;
    Shard& shard = read[*id];
    shard.parent = Text(each, "/parent");
    shard.after = Text(each, "/after").value_or("");
    shard.at = Text(each, "/at").value_or("");
    shard.from_now = Flag(each, "/from_now");
    shard.done = Flag(each, "/done");
  }
  stream_arn_ = *stream;
  shards_ = std::move(read);
  listed_ = false;
  // Where nothing is known of a shard, nothing of it has been handed on.
  if (!shards_.empty()) from_ = From::kOldest;
  return true;
}

std::vector<std::string> StreamFollower::TakeWarnings() { return std::exchange(warnings_, {}); }

// Another stream than before is begun with its oldest record, once the shards
// of the one before have been read to their ends.
Result<void> StreamFollower::FindStream() {
  const bool all_done = std::ranges::all_of(shards_, [](const auto& entry) { return entry.second.done; });
  if (!stream_arn_.empty() && !all_done) return {};
  const auto answer = call_("DescribeTable", Object({{"TableName", table_}}));
  if (!answer) return std::unexpected(answer.error());
  simdjson::dom::parser parser;
  element json;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS) return NotAnAnswer("DescribeTable");
  const auto arn = Text(json, "/Table/LatestStreamArn");
  const bool enabled = Flag(json, "/Table/StreamSpecification/StreamEnabled");
  if (!arn || (!enabled && arn != stream_arn_)) {
    return Fail(ErrorCode::kResourceNotFoundException,
                fmt::format("Table {} has no stream. It gets one with: aws dynamodb update-table --table-name {} "
                            "--stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES",
                            table_, table_));
  }
  if (*arn == stream_arn_) return {};
  if (!stream_arn_.empty()) from_ = From::kOldest;
  stream_arn_ = *arn;
  shards_.clear();
  listed_ = false;
  return {};
}

void StreamFollower::AddShard(const std::string& id, std::optional<std::string> parent, bool closed) {
  const auto [place, is_new] = shards_.try_emplace(id);
  if (!is_new) return;
  Shard& shard = place->second;
  shard.parent = std::move(parent);
  if (from_ == From::kNow) {
    shard.from_now = true;
    shard.done = closed;
  }
}

Result<void> StreamFollower::ListShards() {
  if (listed_) return {};
  std::optional<std::string> start;
  std::vector<std::string> listed;
  do {
    const auto answer =
        call_("DescribeStream", start ? Object({{"StreamArn", stream_arn_}, {"ExclusiveStartShardId", *start}})
                                      : Object({{"StreamArn", stream_arn_}}));
    if (!answer) return std::unexpected(answer.error());
    simdjson::dom::parser parser;
    element json;
    simdjson::dom::array shards;
    if (parser.parse(*answer).get(json) != simdjson::SUCCESS ||
        json.at_pointer("/StreamDescription/Shards").get(shards) != simdjson::SUCCESS) {
      return NotAnAnswer("DescribeStream");
    }
    for (const element shard : shards) {
      const auto id = Text(shard, "/ShardId");
      if (!id) return NotAnAnswer("DescribeStream");
      listed.push_back(*id);
      AddShard(*id, Text(shard, "/ParentShardId"),
               Text(shard, "/SequenceNumberRange/EndingSequenceNumber").has_value());
    }
    start = Text(json, "/StreamDescription/LastEvaluatedShardId");
  } while (start);
  // What the stream no longer has need not be remembered.
  std::erase_if(shards_, [&](const auto& entry) {
    return entry.second.done && std::ranges::find(listed, entry.first) == listed.end();
  });
  from_ = From::kOldest;  // shards that come later are begun at their beginning
  listed_ = true;
  return {};
}

bool StreamFollower::MayBegin(const Shard& shard) const {
  if (shard.done) return false;
  if (!shard.parent) return true;
  const auto parent = shards_.find(*shard.parent);
  return parent == shards_.end() || parent->second.done;
}

Result<void> StreamFollower::OpenShard(const std::string& id, Shard& shard) {
  if (shard.iterator) return {};
  const bool goes_on = !shard.after.empty();
  const bool has_place = goes_on || !shard.at.empty();
  const std::string_view type = goes_on          ? "AFTER_SEQUENCE_NUMBER"
                                : has_place      ? "AT_SEQUENCE_NUMBER"
                                : shard.from_now ? "LATEST"
                                                 : "TRIM_HORIZON";
  const std::string body = has_place
                               ? Object({{"StreamArn", stream_arn_},
                                         {"ShardId", id},
                                         {"ShardIteratorType", type},
                                         {"SequenceNumber", goes_on ? shard.after : shard.at}})
                               : Object({{"StreamArn", stream_arn_}, {"ShardId", id}, {"ShardIteratorType", type}});
  const auto answer = call_("GetShardIterator", body);
  if (!answer) {
    if (answer.error().code != ErrorCode::kTrimmedDataAccessException || !has_place)
      return std::unexpected(answer.error());
    warnings_.push_back(
        fmt::format("Changes of table {} are lost: they are older than a day, which is how long a "
                    "stream keeps them.",
                    table_));
    shard.after.clear();
    shard.at.clear();
    shard.from_now = false;
    return OpenShard(id, shard);
  }
  simdjson::dom::parser parser;
  element json;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS) return NotAnAnswer("GetShardIterator");
  shard.iterator = Text(json, "/ShardIterator");
  if (!shard.iterator) return NotAnAnswer("GetShardIterator");
  return {};
}

// An iterator is given up only when it is no longer good: while nothing has come
// in a shard that began with what comes, it alone knows the place.
Result<std::optional<std::string>> StreamFollower::GetRecords(Shard& shard, std::size_t limit) {
  std::string body;
  codec::JsonWriter request(body);
  request.BeginObject();
  request.Key("ShardIterator").String(*shard.iterator);
  request.Key("Limit").Integer(static_cast<std::int64_t>(limit));
  request.EndObject();
  auto answer = call_("GetRecords", body);
  if (answer) return *std::move(answer);
  if (IsPassing(answer.error())) return std::unexpected(answer.error());
  shard.iterator.reset();
  if (held_ && shard.IsUnplaced()) shard.from_now = false;
  const ErrorCode code = answer.error().code;
  if (code == ErrorCode::kExpiredIteratorException || code == ErrorCode::kTrimmedDataAccessException)
    return std::nullopt;
  return std::unexpected(answer.error());
}

Result<void> StreamFollower::HoldShard(const std::string& id, Shard& shard) {
  if (shard.done || !shard.IsUnplaced()) return {};
  if (auto opened = OpenShard(id, shard); !opened) return opened;
  const auto answer = GetRecords(shard, 1);
  if (!answer) return std::unexpected(answer.error());
  if (!*answer) return {};
  simdjson::dom::parser parser;
  element json;
  if (parser.parse(**answer).get(json) != simdjson::SUCCESS) return NotAnAnswer("GetRecords");
  if (const auto first = Text(json, "/Records/0/dynamodb/SequenceNumber")) {
    shard.at = *first;
    shard.iterator.reset();
    return {};
  }
  shard.iterator = Text(json, "/NextShardIterator");
  if (!shard.iterator) {
    shard.done = true;
    listed_ = false;
  }
  return {};
}

Result<void> StreamFollower::Hold() {
  if (auto found = FindStream(); !found) return found;
  if (auto shards = ListShards(); !shards) return shards;
  for (auto& [id, shard] : shards_) {
    if (auto held = HoldShard(id, shard); !held) return held;
  }
  held_ = true;
  return {};
}

Result<std::optional<std::size_t>> StreamFollower::ReadShard(const std::string& id, Shard& shard, Visit visit,
                                                             std::size_t limit) {
  if (auto opened = OpenShard(id, shard); !opened) return std::unexpected(opened.error());
  const auto answer = GetRecords(shard, limit);
  if (!answer) return std::unexpected(answer.error());
  if (!*answer) return 0;
  simdjson::dom::parser parser;
  element json;
  simdjson::dom::array records;
  if (parser.parse(**answer).get(json) != simdjson::SUCCESS ||
      json.at_pointer("/Records").get(records) != simdjson::SUCCESS) {
    return NotAnAnswer("GetRecords");
  }
  std::vector<std::string> texts;
  std::string last;
  for (const element record : records) {
    texts.push_back(simdjson::minify(record));
    last = Text(record, "/dynamodb/SequenceNumber").value_or(last);
  }
  if (!texts.empty()) {
    if (!visit({.table = table_, .records = {texts.begin(), texts.end()}})) {
      shard.at = Text(json, "/Records/0/dynamodb/SequenceNumber").value_or("");
      shard.iterator.reset();
      return std::nullopt;
    }
    shard.after = last;
    shard.at.clear();
  }
  shard.iterator = Text(json, "/NextShardIterator");
  if (!shard.iterator) {
    shard.done = true;
    listed_ = false;
  }
  return texts.size();
}

Result<std::size_t> StreamFollower::Poll(Visit visit, std::size_t limit) {
  if (++polls_ % kPollsBetweenLists == 0) listed_ = false;
  if (auto found = FindStream(); !found) return std::unexpected(found.error());
  if (auto shards = ListShards(); !shards) return std::unexpected(shards.error());
  std::size_t count = 0;
  for (auto& [id, shard] : shards_) {
    if (!MayBegin(shard)) continue;
    const auto read = ReadShard(id, shard, visit, limit);
    if (!read) return std::unexpected(read.error());
    count += read->value_or(0);
  }
  return count;
}

}  // namespace taula::client
