// Items: from JSON to canonical bytes and back, an attribute by its name, the
// size in DynamoDB's accounting.
#include <optional>
#include <string>

#include "codec/json_request.h"
#include "codec/json_writer.h"
#include "codec/stored_item.h"
#include "expect.h"
#include "samples.h"
#include "value/size.h"

namespace taula::micro {
namespace {

// The parser and the reading of values, as a request goes through them.
void JsonToItem(benchmark::State& state, const std::string& json, const Item& expected) {
  const std::string text = R"({"Item":)" + json + "}";
  codec::JsonBody body;
  std::optional<Item> item;
  std::optional<codec::ValueFault> fault;
  for (auto _ : state) {
    const Result<codec::JsonStruct> members = body.Parse(text);
    if (members) item = (*members)["Item"].Item(fault);
    benchmark::DoNotOptimize(item);
  }
  Expect(state, item == expected && !fault, "not the item");
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
void JsonToItem450Bytes(benchmark::State& state) { JsonToItem(state, SmallItemJson(), SmallItem()); }
void JsonToItem40KilobytesNested(benchmark::State& state) { JsonToItem(state, NestedItemJson(), NestedItem()); }
BENCHMARK(JsonToItem450Bytes);
BENCHMARK(JsonToItem40KilobytesNested);

void ItemToJson(benchmark::State& state, const Item& item, const std::string& expected) {
  std::string json;
  for (auto _ : state) {
    json.clear();
    codec::AppendItemJson(json, item.attributes());
    benchmark::DoNotOptimize(json.data());
  }
  Expect(state, json == expected, "not the item's JSON");
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(json.size()));
}
void ItemToJson450Bytes(benchmark::State& state) { ItemToJson(state, SmallItem(), SmallItemJson()); }
void ItemToJson40KilobytesNested(benchmark::State& state) { ItemToJson(state, NestedItem(), NestedItemJson()); }
BENCHMARK(ItemToJson450Bytes);
BENCHMARK(ItemToJson40KilobytesNested);

void ItemFindAttribute(benchmark::State& state, const char* name, bool is_there) {
  const MapView attributes = SmallItem().attributes();
  std::optional<ValueView> found;
  for (auto _ : state) {
    found = attributes.Find(name);
    benchmark::DoNotOptimize(found);
  }
  Expect(state, found.has_value() == is_there, "found what is not there, or not what is");
}
void ItemFindFirstAttribute(benchmark::State& state) { ItemFindAttribute(state, "GSI1PK", true); }
void ItemFindLastAttribute(benchmark::State& state) { ItemFindAttribute(state, "visible", true); }
void ItemFindAbsentAttribute(benchmark::State& state) { ItemFindAttribute(state, "reserved", false); }
BENCHMARK(ItemFindFirstAttribute);
BENCHMARK(ItemFindLastAttribute);
BENCHMARK(ItemFindAbsentAttribute);

void SizeOfItem(benchmark::State& state, const Item& item) {
  std::string stored;
  codec::AppendStoredItem(stored, item.view());
  std::size_t size = 0;
  for (auto _ : state) {
    size = value::ItemSize(item.attributes());
    benchmark::DoNotOptimize(size);
  }
  Expect(state, size == codec::StoredItemSize(stored), "not the size that is stored with it");
}
void SizeOfItem450Bytes(benchmark::State& state) { SizeOfItem(state, SmallItem()); }
void SizeOfItem40KilobytesNested(benchmark::State& state) { SizeOfItem(state, NestedItem()); }
BENCHMARK(SizeOfItem450Bytes);
BENCHMARK(SizeOfItem40KilobytesNested);

}  // namespace
}  // namespace taula::micro
