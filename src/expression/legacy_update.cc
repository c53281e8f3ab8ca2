#include <array>
#include <string>
#include <utility>
#include <vector>

#include "expression/compare.h"
#include "expression/legacy.h"
#include "expression/legacy_error.h"
#include "value/type_name.h"

namespace taula::expression {
namespace {

using Action = AttributeAction;

Result<void> CheckUpdate(const AttributeUpdate& update) {
  if (!update.value) {
    if (update.action == Action::kDelete) return {};
    return InvalidParameter("Only DELETE action is allowed when no attribute value is specified");
  }
  const Type type = update.value->type();
  const std::string name(value::TypeName(type));
  if (update.action == Action::kDelete && !IsSet(type)) {
    return InvalidParameter("DELETE action with value is not supported for the type " + name);
  }
  if (update.action == Action::kAdd && !IsSet(type) && type != Type::kNumber && type != Type::kList) {
    return InvalidParameter("ADD action is not supported for the type " + name);
  }
  return {};
}

UpdateAction::Type ActionOf(const AttributeUpdate& update) {
  switch (update.action) {
    case Action::kPut:
      return UpdateAction::Type::kSet;
    case Action::kAdd:
      return UpdateAction::Type::kAdd;
    case Action::kDelete:
      break;
  }
  return update.value ? UpdateAction::Type::kDelete : UpdateAction::Type::kRemove;
}

}  // namespace

Result<std::optional<Update>> BindUpdates(const std::optional<AttributeUpdates>& updates) {
  if (!updates) return std::nullopt;
  SyntaxBuilder builder("");
  std::vector<ValueView> values;
  for (const auto& [attribute, update] : *updates) {
    if (Result<void> checked = CheckUpdate(update); !checked) return std::unexpected(checked.error());
    const PathStep step{PathStep::Type::kName, 0, attribute};
    UpdateAction action{ActionOf(update), builder.AddPath(std::array{step})};
    if (update.value) {
      action.operand = builder.AddNumberedValue(static_cast<std::uint32_t>(values.size()));
      values.push_back(update.value->view());
    }
    builder.AddAction(action);
  }
  return Update::OfDistinctAttributes(BoundSyntax(builder.Finish(), std::move(values)));
}

}  // namespace taula::expression
