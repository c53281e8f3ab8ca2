// One application of an update to an item.
#pragma once

#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

#include "expression/bound_syntax.h"
#include "expression/document_edit.h"
#include "expression/update.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::expression {

class UpdateRun {
 public:
  UpdateRun(const BoundSyntax& bound, Update::Dialect dialect, MapView base)
      : bound_(bound), dialect_(dialect), base_(base), edit_(base) {}

  [[nodiscard]] Result<Item> Run();

 private:
  // What an action makes of its attribute; nothing: it is removed.
  using Outcome = Result<std::optional<ValueView>>;

  [[nodiscard]] Outcome OutcomeOf(const UpdateAction& action);
  [[nodiscard]] Result<ValueView> Evaluate(NodeId operand);
  [[nodiscard]] Result<ValueView> EvaluateAs(Type type, NodeId operand);
  [[nodiscard]] Result<ValueView> AddNumbers(Operator op, ValueView a, ValueView b);
  [[nodiscard]] ValueView AppendLists(ValueView a, ValueView b);
  [[nodiscard]] Outcome Add(std::optional<ValueView> present, ValueView operand);
  [[nodiscard]] Outcome Delete(std::optional<ValueView> present, ValueView operand);
  [[nodiscard]] ValueView Union(ValueView a, ValueView b);
  [[nodiscard]] Result<void> Write(const UpdateAction& action, std::optional<ValueView> value);
  [[nodiscard]] std::unexpected<Error> WrongType() const;
  [[nodiscard]] ValueView Keep(std::string encoded);

  const BoundSyntax& bound_;
  Update::Dialect dialect_;
  MapView base_;
  DocumentEdit edit_;
  std::forward_list<std::string> made_;  // the values that the update computes, which must not move
};

}  // namespace taula::expression
