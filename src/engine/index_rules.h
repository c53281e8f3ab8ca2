// What the keys and the projection of a table or an index must be like, as
// CreateTable and UpdateTable check it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "catalog/table.h"
#include "taula/error.h"
#include "taula/table.h"

namespace taula::engine {

// "One or more parameter values were invalid: <what>".
[[nodiscard]] std::unexpected<Error> InvalidParameter(std::string_view what);

// Every key attribute has a definition.
[[nodiscard]] Result<void> CheckDefined(std::span<const KeySchemaElement> key,
                                        std::span<const AttributeDefinition> definitions);

// The key of a table or a local index: a partition key and maybe a sort key.
[[nodiscard]] Result<void> CheckPlainKey(std::span<const KeySchemaElement> key);

// The key of a global index: up to four attributes each.
[[nodiscard]] Result<void> CheckGlobalIndexKey(std::span<const KeySchemaElement> key);

[[nodiscard]] Result<void> CheckProjection(const std::optional<Projection>& projection);

// How many attributes an index projects by name.
[[nodiscard]] std::size_t ProjectedByName(const std::optional<Projection>& projection);
// Fails when all indexes of a table together project too many by name.
[[nodiscard]] Result<void> CheckProjectedTotal(std::size_t projected);

// The key with the types that its attributes are defined to have. All of them
// have a definition.
[[nodiscard]] catalog::KeySchema MakeKey(std::span<const KeySchemaElement> key,
                                         std::span<const AttributeDefinition> definitions);

// The projection as it is kept: by name in order.
[[nodiscard]] Projection MakeProjection(const std::optional<Projection>& projection);

}  // namespace taula::engine
