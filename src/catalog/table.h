// A table as the database knows it: one immutable version of its keys, indexes
// and settings. A change makes a new version (catalog.h); whoever holds an
// older one keeps it alive until done.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/key_codec.h"
#include "taula/table.h"
#include "taula/value.h"

namespace taula::catalog {

class ItemRules;

struct KeyAttribute {
  std::string name;
  Type type = Type::kString;
  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

// One attribute each for a table; up to four each for a global index.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;

  [[nodiscard]] bool Names(std::string_view attribute) const;
  friend bool operator==(const KeySchema&, const KeySchema&) = default;
};

// Whether the keys that are asked for most are counted (engine/contributor_insights.h).
struct ContributorInsights {
  bool enabled = true;
  // Counts only requests that were throttled, not those that were carried out.
  bool throttled_keys_only = false;
  std::int64_t enabled_ms = 0;  // from off to on
  std::int64_t changed_ms = 0;
};

// A Kinesis data stream that changes are to be sent to (engine/kinesis_destinations.h).
struct KinesisDestination {
  std::string stream_arn;
  bool active = true;
  std::string failure;                             // why it could not be enabled
  std::optional<std::string> timestamp_precision;  // "MILLISECOND", "MICROSECOND"
};

struct Index {
  std::string name;
  codec::SpaceId space = 0;
  bool global = true;
  KeySchema key;
  Projection projection;
  IndexStatus status = IndexStatus::kActive;  // kCreating while it is filled (engine/backfill.h)
  // Of global indexes:
  ProvisionedThroughputDescription provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  Throughput warm_throughput;
  std::optional<ContributorInsights> contributor_insights;

  // Whether the index stores this attribute of an item; `table_key` is the key
  // of the table it belongs to.
  [[nodiscard]] bool Projects(std::string_view attribute, const KeySchema& table_key) const;
};

struct TimeToLive {
  std::string attribute;
  bool enabled = false;
  // Not all items that were there before have their place among those that
  // expire (engine/expiry.h).
  bool filling = false;
  std::int64_t changed_ms = 0;
};

// Point-in-time recovery: what every item was before each change of the last
// days (engine/history.h).
struct Recovery {
  codec::SpaceId space = 0;
  std::int64_t since_ms = 0;
  std::int64_t days = 35;
};

// How a table came to be out of another one.
struct Restore {
  std::string backup_id;          // empty when it was not from a backup
  std::string source_table_name;  // as it was then
  std::string source_table_id;
  std::int64_t time_ms = 0;  // of the state that it was made of
  // Its items are still being brought in; nobody reads or writes it meanwhile.
  bool in_progress = false;
};

struct Table {
  std::string name;
  std::string id;  // a UUID, new for each table even of the same name
  codec::SpaceId space = 0;
  std::int64_t created_ms = 0;
  TableStatus status = TableStatus::kActive;
  std::vector<AttributeDefinition> attribute_definitions;
  KeySchema key;
  std::vector<Index> indexes;  // local ones first, each kind in the order they were made

  BillingMode billing_mode = BillingMode::kProvisioned;
  std::optional<std::int64_t> on_demand_since_ms;  // when it was last switched to on-demand
  ProvisionedThroughputDescription provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  Throughput warm_throughput;
  std::optional<StreamSpecification> stream;
  std::string stream_label;         // of the latest stream; empty when there never was one
  codec::SpaceId stream_space = 0;  // where changes are logged (stream.h); zero without a stream
  std::int64_t stream_since_ms = 0;
  std::optional<std::string> kms_key_arn;  // when encryption with a key of one's own was asked for
  std::optional<TableClass> table_class;
  std::optional<std::int64_t> table_class_changed_ms;
  bool deletion_protection = false;
  std::vector<Tag> tags;
  std::optional<TimeToLive> time_to_live;
  std::optional<std::string> resource_policy;
  // Another one with each change of the policy; kept when the policy is deleted.
  std::string resource_policy_revision;
  std::optional<ContributorInsights> contributor_insights;
  std::vector<KinesisDestination> kinesis_destinations;  // the latest first
  std::optional<Recovery> recovery;
  std::optional<Restore> restore;
  // The range-queries extension: nothing when it is off, kCreating while the
  // ordered views are filled (engine/ordered_views.h), kActive when they are
  // complete.
  std::optional<IndexStatus> range_queries;

  // What is asked of items beyond DynamoDB's rules; nothing for a plain table.
  // Not persisted: whoever opens the database brings it (Catalog::SetRules).
  std::shared_ptr<const ItemRules> rules;
  // ItemRules::claims_id of the rules that all items have been under, so that
  // their claims are complete; empty when that is not so.
  std::string claims_id;

  [[nodiscard]] const Index* FindIndex(std::string_view index_name) const;
  [[nodiscard]] bool has_local_indexes() const { return !indexes.empty() && !indexes.front().global; }
};

using TablePtr = std::shared_ptr<const Table>;

}  // namespace taula::catalog
