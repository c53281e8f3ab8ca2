// Which attributes a read answers with: ProjectionExpression or
// AttributesToGet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/constraints.h"
#include "api/expression_parameters.h"
#include "codec/json_writer.h"
#include "expression/projection.h"
#include "taula/error.h"

namespace taula::api {

using MaybeProjection = std::optional<expression::Projection>;

// The number of names, as a constraint on the member at `path`.
void CheckAttributesToGet(const std::optional<std::vector<std::string>>& names, std::string_view path,
                          Constraints& constraints);

// Nothing when there are no names. Refers to the names.
[[nodiscard]] Result<MaybeProjection> BindAttributesToGet(const std::optional<std::vector<std::string>>& names);

// For reads that have names as their only placeholders. Refers to the names.
[[nodiscard]] Result<MaybeProjection> BindReadProjection(Context& context, const std::optional<std::string>& text,
                                                         const std::optional<AttributeNames>& names);

// The item, or what the projection leaves of it.
[[nodiscard]] Item ProjectItem(const MaybeProjection& projection, ValueView item);

// The same straight into JSON; `scratch` is kept from item to item.
void WriteProjected(codec::JsonWriter& json, const MaybeProjection& projection, ValueView item, std::string& scratch);

}  // namespace taula::api
