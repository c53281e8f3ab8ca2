// Keys in the store: of an item, of an index entry, and what an index keeps.
#include <optional>
#include <string>

#include "codec/key_codec.h"
#include "engine/index_entries.h"
#include "expect.h"
#include "samples.h"

namespace taula::micro {
namespace {

void KeyOfTwoStrings(benchmark::State& state) {
  const Value pk = "BATCH#0000000000";
  const Value sk = "EVENT#0000000042";
  std::string key;
  for (auto _ : state) {
    codec::KeyBuilder builder(1);
    builder.Partition(pk.view());
    builder.EndPartition();
    builder.Part(sk.view());
    key = builder.Take();
    benchmark::DoNotOptimize(key.data());
  }
  Expect(state, key == engine::ItemStoreKey(SampleTable(), SmallItem().view()), "not the item's key");
}
BENCHMARK(KeyOfTwoStrings);

void KeyOfItem(benchmark::State& state) {
  const Item key_attributes = NumberedKey(42);
  std::string key;
  for (auto _ : state) {
    key = engine::ItemStoreKey(SampleTable(), SmallItem().view());
    benchmark::DoNotOptimize(key.data());
  }
  Expect(state, key == engine::ItemStoreKey(SampleTable(), key_attributes.view()), "not the key's key");
}
BENCHMARK(KeyOfItem);

void KeyOfIndexEntry(benchmark::State& state) {
  const catalog::Table& table = SampleTable();
  std::optional<std::string> key;
  for (auto _ : state) {
    key = engine::IndexStoreKey(table, table.indexes[0], SmallItem().view());
    benchmark::DoNotOptimize(key);
  }
  const base::KeyRange all = codec::SpaceRange(table.indexes[0].space);
  Expect(state, key && *key >= all.begin && *key < all.end, "not a key of the index");
}
BENCHMARK(KeyOfIndexEntry);

void IndexProjectionOfWholeItem(benchmark::State& state) {
  const catalog::Table& table = SampleTable();
  std::string projected;
  for (auto _ : state) {
    projected = engine::ProjectItem(table, table.indexes[0], SmallItem().view());
    benchmark::DoNotOptimize(projected.data());
  }
  Expect(state, projected == SmallItem().encoded(), "not the whole item");
}
BENCHMARK(IndexProjectionOfWholeItem);

}  // namespace
}  // namespace taula::micro
