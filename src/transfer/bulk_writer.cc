#include "transfer/bulk_writer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "codec/json_writer.h"

namespace taula::transfer {
namespace {

constexpr std::size_t kRequestsMax = 25;
constexpr std::size_t kBatchBytesMax = std::size_t{8} << 20;  // half of what a request may have
constexpr std::int64_t kGatherMs = 20;

std::string BatchBody(const std::string& table, const std::vector<std::string>& requests) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("RequestItems").BeginObject();
  json.Key(table).BeginArray();
  for (const std::string& request : requests) json.Json(request);
  json.EndArray();
  json.EndObject();
  json.Key("ReturnConsumedCapacity").String("TOTAL");
  json.EndObject();
  return body;
}

// Errors that one request of a batch can be to blame for.
bool MayBeOfOne(const Error& error) {
  return error.code == ErrorCode::kValidationException ||
         error.code == ErrorCode::kItemCollectionSizeLimitExceededException;
}

}  // namespace

BulkWriter::BulkWriter(client::CallFunction call, BulkWriterOptions options)
    : call_(std::move(call)),
      options_([&] {
        options.calls_in_flight = std::max<std::size_t>(options.calls_in_flight, 1);
        return std::move(options);
      }()),
      stop_with_caller_(options_.patience.stop, [this] { closing_.request_stop(); }) {
  for (std::size_t i = 0; i < options_.calls_in_flight; ++i) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) lane->thread = std::thread([this, &lane = *lane] { Work(lane); });
}

BulkWriter::~BulkWriter() {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = Error{ErrorCode::kServiceUnavailable, "The writing was ended.", std::nullopt, {}};
    for (const auto& lane : lanes_) lane->changed.notify_all();
  }
  closing_.request_stop();
  for (const auto& lane : lanes_) lane->thread.join();
}

Result<void> BulkWriter::Put(std::string_view item) {
  return Add(KeyOf(item, options_.key), fmt::format(R"({{"PutRequest":{{"Item":{}}}}})", item));
}

Result<void> BulkWriter::Delete(std::string_view key) {
  auto one_form = KeyOf(key, options_.key);
  std::string request = fmt::format(R"({{"DeleteRequest":{{"Key":{}}}}})", one_form ? *one_form : key);
  return Add(std::move(one_form), std::move(request));
}

Result<void> BulkWriter::Add(std::optional<std::string> key, std::string request) {
  if (!key) {
    const Error error{ErrorCode::kValidationException, "An item has no key of its table's.", std::nullopt, {}};
    if (options_.refused && options_.refused(request, error)) return {};
    return std::unexpected(error);
  }
  Lane& lane = *lanes_[std::hash<std::string>()(*key) % lanes_.size()];
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    return failure_ || (waiting_bytes_ < options_.waiting_bytes_max && waiting_ < options_.waiting_max);
  });
  if (failure_) return std::unexpected(*failure_);
  const auto [place, is_new] = lane.places.try_emplace(*key, lane.handed);
  waiting_bytes_ += request.size();
  if (!is_new) {
    const std::uint64_t first = lane.handed - lane.waiting.size();
    std::string& before = lane.waiting[place->second - first].request;
    waiting_bytes_ -= before.size();
    before = std::move(request);
    return {};
  }
  if (lane.waiting.empty()) lane.since_ms = base::SteadyMs();
  lane.waiting.push_back({*std::move(key), std::move(request)});
  ++lane.handed;
  ++waiting_;
  if (lane.waiting.size() == 1 || lane.waiting.size() == kRequestsMax) lane.changed.notify_one();
  return {};
}

Result<void> BulkWriter::Flush() {
  std::unique_lock lock(mutex_);
  std::vector<std::uint64_t> handed;
  for (const auto& lane : lanes_) {
    handed.push_back(lane->handed);
    lane->changed.notify_one();
  }
  ++flushes_;
  finished_.wait(lock, [&] {
    if (failure_) return true;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i]->finished < handed[i]) return false;
    }
    return true;
  });
  --flushes_;
  if (failure_) return std::unexpected(*failure_);
  return {};
}

double BulkWriter::units() const {
  const std::lock_guard lock(mutex_);
  return units_;
}

