#include "catalog/record_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/export_record.h"
#include "catalog/import_record.h"
#include "storage/memory/memory_store.h"

namespace taula::catalog {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Export SomeExport(std::string id) {
  Export job;
  job.id = std::move(id);
  job.table_name = "orders";
  job.table_id = "a uuid";
  job.client_token = "token";
  job.fingerprint = "all of it";
  job.status = JobStatus::kFailed;
  job.start_ms = 1;
  job.end_ms = 2;
  job.time_ms = 3;
  job.period = {.from_ms = 4, .to_ms = 5, .old_images = false};
  job.bucket = "bucket";
  job.prefix = "";
  job.encryption = "KMS";
  job.kms_key = "a key";
  job.items = 6;
  job.billed_bytes = 7;
  job.failure = {.code = "StorageFull", .message = "no room"};
  return job;
}

Import SomeImport() {
  Import job;
  job.id = "1";
  job.bucket = "bucket";
  job.bucket_owner = "123456789012";
  job.prefix = "data/";
  job.format = "CSV";
  job.compression = "ZSTD";
  job.csv = {.delimiter = ";", .header = {"pk", "v"}};
  job.table.name = "orders";
  job.table.id = "a uuid";
  job.table.space = 7;
  job.table.key.partition = {{"pk", Type::kNumber}};
  job.parameters = R"({"TableName":"orders"})";
  job.loaded = true;
  job.counts = {.processed_bytes = 1, .processed_items = 2, .imported_items = 3, .errors = 4};
  return job;
}

TEST(RecordSet, KeepsWhatItIsGiven) {
  const auto store = storage::MakeMemoryStore();
  {
    ExportSet set(*store);
    ASSERT_TRUE(set.Load());
    ASSERT_TRUE(set.Put(SomeExport("2")));
    ASSERT_TRUE(set.Put(SomeExport("1")));
    ASSERT_TRUE(set.Put(SomeExport("3")));
    ASSERT_TRUE(set.Remove("3"));
    ASSERT_TRUE(set.Remove("none"));
    Export changed = SomeExport("1");
    changed.items = 100;
    ASSERT_TRUE(set.Put(changed));
  }
  ExportSet set(*store);
  ASSERT_TRUE(set.Load());
  const auto all = set.All();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0]->id, "1");
  EXPECT_EQ(all[0]->items, 100);
  EXPECT_EQ(all[1]->id, "2");
  EXPECT_EQ(set.Find("3"), nullptr);
  EXPECT_EQ(RecordKind<Export>::Encode(*set.Find("2")), RecordKind<Export>::Encode(SomeExport("2")));
}

TEST(RecordSet, KindsDoNotMix) {
  const auto store = storage::MakeMemoryStore();
  ExportSet exports(*store);
  ASSERT_TRUE(exports.Put(SomeExport("1")));
  ImportSet imports(*store);
  ASSERT_TRUE(imports.Load());
  EXPECT_THAT(imports.All(), IsEmpty());
}

TEST(RecordSet, SaysWhenARecordIsDamaged) {
  const auto store = storage::MakeMemoryStore();
  ASSERT_TRUE(Persist(*store, [](storage::Batch& batch) { batch.Put("Cp1", Item{{"id", "1"}}.encoded()); }));
  ExportSet set(*store);
  const auto loaded = set.Load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "The record of an export is damaged");
}

TEST(ExportRecord, HasAllOfIt) {
  const Export job = SomeExport("1");
  const auto again = RecordKind<Export>::Decode(RecordKind<Export>::Encode(job).view());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, JobStatus::kFailed);
  EXPECT_EQ(again->period->to_ms, 5);
  EXPECT_FALSE(again->period->old_images);
  EXPECT_EQ(again->prefix, "");
  EXPECT_EQ(again->bucket_owner, std::nullopt);
  EXPECT_EQ(again->kms_key, "a key");
  EXPECT_EQ(again->failure->message, "no room");
  EXPECT_EQ(again->billed_bytes, 7);
}

TEST(ImportRecord, HasAllOfIt) {
  const auto again = RecordKind<Import>::Decode(RecordKind<Import>::Encode(SomeImport()).view());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, JobStatus::kInProgress);
  EXPECT_EQ(again->csv->delimiter, ";");
  EXPECT_EQ(again->csv->header, (std::vector<std::string>{"pk", "v"}));
  EXPECT_EQ(again->table.space, 7U);
  EXPECT_EQ(again->table.key.partition.at(0).type, Type::kNumber);
  EXPECT_EQ(again->parameters, R"({"TableName":"orders"})");
  EXPECT_TRUE(again->loaded);
  EXPECT_EQ(again->counts.errors, 4);
  EXPECT_FALSE(again->failure);
}

}  // namespace
}  // namespace taula::catalog
