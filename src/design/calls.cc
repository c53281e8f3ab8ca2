#include "design/calls.h"

#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/random_id.h"
#include "codec/json_request.h"
#include "codec/json_writer.h"

namespace taula::design {
namespace {

constexpr int kTriesMax = 8;
constexpr int kTriesWithoutAnswerMax = 3;
constexpr std::size_t kBatchGetMax = 100;
constexpr std::size_t kBatchWriteMax = 25;

bool IsThrottling(ErrorCode code) {
  return code == ErrorCode::kProvisionedThroughputExceededException || code == ErrorCode::kRequestLimitExceeded ||
         code == ErrorCode::kThrottlingException;
}

bool IsWithoutAnswer(ErrorCode code) {
  return code == ErrorCode::kInternalServerError || code == ErrorCode::kServiceUnavailable;
}

std::unexpected<Error> Unreadable() {
  return taula::Fail(ErrorCode::kInternalServerError, "The server's answer cannot be understood.");
}

// Reads an answer; `read` takes its structure and says whether all was there.
template <typename T, typename Read>
Result<T> ReadAnswer(const std::string& answer, Read read) {
  const simdjson::padded_string padded(answer);
  codec::JsonBody body;
  const Result<codec::JsonStruct> parsed = body.Parse(std::string_view(padded.data(), padded.size()));
  if (!parsed) return Unreadable();
  T result;
  std::optional<codec::ValueFault> fault;
  read(*parsed, result, fault);
  if (parsed->failed() || fault) return Unreadable();
  return result;
}

void AppendItems(const codec::JsonValue& list, std::vector<Item>& items, std::optional<codec::ValueFault>& fault) {
  const auto elements = list.List();
  if (!elements) return;
  for (const codec::JsonValue element : *elements) {
    if (auto item = element.Item(fault)) items.push_back(*std::move(item));
  }
}

std::string BatchGetBody(const std::string& table, std::span<const Item> keys, bool consistent) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("RequestItems").BeginObject();
  json.Key(table).BeginObject();
  if (consistent) json.Key("ConsistentRead").Boolean(true);
  json.Key("Keys").BeginArray();
  for (const Item& key : keys) json.Item(key.attributes());
  json.EndArray();
  json.EndObject();
  json.EndObject();
  json.EndObject();
  return body;
}

std::string BatchPutBody(const std::string& table, std::span<const Item> items) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("RequestItems").BeginObject();
  json.Key(table).BeginArray();
  for (const Item& item : items) {
    json.BeginObject();
    json.Key("PutRequest").BeginObject();
    json.Key("Item").Item(item.attributes());
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  json.EndObject();
  return body;
}

struct BatchAnswer {
  std::vector<Item> items;
  std::vector<Item> unprocessed;
};

Result<BatchAnswer> ReadBatchGet(const std::string& answer, const std::string& table) {
  return ReadAnswer<BatchAnswer>(answer, [&](const codec::JsonStruct& body, BatchAnswer& result, auto& fault) {
    if (const auto responses = body["Responses"].Struct("Map")) AppendItems((*responses)[table], result.items, fault);
    const auto unprocessed = body["UnprocessedKeys"].Struct("Map");
    if (!unprocessed) return;
    if (const auto keys = (*unprocessed)[table].Struct("KeysAndAttributes")) {
      AppendItems((*keys)["Keys"], result.unprocessed, fault);
    }
  });
}

Result<std::vector<Item>> ReadUnprocessedPuts(const std::string& answer, const std::string& table) {
  using Items = std::vector<Item>;
  return ReadAnswer<Items>(answer, [&](const codec::JsonStruct& body, Items& result, auto& fault) {
    const auto unprocessed = body["UnprocessedItems"].Struct("Map");
    if (!unprocessed) return;
    const auto requests = (*unprocessed)[table].List();
    if (!requests) return;
    for (const codec::JsonValue request : *requests) {
      const auto members = request.Struct("WriteRequest");
      const auto put = members ? (*members)["PutRequest"].Struct("PutRequest") : std::nullopt;
      if (!put) continue;
      if (auto item = (*put)["Item"].Item(fault)) result.push_back(*std::move(item));
    }
  });
}

}  // namespace

void WaitBeforeTry(int attempt) {
  constexpr std::uint64_t kFirstUs = 10'000;
  constexpr std::uint64_t kLongestUs = 400'000;
  const std::uint64_t longest = std::min(kLongestUs, kFirstUs << static_cast<unsigned>(std::min(attempt, 10)));
  std::this_thread::sleep_for(std::chrono::microseconds(base::Random64() % longest + 1));
}

