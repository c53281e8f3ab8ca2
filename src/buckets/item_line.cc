#include "buckets/item_line.h"

#include <optional>
#include <utility>

namespace taula::buckets {

std::expected<Item, BadItem> ItemLineReader::Read(std::string_view line) {
  padded_.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  padded_ = line;
  const Result<codec::JsonStruct> members = json_.Parse(padded_);
  if (!members) return std::unexpected(BadItem{"The line is not a JSON object", true});
  std::optional<codec::ValueFault> fault;
  std::optional<Item> item = (*members)["Item"].Item(fault);
  if (members->failed()) return std::unexpected(BadItem{members->TakeError().message});
  if (!item) return std::unexpected(BadItem{"The line has no member Item", true});
  if (fault) return std::unexpected(BadItem{fault->message});
  return *std::move(item);
}

}  // namespace taula::buckets
