// A design's rules, as every write of an item goes through them: a batch of
// kefir with twelve attributes, three times and two index keys.
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "design/load.h"
#include "design/rules.h"
#include "expect.h"
#include "taula/value.h"

namespace taula::micro {
namespace {

constexpr std::string_view kKefir = R"(
design: kefir
tables:
  main:
    name: kefir
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: GSI1PK, sort: GSI1SK } }
entities:
  User:
    key: { PK: "USER#{userId}", SK: METADATA }
    attributes: { userId: string, email: email }
  Batch:
    key: { PK: "USER#{userId}", SK: "BATCH#{batchId}" }
    indexes:
      GSI1: { GSI1PK: "BATCH#{batchId}", GSI1SK: "STATUS#{status}#{createdAt}" }
    attributes:
      userId:            { type: string, max-length: 60 }
      batchId:           { type: string, max-length: 60 }
      name:              { type: string, required: true, min-length: 1, max-length: 100 }
      stage:             { type: enum, values: [1, 2], default: 1 }
      status:            { type: enum, values: [active, in_fridge, ready, archived], default: active }
      waterVolumeMl:     { type: number, required: true, min: 0 }
      sugarGrams:        { type: number, required: true, min: 0 }
      fruits:            { type: string, max-length: 300 }
      temperatureC:      { type: number, required: true, min: 0, max: 45 }
      targetHoursStage1: { type: number, required: true, min: 1 }
      startTime:         { type: timestamp, set: on-create }
      createdAt:         { type: timestamp, set: on-create }
      updatedAt:         { type: timestamp, set: on-write }
)";

constexpr std::int64_t kNow = 1'730'561'400'123;

const design::DesignRules& Rules() {
  static const std::shared_ptr<const design::DesignRules> rules = [] {
    const design::Loaded loaded = design::LoadDesign(kKefir, "kefir");
    return design::MakeRules(*loaded.design, loaded.design->tables.front());
  }();
  return *rules;
}

Item NewBatch() {
  return {{"PK", "USER#01ARZ3NDEKTSV4RRFFQ69G5FAV"},
          {"SK", "BATCH#01ARZ3NDEKTSV4RRFFQ69G5FAW"},
          {"userId", "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
          {"batchId", "01ARZ3NDEKTSV4RRFFQ69G5FAW"},
          {"name", "Ginger and lemon"},
          {"stage", 1},
          {"status", "active"},
          {"waterVolumeMl", 1500},
          {"sugarGrams", 90},
          {"fruits", "lemon, ginger"},
          {"temperatureC", 24},
          {"targetHoursStage1", 48}};
}

Item StoredBatch() {
  const Item batch = NewBatch();
  return **Rules().Keep({.before = std::nullopt, .after = batch.view(), .is_update = false, .now_ms = kNow});
}

void Keep(benchmark::State& state, const catalog::ItemChange& change, bool changes) {
  Result<std::optional<Item>> kept;
  for (auto _ : state) {
    kept = Rules().Keep(change);
    benchmark::DoNotOptimize(kept);
  }
  Expect(state, kept && kept->has_value() == changes, "not the item");
}

void RulesFillNewItem(benchmark::State& state) {
  const Item batch = NewBatch();
  Keep(state, {.before = std::nullopt, .after = batch.view(), .is_update = false, .now_ms = kNow}, true);
}
BENCHMARK(RulesFillNewItem);

void RulesCheckWholeItem(benchmark::State& state) {
  const Item batch = StoredBatch();
  Keep(state, {.before = std::nullopt, .after = batch.view(), .is_update = false, .now_ms = kNow}, false);
}
BENCHMARK(RulesCheckWholeItem);

void RulesMoveIndexKey(benchmark::State& state) {
  const Item before = StoredBatch();
  Item after = before;
  after.Set("status", "ready");
  Keep(state, {.before = before.view(), .after = after.view(), .is_update = true, .now_ms = kNow + 1}, true);
}
BENCHMARK(RulesMoveIndexKey);

}  // namespace
}  // namespace taula::micro
