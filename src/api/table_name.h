// The table that an operation on tables names: by its name or, where Amazon
// takes that, by its ARN.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "taula/error.h"

namespace taula::api {

// The name of the table that `TableName` means. Whether there is one is not
// looked at.
[[nodiscard]] Result<std::string> ResolveTableName(const Context& context, std::optional<std::string_view> name_or_arn);

// The name of the table that `ResourceArn` means, for operations on tags.
[[nodiscard]] Result<std::string> ResolveResourceArn(const Context& context, std::optional<std::string_view> arn);

// Whether all characters are ones that names of tables and indexes may have.
[[nodiscard]] bool IsResourceName(std::string_view name);

inline constexpr std::string_view kResourceNamePattern = "[a-zA-Z0-9_.-]+";
inline constexpr std::size_t kResourceNameMin = 3;
inline constexpr std::size_t kResourceNameMax = 255;

}  // namespace taula::api
