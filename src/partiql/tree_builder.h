// Turns expressions of a statement into the trees that DynamoDB's own
// expressions become (expression/syntax.h), so that they are checked and
// evaluated by the same code.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "expression/bound_syntax.h"
#include "partiql/statement.h"
#include "taula/error.h"
#include "taula/value.h"

namespace taula::partiql {

// One tree. It refers to the statement, the parameters and the literals, which
// must outlive it and stay where they are.
class TreeBuilder {
 public:
  TreeBuilder(const Statement& statement, std::span<const Value> parameters, std::deque<Value>& literals)
      : statement_(statement), parameters_(parameters), literals_(literals) {}

  [[nodiscard]] const Statement& statement() const { return statement_; }
  [[nodiscard]] const Expr& expr(ExprId id) const { return statement_[id]; }
  [[nodiscard]] expression::SyntaxBuilder& syntax() { return syntax_; }

  // A document path: a.b[3].
  [[nodiscard]] Result<expression::NodeId> AddPath(ExprId path);
  // A literal or a parameter.
  [[nodiscard]] Result<expression::NodeId> AddValue(ExprId id);
  // Either of them.
  [[nodiscard]] Result<expression::NodeId> AddPathOrValue(ExprId id);
  [[nodiscard]] expression::NodeId AddConstant(Value value);

  // The value of a node that AddValue has made.
  [[nodiscard]] ValueView ValueOf(expression::NodeId value) { return values_[syntax_.node(value).begin]; }

  [[nodiscard]] expression::BoundSyntax Finish() { return {syntax_.Finish(), std::move(values_)}; }

 private:
  [[nodiscard]] Result<expression::PathStep> StepOf(ExprId step) const;
  [[nodiscard]] expression::NodeId AddView(ValueView value);

  const Statement& statement_;
  std::span<const Value> parameters_;
  std::deque<Value>& literals_;
  expression::SyntaxBuilder syntax_{""};
  std::vector<ValueView> values_;
};

[[nodiscard]] bool IsPath(ExprKind kind);

}  // namespace taula::partiql