std::vector<BulkWriter::Write> BulkWriter::Take(Lane& lane) {
  std::unique_lock lock(mutex_);
  while (!failure_) {
    const bool is_full = lane.waiting.size() >= kRequestsMax || waiting_bytes_ >= options_.waiting_bytes_max / 2;
    const std::int64_t left_ms = lane.since_ms + kGatherMs - base::SteadyMs();
    if (!lane.waiting.empty() && (is_full || flushes_ > 0 || left_ms <= 0)) break;
    if (lane.waiting.empty()) {
      lane.changed.wait(lock);
    } else {
      lane.changed.wait_for(lock, std::chrono::milliseconds(left_ms));
    }
  }
  if (failure_) return {};
  std::size_t count = 0;
  std::size_t bytes = 0;
  while (count < lane.waiting.size() && count < kRequestsMax && bytes < kBatchBytesMax) {
    bytes += lane.waiting[count++].request.size();
  }
  const auto end = lane.waiting.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Write> batch(std::make_move_iterator(lane.waiting.begin()), std::make_move_iterator(end));
  lane.waiting.erase(lane.waiting.begin(), end);
  for (const Write& write : batch) lane.places.erase(write.key);
  waiting_bytes_ -= bytes;
  waiting_ -= count;
  room_.notify_all();
  return batch;
}

void BulkWriter::Work(Lane& lane) {
  while (true) {
    std::vector<Write> batch = Take(lane);
    if (batch.empty()) return;
    std::vector<std::string> requests;
    requests.reserve(batch.size());
    for (Write& write : batch) requests.push_back(std::move(write.request));
    const Result<void> written = WriteAll(std::move(requests));
    const std::lock_guard lock(mutex_);
    lane.finished += batch.size();
    if (!written && !failure_) {
      failure_ = written.error();
      for (const auto& each : lanes_) each->changed.notify_all();
      room_.notify_all();
    }
    finished_.notify_all();
  }
}

Result<void> BulkWriter::WriteAll(std::vector<std::string> requests) {
  client::Patience patience = options_.patience;
  patience.stop = closing_.get_token();
  client::Waits waits(patience);
  while (true) {
    auto left = Send(requests);
    if (!left && options_.refused && MayBeOfOne(left.error())) {
      if (requests.size() > 1) return WriteEach(requests);
      if (options_.refused(requests.front(), left.error())) return {};
    }
    if (!left && !client::IsPassing(left.error())) return std::unexpected(left.error());
    if (left && left->empty()) return {};
    if (left && left->size() < requests.size()) waits.Reset();
    const Error busy = left ? Error{ErrorCode::kProvisionedThroughputExceededException,
                                    "The server leaves writes unprocessed: it is too busy.",
                                    std::nullopt,
                                    {}}
                            : left.error();
    if (left) requests = *std::move(left);
    if (!waits.Next()) return std::unexpected(busy);
  }
}

Result<void> BulkWriter::WriteEach(const std::vector<std::string>& requests) {
  for (const std::string& request : requests) {
    if (auto written = WriteAll({request}); !written) return written;
  }
  return {};
}

Result<std::vector<std::string>> BulkWriter::Send(const std::vector<std::string>& requests) {
  if (options_.rate != nullptr && !options_.rate->Await(closing_.get_token())) {
    return Fail(ErrorCode::kServiceUnavailable, "The writing was ended.");
  }
  const auto answer = call_("BatchWriteItem", BatchBody(options_.table, requests));
  if (!answer) return std::unexpected(answer.error());
  simdjson::dom::parser parser;
  codec::Json json;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS) {
    return Fail(ErrorCode::kServiceUnavailable, "The server's answer to BatchWriteItem is not as DynamoDB's would be.");
  }
  std::vector<std::string> left;
  simdjson::dom::object tables;
  if (json["UnprocessedItems"].get(tables) == simdjson::SUCCESS) {
    for (const auto& [table, unprocessed] : tables) {
      simdjson::dom::array list;
      if (unprocessed.get(list) != simdjson::SUCCESS) continue;
      for (const codec::Json request : list) left.push_back(simdjson::minify(request));
    }
  }
  double units = 0;
  if (json.at_pointer("/ConsumedCapacity/0/CapacityUnits").get(units) == simdjson::SUCCESS) {
    if (options_.rate != nullptr) options_.rate->Spend(units);
    const std::lock_guard lock(mutex_);
    units_ += units;
  }
  written_ += requests.size() - std::min(left.size(), requests.size());
  return left;
}

}  // namespace taula::transfer
