#include "samples.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "codec/json_request.h"

namespace taula::micro {
namespace {

constexpr std::size_t kSmallJsonBytes = 450;
constexpr std::size_t kNestedJsonBytes = std::size_t{40} * 1024;
constexpr std::string_view kWords = "strain the grains, keep the jar warm, taste in the morning, bottle it. ";

// The members of an item of the usual kind, all but "notes", which fills it up.
std::string SmallItemJson(int number) {
  const std::string before = fmt::format(
      R"({{"GSI1PK":{{"S":"EVENT#{0:010}"}},"GSI1SK":{{"S":"METADATA"}},"PK":{{"S":"{1}"}},"SK":{{"S":"EVENT#{2:010}"}},)"
      R"("createdAt":{{"S":"2026-01-01T00:00:00Z"}},"entityType":{{"S":"EVENT"}},"notes":{{"S":")",
      number, PartitionKeyOf(number), number % kItemsPerPartition);
  const std::string behind = R"("},"status":{"S":"active"},"stock":{"N":"555555"},"temperature":{"N":"21.5"},)"
                             R"("visible":{"BOOL":true}})";
  std::string json = before;
  while (json.size() + behind.size() < kSmallJsonBytes) {
    json.append(kWords.substr(0, kSmallJsonBytes - behind.size() - json.size()));
  }
  return json + behind;
}

// An order with as many lines as it takes.
std::string MakeNestedItemJson() {
  std::string json = R"({"PK":{"S":"ORDER#0000000001"},"SK":{"S":"METADATA"},"lines":{"L":[)";
  for (int line = 1; json.size() < kNestedJsonBytes; ++line) {
    if (line > 1) json.push_back(',');
    json += fmt::format(
        R"({{"M":{{"discounts":{{"L":[{{"N":"0.05"}},{{"N":"12.5"}},{{"NULL":true}}]}},"gift":{{"BOOL":false}},)"
        R"("product":{{"M":{{"id":{{"S":"PRODUCT#{0:010}"}},"image":{{"B":"AAECAwQFBgcICQoLDA0ODw=="}},)"
        R"("name":{{"S":"Grüner Tee, \"lose\", {0} g"}},"tags":{{"SS":["green","loose","tea"]}}}}}},)"
        R"("quantity":{{"N":"{0}"}},"sizes":{{"NS":["1","2.5","100"]}},"unitPrice":{{"N":"{0}.99"}}}}}})",
        line);
  }
  return json + R"(]},"total":{"N":"12345678901234567890.123456789"}})";
}

Item ReadItem(std::string_view json) {
  codec::JsonBody body;
  const Result<codec::JsonStruct> members = body.Parse(fmt::format(R"({{"Item":{}}})", json));
  if (!members) throw std::logic_error("a sample is not JSON");
  std::optional<codec::ValueFault> fault;
  std::optional<Item> item = (*members)["Item"].Item(fault);
  if (!item || fault) throw std::logic_error("a sample is not an item");
  return *std::move(item);
}

catalog::Table MakeSampleTable() {
  catalog::Table table;
  table.name = "sample";
  table.space = 1;
  table.key = {.partition = {{"PK", Type::kString}}, .sort = {{"SK", Type::kString}}};
  catalog::Index index;
  index.name = "GSI1";
  index.space = 2;
  index.key = {.partition = {{"GSI1PK", Type::kString}}, .sort = {{"GSI1SK", Type::kString}}};
  table.indexes = {index};
  return table;
}

}  // namespace

const std::string& SmallItemJson() {
  static const std::string json = SmallItemJson(42);
  return json;
}

const std::string& NestedItemJson() {
  static const std::string json = MakeNestedItemJson();
  return json;
}

const Item& SmallItem() {
  static const Item item = ReadItem(SmallItemJson());
  return item;
}

const Item& NestedItem() {
  static const Item item = ReadItem(NestedItemJson());
  return item;
}

Item NumberedItem(int number) { return ReadItem(SmallItemJson(number)); }

Item NumberedKey(int number) {
  return {{"PK", PartitionKeyOf(number)}, {"SK", fmt::format("EVENT#{:010}", number % kItemsPerPartition)}};
}

std::string PartitionKeyOf(int number) { return fmt::format("BATCH#{:010}", number / kItemsPerPartition); }

const catalog::Table& SampleTable() {
  static const catalog::Table table = MakeSampleTable();
  return table;
}

}  // namespace taula::micro
