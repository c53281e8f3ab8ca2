// An update that is ready to be applied: UpdateExpression and AttributeUpdates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/bindings.h"
#include "expression/bound_syntax.h"
#include "expression/path_set.h"
#include "expression/syntax.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

class Update {
 public:
  [[nodiscard]] static Result<Update> Bind(SyntaxPtr syntax, Bindings& bindings);

  // For a tree of AttributeUpdates, each on a top-level attribute of its own.
  [[nodiscard]] static Update OfDistinctAttributes(BoundSyntax bound);

  // For the tree of a PartiQL statement, whose values are filled in already.
  // Makes the checks of Bind; errors are without "Invalid UpdateExpression: ".
  [[nodiscard]] static Result<Update> OfStatement(BoundSyntax bound);

  // How others than expressions differ at run time: AttributeUpdates have words
  // of their own for a value of the wrong type; statements have them for one
  // that is nested too deep, and count for nothing against the size limit.
  enum class Dialect : std::uint8_t { kExpression, kLegacy, kStatement };

  // The item after the update. `base` is the item as it is, or, when there is
  // none, its key attributes alone. All operands read `base`.
  [[nodiscard]] Result<Item> Apply(MapView base) const;

  // The paths that are updated, as an image of the item has them; for
  // UPDATED_OLD and UPDATED_NEW. Empty: no Attributes in the answer.
  [[nodiscard]] Item ExtractUpdated(MapView image) const;

  // The top-level attributes that are written, each once, in byte order.
  [[nodiscard]] std::vector<std::string_view> written_attributes() const { return targets_.top_level_names(); }
  [[nodiscard]] bool Writes(std::string_view attribute) const { return targets_.Names(attribute); }
  // Whether a path of the expression leads inside of a top-level attribute.
  [[nodiscard]] bool NamesInside(std::string_view attribute) const { return bound_.NamesInside(attribute); }
  // The type that a top-level attribute gets, when the expression alone
  // decides it; for "Type mismatch for Index Key…".
  [[nodiscard]] std::optional<Type> StaticType(std::string_view attribute) const;

  // What the statement itself counts for against the item size limit.
  [[nodiscard]] std::size_t StatementCost() const;

 private:
  Update(BoundSyntax bound, Dialect dialect, PathSet targets)
      : bound_(std::move(bound)), dialect_(dialect), targets_(std::move(targets)) {}

  BoundSyntax bound_;
  Dialect dialect_;
  PathSet targets_;
};

}  // namespace taula::expression