bool IsPassing(const Error& error) {
  if (IsThrottling(error.code) || error.code == ErrorCode::kTransactionConflictException ||
      error.code == ErrorCode::kTransactionInProgressException) {
    return true;
  }
  if (error.code != ErrorCode::kTransactionCanceledException || error.cancellation_reasons.empty()) return false;
  return std::ranges::all_of(error.cancellation_reasons, [](const CancellationReason& reason) {
    return reason.code == "None" || reason.code == "TransactionConflict" || reason.code == "ThrottlingError" ||
           reason.code == "ProvisionedThroughputExceeded";
  });
}

Result<std::string> Calls::Call(std::string_view operation, const std::string& body, Repeat repeat) const {
  for (int attempt = 0;; ++attempt) {
    Result<std::string> answer = backend_.Call(operation, body);
    if (answer) return answer;
    const bool without_answer = IsWithoutAnswer(answer.error().code) && repeat == Repeat::kHarmless;
    const int tries = without_answer ? kTriesWithoutAnswerMax : IsPassing(answer.error()) ? kTriesMax : 1;
    if (attempt + 1 >= tries) return answer;
    WaitBeforeTry(attempt);
  }
}

Result<std::optional<Item>> Calls::ItemIn(const std::string& answer, std::string_view member) {
  using Found = std::optional<Item>;
  return ReadAnswer<Found>(
      answer, [&](const codec::JsonStruct& body, Found& result, auto& fault) { result = body[member].Item(fault); });
}

Result<std::optional<Item>> Calls::GetItem(const std::string& table, const Item& key, bool consistent,
                                           std::string_view more) const {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("TableName").String(table);
  json.Key("Key").Item(key.attributes());
  if (consistent) json.Key("ConsistentRead").Boolean(true);
  json.EndObject();
  // `more` holds members that were written elsewhere: ",…".
  body.insert(body.size() - 1, more);
  const Result<std::string> answer = Call("GetItem", body, Repeat::kHarmless);
  if (!answer) return std::unexpected(answer.error());
  return ItemIn(*answer, "Item");
}

Result<ReadPage> Calls::Page(std::string_view operation, const std::string& body) const {
  const Result<std::string> answer = Call(operation, body, Repeat::kHarmless);
  if (!answer) return std::unexpected(answer.error());
  return ReadAnswer<ReadPage>(*answer, [](const codec::JsonStruct& read, ReadPage& page, auto& fault) {
    AppendItems(read["Items"], page.items, fault);
    page.last_key = read["LastEvaluatedKey"].Item(fault);
    page.scanned = read["ScannedCount"].Long().value_or(0);
  });
}

Result<std::vector<Item>> Calls::BatchGet(const std::string& table, const std::vector<Item>& keys,
                                          bool consistent) const {
  std::vector<Item> found;
  std::vector<Item> waiting = keys;
  for (int idle = 0; !waiting.empty();) {
    const std::size_t count = std::min(waiting.size(), kBatchGetMax);
    const std::span<const Item> some(waiting.data(), count);
    const auto answer = Call("BatchGetItem", BatchGetBody(table, some, consistent), Repeat::kHarmless);
    if (!answer) return std::unexpected(answer.error());
    Result<BatchAnswer> read = ReadBatchGet(*answer, table);
    if (!read) return std::unexpected(read.error());
    idle = read->unprocessed.size() == count ? idle + 1 : 0;
    if (idle == kTriesMax) return taula::Fail(ErrorCode::kThrottlingException, "The server does not process the keys.");
    if (!read->unprocessed.empty()) WaitBeforeTry(idle);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    std::ranges::move(read->unprocessed, std::back_inserter(waiting));
    std::ranges::move(read->items, std::back_inserter(found));
  }
  return found;
}

Calls::Written Calls::BatchPut(const std::string& table, const std::vector<Item>& items) const {
  Written written;
  std::vector<Item> waiting = items;
  for (int idle = 0; !waiting.empty();) {
    const std::size_t count = std::min(waiting.size(), kBatchWriteMax);
    const std::span<const Item> some(waiting.data(), count);
    // The same put twice is the same item.
    const auto answer = Call("BatchWriteItem", BatchPutBody(table, some), Repeat::kHarmless);
    if (!answer) {
      written.error = answer.error();
      return written;
    }
    Result<std::vector<Item>> unprocessed = ReadUnprocessedPuts(*answer, table);
    if (!unprocessed) {
      written.error = unprocessed.error();
      return written;
    }
    idle = unprocessed->size() == count ? idle + 1 : 0;
    if (idle == kTriesMax) {
      written.error = Error{ErrorCode::kThrottlingException, "The server does not process the items.", {}, {}};
      return written;
    }
    if (!unprocessed->empty()) WaitBeforeTry(idle);
    written.count += count - unprocessed->size();
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    std::ranges::move(*unprocessed, std::back_inserter(waiting));
  }
  return written;
}

}  // namespace taula::design
