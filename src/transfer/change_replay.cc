#include "transfer/change_replay.h"

#include <algorithm>
#include <utility>

#include "transfer/item_fetch.h"
#include "transfer/json_answer.h"

namespace taula::transfer {
namespace {

// Seconds with a fraction, or without one.
std::int64_t CreatedMs(codec::Json record) {
  double seconds = 0;
  const auto member = record.at_pointer("/dynamodb/ApproximateCreationDateTime");
  return member.get(seconds) == simdjson::SUCCESS ? static_cast<std::int64_t>(seconds * 1000) : 0;
}

bool ShowsNewImages(codec::Json record) { return TextAt(record, "/dynamodb/StreamViewType").starts_with("NEW"); }

}  // namespace

ChangeReplay::ChangeReplay(client::CallFunction source, KeyNames key, client::Patience patience, BulkWriter& writer)
    : source_(std::move(source)), key_(std::move(key)), patience_(std::move(patience)), writer_(writer) {}

Result<void> ChangeReplay::Replay(const client::ChangeBatch& batch) {
  simdjson::dom::parser parser;
  std::vector<std::string> to_read;
  for (const std::string_view record : batch.records) {
    codec::Json json;
    if (parser.parse(record.data(), record.size()).get(json) != simdjson::SUCCESS) return NotAnAnswer("GetRecords");
    newest_ms_ = std::max(newest_ms_, CreatedMs(json));
    codec::Json keys;
    if (json.at_pointer("/dynamodb/Keys").get(keys) != simdjson::SUCCESS) return NotAnAnswer("GetRecords");
    if (!ShowsNewImages(json)) {
      auto key = KeyOf(keys, key_);
      if (!key) return NotAnAnswer("GetRecords");
      to_read.push_back(*std::move(key));
      continue;
    }
    const std::string image = JsonAt(json, "/dynamodb/NewImage");
    const auto written = image.empty() ? writer_.Delete(std::string_view(simdjson::minify(keys))) : writer_.Put(image);
    if (!written) return written;
  }
  return ReadAgain(batch.table, to_read);
}

Result<void> ChangeReplay::ReadAgain(std::string_view table, const std::vector<std::string>& keys) {
  std::vector<std::string> once = keys;
  std::ranges::sort(once);
  const auto repeated = std::ranges::unique(once);
  once.erase(repeated.begin(), repeated.end());
  const auto items = FetchItems(source_, {.table = std::string(table), .key = key_, .patience = patience_}, once);
  if (!items) return std::unexpected(items.error());
  for (const std::string& key : once) {
    const auto item = items->find(key);
    const auto written = item == items->end() ? writer_.Delete(key) : writer_.Put(item->second);
    if (!written) return written;
  }
  return {};
}

}  // namespace taula::transfer
