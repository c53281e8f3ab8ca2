// Requests that name a backup by its ARN.
#pragma once

#include <optional>
#include <string>

#include "api/member_bounds.h"
#include "codec/json_request.h"
#include "taula/error.h"

namespace taula::api {

inline constexpr LengthBounds kBackupArnLength{.least = 37, .most = 1024};

[[nodiscard]] inline std::optional<std::string> ReadBackupArn(const codec::JsonStruct& json) {
  const auto arn = json["BackupArn"].String();
  return arn ? std::optional<std::string>(*arn) : std::nullopt;
}

[[nodiscard]] inline Result<void> CheckBackupArn(const std::optional<std::string>& arn) {
  Constraints constraints;
  CheckRequiredLength(constraints, "backupArn", arn, kBackupArnLength);
  return constraints.Check();
}

}  // namespace taula::api
