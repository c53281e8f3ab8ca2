// The ARNs of exports and imports: <table's ARN>/export/<id>.
#pragma once

#include <string>
#include <string_view>

#include "engine/tables.h"
#include "taula/error.h"

namespace taula::engine {

struct JobKind {
  std::string_view noun;   // "export"
  std::string_view title;  // "Export"
  ErrorCode not_found;
  ErrorCode conflict;
};

inline constexpr JobKind kExportJobs{"export", "Export", ErrorCode::kExportNotFoundException,
                                     ErrorCode::kExportConflictException};
inline constexpr JobKind kImportJobs{"import", "Import", ErrorCode::kImportNotFoundException,
                                     ErrorCode::kImportConflictException};

[[nodiscard]] std::string JobArn(const Tables& tables, const JobKind& kind, std::string_view table_name,
                                 std::string_view id);

// The id at the end of an ARN of this account and region.
[[nodiscard]] Result<std::string> JobIdOf(const Tables& tables, const JobKind& kind, std::string_view arn);

[[nodiscard]] std::unexpected<Error> JobNotFound(const JobKind& kind, std::string_view arn);

// A request with the token of another one that asked for something else.
[[nodiscard]] std::unexpected<Error> TokenConflict(const JobKind& kind);

}  // namespace taula::engine
