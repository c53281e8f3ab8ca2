#include "catalog/table_record.h"

#include <gtest/gtest.h>

namespace taula::catalog {
namespace {

Table Full() {
  Table table;
  table.name = "orders";
  table.id = "9c5b94b1-35ad-49bb-b118-8e8fc24abf80";
  table.space = 4'000'000'000;
  table.created_ms = 1'763'244'000'123;
  table.attribute_definitions = {{"pk", Type::kString}, {"sk", Type::kNumber}, {"g", Type::kBinary}};
  table.key = {{{"pk", Type::kString}}, {{"sk", Type::kNumber}}};
  Index local;
  local.name = "local";
  local.space = 5;
  local.global = false;
  local.key = {{{"pk", Type::kString}}, {{"g", Type::kBinary}}};
  local.projection = {ProjectionType::kKeysOnly, {}};
  Index global;
  global.name = "global";
  global.space = 6;
  global.key = {{{"g", Type::kBinary}, {"pk", Type::kString}}, {}};
  global.projection = {ProjectionType::kInclude, {"a", "b"}};
  global.status = IndexStatus::kCreating;
  global.provisioned_throughput = {1, 2, 3, 4.5, 5.25};
  global.on_demand_throughput = {std::nullopt, 7};
  global.warm_throughput = {8, 9};
  table.indexes = {local, global};
  table.billing_mode = BillingMode::kPayPerRequest;
  table.on_demand_since_ms = 17;
  table.provisioned_throughput = {10, 20, 2, 1'763'244'000.123, std::nullopt};
  table.on_demand_throughput = {100, std::nullopt};
  table.warm_throughput = {12000, 4000};
  table.stream = {true, StreamViewType::kNewAndOldImages};
  table.stream_label = "2026-10-08T23:07:31.275";
  table.kms_key_arn = "arn:aws:kms:us-east-1:1:key/k";
  table.table_class = TableClass::kStandardInfrequentAccess;
  table.table_class_changed_ms = 5;
  table.deletion_protection = true;
  table.tags = {{"k", "v"}, {"empty", ""}};
  table.time_to_live = {.attribute = "expires", .enabled = true, .filling = true, .changed_ms = 99};
  table.resource_policy = "{}";
  table.resource_policy_revision = "1791505774984";
  table.contributor_insights = {.enabled = false, .throttled_keys_only = true, .enabled_ms = 3, .changed_ms = 4};
  table.indexes[1].contributor_insights = {.enabled = true, .enabled_ms = 5, .changed_ms = 6};
  table.kinesis_destinations = {{.stream_arn = "arn:new", .timestamp_precision = "MICROSECOND"},
                                {.stream_arn = "arn:old", .active = false, .failure = "no"}};
  table.range_queries = IndexStatus::kCreating;
  return table;
}

TEST(TableRecord, ComesBackAsItWas) {
  const Table table = Full();
  const std::optional<Table> back = DecodeTable(EncodeTable(table).view());
  ASSERT_TRUE(back.has_value());
  // Records are canonical: equal tables have equal records.
  EXPECT_EQ(EncodeTable(*back), EncodeTable(table));
  EXPECT_EQ(back->space, 4'000'000'000);
  EXPECT_EQ(back->key, table.key);
  ASSERT_EQ(back->indexes.size(), 2u);
  EXPECT_FALSE(back->indexes[0].global);
  EXPECT_EQ(back->indexes[0].projection, table.indexes[0].projection);
  EXPECT_EQ(back->indexes[1].key, table.indexes[1].key);
  EXPECT_EQ(back->indexes[1].projection, table.indexes[1].projection);
  EXPECT_EQ(back->indexes[1].status, IndexStatus::kCreating);
  EXPECT_EQ(back->indexes[1].on_demand_throughput, table.indexes[1].on_demand_throughput);
  EXPECT_EQ(back->indexes[1].warm_throughput, (Throughput{8, 9}));
  EXPECT_EQ(back->provisioned_throughput.last_increase, 1'763'244'000.123);
  EXPECT_FALSE(back->provisioned_throughput.last_decrease.has_value());
  EXPECT_EQ(back->stream->view_type, StreamViewType::kNewAndOldImages);
  EXPECT_EQ(back->kms_key_arn, table.kms_key_arn);
  EXPECT_EQ(back->tags, table.tags);
  EXPECT_EQ(back->time_to_live->attribute, "expires");
  EXPECT_TRUE(back->time_to_live->enabled);
  EXPECT_EQ(back->resource_policy, "{}");
  EXPECT_EQ(back->resource_policy_revision, "1791505774984");
  EXPECT_FALSE(back->contributor_insights->enabled);
  EXPECT_TRUE(back->contributor_insights->throttled_keys_only);
  EXPECT_EQ(back->contributor_insights->enabled_ms, 3);
  EXPECT_TRUE(back->indexes[1].contributor_insights->enabled);
  EXPECT_EQ(back->indexes[1].contributor_insights->changed_ms, 6);
  ASSERT_EQ(back->kinesis_destinations.size(), 2u);
  EXPECT_TRUE(back->kinesis_destinations[0].active);
  EXPECT_EQ(back->kinesis_destinations[0].timestamp_precision, "MICROSECOND");
  EXPECT_FALSE(back->kinesis_destinations[1].active);
  EXPECT_EQ(back->kinesis_destinations[1].failure, "no");
  EXPECT_EQ(back->range_queries, IndexStatus::kCreating);
}

TEST(TableRecord, OfATableWithoutSettingsHasNone) {
  Table table;
  table.name = "orders";
  table.key.partition = {{"pk", Type::kString}};
  const std::optional<Table> back = DecodeTable(EncodeTable(table).view());
  ASSERT_TRUE(back.has_value());
  EXPECT_FALSE(back->stream.has_value());
  EXPECT_FALSE(back->time_to_live.has_value());
  EXPECT_FALSE(back->on_demand_throughput.has_value());
  EXPECT_FALSE(back->kms_key_arn.has_value());
  EXPECT_FALSE(back->table_class.has_value());
  EXPECT_FALSE(back->deletion_protection);
}

TEST(TableRecord, GivesAPolicyOfAnOlderVersionTheAgeOfItsTable) {
  Table table = Full();
  table.resource_policy_revision.clear();
  EXPECT_EQ(DecodeTable(EncodeTable(table).view())->resource_policy_revision, "1763244000123");
}

TEST(TableRecord, IgnoresWhatALaterVersionAdded) {
  Item record = EncodeTable(Full());
  record.Set("colour", Value("green"));
  EXPECT_TRUE(DecodeTable(record.view()).has_value());
}

TEST(TableRecord, IsRefusedWhenAPartIsMissingOrOfTheWrongType) {
  EXPECT_FALSE(DecodeTable(Item().view()).has_value());
  EXPECT_FALSE(DecodeTable(Value("text").view()).has_value());
  for (const char* name : {"name", "id", "space", "status", "attributes", "partition_key", "indexes", "billing_mode"}) {
    Item record = EncodeTable(Full());
    record.Set(name, Value(true));
    EXPECT_FALSE(DecodeTable(record.view()).has_value()) << name;
  }
}

TEST(Index, ProjectsItsKeyTheTablesKeyAndWhatItIncludes) {
  const Table table = Full();
  const Index& keys_only = table.indexes[0];
  EXPECT_TRUE(keys_only.Projects("sk", table.key));
  EXPECT_TRUE(keys_only.Projects("g", table.key));
  EXPECT_FALSE(keys_only.Projects("a", table.key));
  const Index& include = table.indexes[1];
  EXPECT_TRUE(include.Projects("a", table.key));
  EXPECT_TRUE(include.Projects("sk", table.key));
  EXPECT_FALSE(include.Projects("c", table.key));
  Index all = include;
  all.projection = {ProjectionType::kAll, {}};
  EXPECT_TRUE(all.Projects("c", table.key));
}

}  // namespace
}  // namespace taula::catalog
