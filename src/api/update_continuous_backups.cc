#include <optional>
#include <string>

#include "api/backup_json.h"
#include "api/constraints.h"
#include "api/operations.h"
#include "api/table_name.h"
#include "api/table_request.h"

namespace taula::api {
namespace {

constexpr std::int64_t kDaysMax = 35;

struct UpdateBody {
  std::optional<std::string> name_or_arn;
  bool enabled = false;
  std::optional<std::int64_t> days;
  Constraints constraints;
};

UpdateBody Read(const codec::JsonStruct& json) {
  UpdateBody body;
  if (const auto name = json["TableName"].String()) body.name_or_arn = *name;
  const auto specification = json["PointInTimeRecoverySpecification"].Struct("PointInTimeRecoverySpecification");
  if (!specification) {
    body.constraints.Missing("pointInTimeRecoverySpecification");
    return body;
  }
  const auto enabled = (*specification)["PointInTimeRecoveryEnabled"].Boolean();
  if (!enabled) body.constraints.Missing("pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled");
  body.enabled = enabled.value_or(false);
  body.days = (*specification)["RecoveryPeriodInDays"].Integer();
  if (body.days) {
    constexpr std::string_view kPath = "pointInTimeRecoverySpecification.recoveryPeriodInDays";
    if (*body.days < 1) body.constraints.Violated(kPath, std::to_string(*body.days), ValueAtLeast(1));
    if (*body.days > kDaysMax) body.constraints.Violated(kPath, std::to_string(*body.days), ValueAtMost(kDaysMax));
  }
  return body;
}

Result<std::string> Answer(Context& context, const UpdateBody& body) {
  if (auto checked = body.constraints.Check(); !checked) return std::unexpected(checked.error());
  const auto name = ResolveTableName(context, body.name_or_arn);
  if (!name) return std::unexpected(name.error());
  engine::Backups& backups = context.engine.backups();
  if (auto set = backups.SetRecovery(*name, body.enabled, body.days); !set) return std::unexpected(set.error());
  const auto window = backups.Window(*name);
  if (!window) return std::unexpected(window.error());
  return ContinuousBackupsAnswer(*window);
}

}  // namespace

void UpdateContinuousBackups(Context& context, std::string_view body, Completion done) {
  AnswerTableRequest(body, done, Read, [&context](const UpdateBody& decoded) { return Answer(context, decoded); });
}

}  // namespace taula::api
