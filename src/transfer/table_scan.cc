#include "transfer/table_scan.h"

#include <simdjson.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "codec/json_types.h"
#include "codec/json_writer.h"

namespace taula::transfer {
namespace {

std::unexpected<Error> NotAnAnswer() {
  return Fail(ErrorCode::kServiceUnavailable, "The server's answer to Scan is not as DynamoDB's would be.");
}

std::unexpected<Error> Ended() { return Fail(ErrorCode::kServiceUnavailable, "The scan was ended."); }

}  // namespace

TableScan::TableScan(client::CallFunction call, TableScanOptions options)
    : call_(std::move(call)), options_(std::move(options)), segments_(std::max<std::size_t>(options_.segments, 1)) {}

std::string PositionsText(const std::vector<ScanPosition>& segments, std::uint64_t items) {
  std::string text;
  codec::JsonWriter json(text);
  json.BeginObject();
  json.Key("items").Integer(static_cast<std::int64_t>(items));
  json.Key("segments").BeginArray();
  for (const ScanPosition& segment : segments) {
    json.BeginObject();
    if (!segment.after.empty()) json.Key("after").Json(segment.after);
    json.Key("done").Boolean(segment.done);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

std::string TableScan::Positions() const {
  const std::lock_guard lock(mutex_);
  return PositionsText(segments_, items_);
}

bool TableScan::Resume(std::string_view positions) {
  simdjson::dom::parser parser;
  codec::Json json;
  simdjson::dom::array segments;
  std::uint64_t items = 0;
  if (parser.parse(positions.data(), positions.size()).get(json) != simdjson::SUCCESS ||
      json["items"].get(items) != simdjson::SUCCESS || json["segments"].get(segments) != simdjson::SUCCESS) {
    return false;
  }
  std::vector<ScanPosition> read;
  for (const codec::Json each : segments) {
    ScanPosition segment;
    if (each["done"].get(segment.done) != simdjson::SUCCESS) return false;
    codec::Json after;
    if (each["after"].get(after) == simdjson::SUCCESS) segment.after = simdjson::minify(after);
    read.push_back(std::move(segment));
  }
  if (read.empty()) return false;
  const std::lock_guard lock(mutex_);
  segments_ = std::move(read);
  items_ = items;
  return true;
}

bool TableScan::done() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(segments_, &ScanPosition::done);
}

std::string TableScan::Request(std::size_t number, const std::string& after) const {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("TableName").String(options_.table);
  json.Key("ConsistentRead").Boolean(options_.consistent);
  if (segments_.size() > 1) {
    json.Key("Segment").Integer(static_cast<std::int64_t>(number));
    json.Key("TotalSegments").Integer(static_cast<std::int64_t>(segments_.size()));
  }
  if (options_.page_items_max > 0) json.Key("Limit").Integer(static_cast<std::int64_t>(options_.page_items_max));
  if (!after.empty()) json.Key("ExclusiveStartKey").Json(after);
  if (options_.rate != nullptr) json.Key("ReturnConsumedCapacity").String("TOTAL");
  if (!options_.more_members.empty()) json.Json(options_.more_members);
  json.EndObject();
  return body;
}

Result<void> TableScan::ReadSegment(std::size_t number, const Visit& visit) {
  simdjson::dom::parser parser;
  std::string after = segments_[number].after;
  while (true) {
    if (options_.patience.stop.stop_requested()) return Ended();
    if (options_.rate != nullptr && !options_.rate->Await(options_.patience.stop)) return Ended();
    const auto answer = client::CallPatiently(call_, "Scan", Request(number, after), options_.patience);
    if (!answer) return std::unexpected(answer.error());
    codec::Json json;
    simdjson::dom::array items;
    if (parser.parse(*answer).get(json) != simdjson::SUCCESS || json["Items"].get(items) != simdjson::SUCCESS) {
      return NotAnAnswer();
    }
    double units = 0;
    if (options_.rate != nullptr &&
        json.at_pointer("/ConsumedCapacity/CapacityUnits").get(units) == simdjson::SUCCESS) {
      options_.rate->Spend(units);
    }
    std::vector<std::string> texts;
    for (const codec::Json item : items) texts.push_back(simdjson::minify(item));
    codec::Json last;
    const bool has_more = json["LastEvaluatedKey"].get(last) == simdjson::SUCCESS;
    after = has_more ? simdjson::minify(last) : std::string();
    const ScanPosition next{.after = after, .done = !has_more};
    if (auto visited = visit({number, {texts.begin(), texts.end()}, next}); !visited) return visited;
    const std::lock_guard lock(mutex_);
    items_ += texts.size();
    segments_[number] = next;
    if (!has_more) return {};
    if (failure_) return std::unexpected(*failure_);
  }
}

void TableScan::Work(const Visit& visit) {
  while (true) {
    std::size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      while (next_ < segments_.size() && segments_[next_].done) ++next_;
      if (failure_ || next_ == segments_.size()) return;
      number = next_++;
    }
    if (auto read = ReadSegment(number, visit); !read) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = read.error();
      return;
    }
  }
}

Result<void> TableScan::Run(const Visit& visit) {
  next_ = 0;
  failure_.reset();
  std::vector<std::thread> threads;
  const std::size_t count = std::clamp<std::size_t>(options_.calls_in_flight, 1, segments_.size());
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&] { Work(visit); });
  for (std::thread& thread : threads) thread.join();
  if (failure_) return std::unexpected(*failure_);
  return {};
}

}  // namespace taula::transfer
