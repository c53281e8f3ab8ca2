// Backups of tables and recovery to a point in time: making them, and making
// tables of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "engine/tables.h"
#include "storage/store.h"
#include "taula/error.h"
#include "taula/table.h"

namespace taula::engine {

// What the new table is to have otherwise than the old one.
struct RestoreRequest {
  std::string table_name;  // of the new one
  std::optional<BillingMode> billing_mode;
  // Those to keep, by their names; without a list all.
  std::optional<std::vector<IndexDefinition>> global_indexes;
  std::optional<std::vector<IndexDefinition>> local_indexes;
  std::optional<Throughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<EncryptionSpecification> encryption;
};

// The times that a table can be brought back to.
struct RecoveryWindow {
  std::int64_t days = 0;
  std::int64_t earliest_ms = 0;
  std::int64_t latest_ms = 0;
};

class Backups {
 public:
  Backups(storage::Store& store, catalog::Catalog& catalog, Tables& tables, const base::Clock& clock)
      : store_(store), catalog_(catalog), tables_(tables), clock_(clock) {}

  [[nodiscard]] Result<catalog::BackupPtr> Create(std::string_view table_name, std::string_view backup_name);
  [[nodiscard]] Result<catalog::BackupPtr> Find(std::string_view arn) const;
  // Oldest first.
  [[nodiscard]] std::vector<catalog::BackupPtr> List() const { return catalog_.backups().All(); }
  // Returns what it was.
  [[nodiscard]] Result<catalog::BackupPtr> Delete(std::string_view arn);
  [[nodiscard]] std::string Arn(const catalog::Backup& backup) const;
  // When a backup of a deleted table goes.
  [[nodiscard]] static std::int64_t ExpiryMs(const catalog::Backup& backup);

  // Both begin to make a table, which is CREATING until its items are there.
  [[nodiscard]] Result<TableDescription> Restore(std::string_view backup_arn, const RestoreRequest& request);
  // Without a time, as it is now.
  [[nodiscard]] Result<TableDescription> RestorePast(std::string_view source_name, std::optional<std::int64_t> time_ms,
                                                     const RestoreRequest& request);

  // Without `days`: what it was, or 35.
  [[nodiscard]] Result<void> SetRecovery(std::string_view table_name, bool enabled, std::optional<std::int64_t> days);
  // Nothing when it is off. Fails with kTableNotFoundException.
  [[nodiscard]] Result<std::optional<RecoveryWindow>> Window(std::string_view table_name) const;

  // Deletes a table; one that can be brought back leaves a backup for some weeks.
  [[nodiscard]] Result<TableDescription> DeleteTable(std::string_view name);

  // Forgets history and backups whose time is over. To be called now and then.
  void Keep();

 private:
  [[nodiscard]] Result<catalog::TablePtr> FindTable(std::string_view name) const;
  [[nodiscard]] RecoveryWindow WindowOf(const catalog::Table& table) const;
  Result<catalog::BackupPtr> Save(const catalog::Table& table, std::string_view name, bool of_deleted_table);
  Result<void> Drop(const catalog::Backup& backup);
  [[nodiscard]] bool IsBeingRestored(const catalog::Backup& backup) const;
  Result<TableDescription> Begin(const catalog::Table& source, catalog::Restore restore, const RestoreRequest& request);
  void TrimHistory(const catalog::Table& table);

  storage::Store& store_;
  catalog::Catalog& catalog_;
  Tables& tables_;
  const base::Clock& clock_;
};

}  // namespace taula::engine
