#include "engine/backups.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random_id.h"
#include "base/timestamp.h"
#include "engine/history.h"
#include "engine/restored_table.h"
#include "engine/statistics.h"
#include "engine/table_arn.h"
#include "engine/timed_id.h"

namespace taula::engine {
namespace {

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;
constexpr std::int64_t kDaysMax = 35;
// History that is due is removed this often, much at a time.
constexpr std::int64_t kTrimEveryMs = 60LL * 60 * 1000;
constexpr std::string_view kDeletedTableSuffix = "$DeletedTableBackup";

std::unexpected<Error> TableNotFound(std::string_view name) {
  return Fail(ErrorCode::kTableNotFoundException, fmt::format("Table not found: {}", name));
}

std::unexpected<Error> StoreFailed() {
  return Fail(ErrorCode::kInternalServerError, "The store failed; the server's log says why.");
}

}  // namespace

std::string Backups::Arn(const catalog::Backup& backup) const {
  return fmt::format("{}/backup/{}", tables_.Arn(backup.table.name), backup.id);
}

std::int64_t Backups::ExpiryMs(const catalog::Backup& backup) { return backup.created_ms + kDaysMax * kDayMs; }

Result<catalog::TablePtr> Backups::FindTable(std::string_view name) const {
  catalog::TablePtr table = catalog_.Find(name);
  if (table == nullptr || table->status == TableStatus::kCreating) return TableNotFound(name);
  return table;
}

Result<catalog::BackupPtr> Backups::Create(std::string_view table_name, std::string_view backup_name) {
  const auto table = FindTable(table_name);
  if (!table) return std::unexpected(table.error());
  return Save(**table, backup_name, false);
}

// The state first: a record without one would be a promise that cannot be kept.
Result<catalog::BackupPtr> Backups::Save(const catalog::Table& table, std::string_view name, bool of_deleted_table) {
  catalog::Backup backup;
  backup.created_ms = clock_.NowMs();
  backup.id = of_deleted_table ? TimedId(backup.created_ms, 0) : NewTimedId(backup.created_ms);
  backup.name = name;
  backup.of_deleted_table = of_deleted_table;
  backup.state = fmt::format("backup-{}-{}", table.space, backup.id);
  backup.table = table;
  const SpaceStatistics statistics = ReadStatistics(store_, table.space);
  backup.items = statistics.items;
  backup.bytes = statistics.bytes;
  if (store_.SaveState(backup.state) != storage::Status::kOk) return StoreFailed();
  const std::string id = backup.id;
  const std::string state = backup.state;
  if (auto added = catalog_.backups().Put(std::move(backup)); !added) {
    // Of any other failure the record may come back with the next start.
    if (added.error().code == ErrorCode::kServiceUnavailable) (void)store_.DropState(state);
    return std::unexpected(added.error());
  }
  return catalog_.backups().Find(id);
}

Result<catalog::BackupPtr> Backups::Find(std::string_view arn) const {
  constexpr std::string_view kBackup = "/backup/";
  const std::size_t id = arn.rfind(kBackup);
  if (!ParseArn(arn) || id == std::string_view::npos) return ValidationError("Invalid Backup ARN");
  catalog::BackupPtr backup = catalog_.backups().Find(arn.substr(id + kBackup.size()));
  if (backup == nullptr || Arn(*backup) != arn) {
    return Fail(ErrorCode::kBackupNotFoundException, fmt::format("Backup not found: {}", arn));
  }
  return backup;
}

bool Backups::IsBeingRestored(const catalog::Backup& backup) const {
  return std::ranges::any_of(catalog_.All(), [&](const catalog::TablePtr& table) {
    return table->restore && table->restore->in_progress && table->restore->backup_id == backup.id;
  });
}

Result<catalog::BackupPtr> Backups::Delete(std::string_view arn) {
  const auto backup = Find(arn);
  if (!backup) return backup;
  if ((*backup)->of_deleted_table) {
    return ValidationError(fmt::format("Backup {} was made by the system and cannot be deleted", arn));
  }
  if (IsBeingRestored(**backup)) {
    return Fail(ErrorCode::kBackupInUseException, fmt::format("Backup is being used to restore table: {}", arn));
  }
  if (auto dropped = Drop(**backup); !dropped) return std::unexpected(dropped.error());
  return backup;
}

Result<void> Backups::Drop(const catalog::Backup& backup) {
  if (auto removed = catalog_.backups().Remove(backup.id); !removed) return removed;
  if (store_.DropState(backup.state) != storage::Status::kOk) return StoreFailed();
  return {};
}

Result<TableDescription> Backups::Restore(std::string_view backup_arn, const RestoreRequest& request) {
  const auto backup = Find(backup_arn);
  if (!backup) return std::unexpected(backup.error());
  if (IsBeingRestored(**backup)) {
    return Fail(ErrorCode::kBackupInUseException,
                fmt::format("Backup is being used to restore another table: {}", backup_arn));
  }
  return Begin((*backup)->table,
               {.backup_id = (*backup)->id,
                .source_table_name = (*backup)->table.name,
                .source_table_id = (*backup)->table.id,
                .time_ms = (*backup)->created_ms,
                .in_progress = true},
               request);
}

Result<TableDescription> Backups::RestorePast(std::string_view source_name, std::optional<std::int64_t> time_ms,
                                              const RestoreRequest& request) {
  const auto source = FindTable(source_name);
  if (!source) return std::unexpected(source.error());
  if (!(*source)->recovery) {
    return Fail(ErrorCode::kPointInTimeRecoveryUnavailableException,
                fmt::format("Point in time recovery is not enabled for table '{}'", source_name));
  }
  const RecoveryWindow window = WindowOf(**source);
  const std::int64_t time = time_ms.value_or(window.latest_ms);
  if (time < window.earliest_ms || time > window.latest_ms) {
    return Fail(ErrorCode::kInvalidRestoreTimeException,
                fmt::format("RestoreDateTime must be between EarliestRestorableDateTime: {} and "
                            "LatestRestorableDateTime: {}",
                            base::IsoTimestamp(window.earliest_ms), base::IsoTimestamp(window.latest_ms)));
  }
  return Begin(**source,
               {.backup_id = "",
                .source_table_name = (*source)->name,
                .source_table_id = (*source)->id,
                .time_ms = time,
                .in_progress = true},
               request);
}

Result<TableDescription> Backups::Begin(const catalog::Table& source, catalog::Restore restore,
                                        const RestoreRequest& request) {
  if (const catalog::TablePtr existing = catalog_.Find(request.table_name)) {
    if (existing->restore && existing->restore->in_progress) {
      return Fail(ErrorCode::kTableInUseException,
                  fmt::format("Table: {} is already being restored", request.table_name));
    }
    return Fail(ErrorCode::kTableAlreadyExistsException, "Table already exists: " + request.table_name);
  }
  auto table = RestoredTable(source, request, tables_.region(), tables_.account());
  if (!table) return std::unexpected(table.error());
  const auto space = catalog_.NewSpaces(1 + table->indexes.size());
  if (!space) return std::unexpected(space.error());
  table->name = request.table_name;
  table->id = base::UuidV4();
  table->space = *space;
  for (std::size_t i = 0; i < table->indexes.size(); ++i) {
    table->indexes[i].space = *space + 1 + static_cast<codec::SpaceId>(i);
  }
  table->created_ms = clock_.NowMs();
  if (table->billing_mode == BillingMode::kPayPerRequest) table->on_demand_since_ms = table->created_ms;
  table->status = TableStatus::kCreating;
  table->restore = std::move(restore);
  return tables_.BeginRestore(*std::move(table));
}

Result<void> Backups::SetRecovery(std::string_view table_name, bool enabled, std::optional<std::int64_t> days) {
  if (auto table = FindTable(table_name); !table) return std::unexpected(table.error());
  return tables_.SetRecovery(table_name, enabled, days);
}

RecoveryWindow Backups::WindowOf(const catalog::Table& table) const {
  const std::int64_t now = clock_.NowMs();
  return {.days = table.recovery->days,
          .earliest_ms = std::max(table.recovery->since_ms, now - table.recovery->days * kDayMs),
          .latest_ms = now};
}

Result<std::optional<RecoveryWindow>> Backups::Window(std::string_view table_name) const {
  const auto table = FindTable(table_name);
  if (!table) return std::unexpected(table.error());
  if (!(*table)->recovery) return std::nullopt;
  return WindowOf(**table);
}

Result<TableDescription> Backups::DeleteTable(std::string_view name) {
  const catalog::TablePtr table = catalog_.Find(name);
  catalog::BackupPtr last;
  if (table != nullptr && table->recovery && !table->deletion_protection) {
    auto saved = Save(*table, std::string(name).append(kDeletedTableSuffix), true);
    if (!saved) return std::unexpected(saved.error());
    last = *std::move(saved);
  }
  auto deleted = tables_.Delete(name);
  if (!deleted && last != nullptr) (void)Drop(*last);
  return deleted;
}

void Backups::Keep() {
  const std::int64_t now = clock_.NowMs();
  for (const catalog::BackupPtr& backup : catalog_.backups().All()) {
    if (!backup->of_deleted_table || now < ExpiryMs(*backup) || IsBeingRestored(*backup)) continue;
    if (auto dropped = Drop(*backup); !dropped) {
      base::Log(base::LogLevel::kWarning, "A backup cannot be removed: {}", dropped.error().message);
    }
  }
  for (const catalog::TablePtr& table : catalog_.All()) {
    if (table->recovery) TrimHistory(*table);
  }
}

void Backups::TrimHistory(const catalog::Table& table) {
  const std::int64_t oldest = clock_.NowMs() - table.recovery->days * kDayMs;
  storage::Range due = HistoryRange(table.recovery->space);
  due.end.clear();
  bool long_due = false;
  store_.Scan(HistoryRange(table.recovery->space), {}, [&](std::string_view key, std::string_view value) {
    const auto record = DecodeHistory(value);
    if (record && record->time_ms >= oldest) return false;
    long_due = long_due || !record || record->time_ms < oldest - kTrimEveryMs;
    due.end = std::string(key) + '\0';
    return long_due;
  });
  if (long_due) store_.EraseRange(due);
}

}  // namespace taula::engine
