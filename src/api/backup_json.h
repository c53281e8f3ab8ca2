// Backups and the windows of recovery as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "catalog/backup.h"
#include "codec/json_writer.h"

namespace taula::api {

// "BackupDetails": {…}
void WriteBackupDetails(codec::JsonWriter& json, const engine::Backups& backups, const catalog::Backup& backup,
                        std::string_view status);

// {"BackupDescription": {…}}
[[nodiscard]] std::string BackupDescriptionAnswer(Context& context, const catalog::Backup& backup,
                                                  std::string_view status);

// {"ContinuousBackupsDescription": {…}}
[[nodiscard]] std::string ContinuousBackupsAnswer(const std::optional<engine::RecoveryWindow>& window);

}  // namespace taula::api
