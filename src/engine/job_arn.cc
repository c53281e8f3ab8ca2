#include "engine/job_arn.h"

#include <fmt/format.h>

#include <optional>

#include "engine/table_arn.h"

namespace taula::engine {

std::string JobArn(const Tables& tables, const JobKind& kind, std::string_view table_name, std::string_view id) {
  return fmt::format("{}/{}/{}", tables.Arn(table_name), kind.noun, id);
}

Result<std::string> JobIdOf(const Tables& tables, const JobKind& kind, std::string_view arn) {
  const std::string separator = fmt::format("/{}/", kind.noun);
  const std::optional<Arn> parts = ParseArn(arn);
  const std::size_t id = arn.rfind(separator);
  if (!parts || id == std::string_view::npos) {
    return ValidationError(fmt::format("Invalid {} ARN", kind.title));
  }
  if (parts->account != tables.account()) return Fail(ErrorCode::kAccessDeniedException, "Access is denied");
  if (parts->region != tables.region()) {
    return Fail(kind.not_found, fmt::format("{} not found: Invalid {} arn", kind.title, kind.noun));
  }
  return std::string(arn.substr(id + separator.size()));
}

// Amazon says it twice.
std::unexpected<Error> JobNotFound(const JobKind& kind, std::string_view arn) {
  return Fail(kind.not_found, fmt::format("{0} not found: {0} not found: {1}", kind.title, arn));
}

std::unexpected<Error> TokenConflict(const JobKind& kind) {
  return Fail(kind.conflict,
              fmt::format("{} conflict: Duplicate request detected with conflicting parameters", kind.title));
}

}  // namespace taula::engine
