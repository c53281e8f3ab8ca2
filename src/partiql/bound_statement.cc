#include "partiql/bound_statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "partiql/changes.h"
#include "partiql/literal.h"
#include "partiql/tree_builder.h"
#include "partiql/where.h"
#include "value/map_builder.h"

namespace taula::partiql {
namespace {

std::unexpected<Error> Unsupported(std::string_view operation) {
  return ValidationError(fmt::format("Unsupported operation: {}", operation));
}

// "RETURNING MODIFIED OLD *"
std::string_view TextOf(ReturnValues values) {
  switch (values) {
    case ReturnValues::kAllOld:
      return "RETURNING ALL OLD *";
    case ReturnValues::kUpdatedOld:
      return "RETURNING MODIFIED OLD *";
    case ReturnValues::kAllNew:
      return "RETURNING ALL NEW *";
    case ReturnValues::kUpdatedNew:
      return "RETURNING MODIFIED NEW *";
    case ReturnValues::kNone:
      break;
  }
  return "";
}

// The name that a column has in the answer.
std::string ColumnName(const Statement& statement, const Expr& column) {
  if (column.kind == ExprKind::kName) return column.text;
  std::size_t last_name = 0;
  for (std::size_t i = 0; i < column.operands.size(); ++i) {
    if (statement[column.operands[i]].kind == ExprKind::kName) last_name = i;
  }
  std::string name = statement[column.operands[last_name]].text;
  for (std::size_t i = last_name + 1; i < column.operands.size(); ++i) {
    std::string_view index = statement[statement[column.operands[i]].operands[0]].text;
    if (index.starts_with('-')) index.remove_prefix(1);  // -0
    name += fmt::format("[{}]", index);
  }
  return name;
}

}  // namespace

void SelectList::AppendTo(std::string& out, MapView item) const {
  value::MapBuilder map(out);
  const std::span<const expression::NodeId> paths = paths_.syntax().all_paths();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::optional<ValueView> found = paths_.Follow(paths_.node(paths[i]), item);
    if (found) map.Add(names_[i], *found);
  }
  map.Finish();
}

std::vector<std::string_view> SelectList::top_level_names() const {
  std::vector<std::string_view> names;
  for (const expression::NodeId path : paths_.syntax().all_paths()) {
    const std::string_view name = paths_.top_level_name(paths_.node(path));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<BoundStatementPtr> BoundStatement::Bind(StatementPtr statement, std::vector<Value> parameters) {
  if (statement->parameters != parameters.size()) {
    return ValidationError("Number of parameters in request and statement don't match.");
  }
  const std::shared_ptr<BoundStatement> bound(new BoundStatement(std::move(statement), std::move(parameters)));
  Result<void> ok = bound->BindRoot();
  if (ok) ok = bound->BindQuery();
  if (!ok) return std::unexpected(std::move(ok.error()));
  return bound;
}

Result<void> BoundStatement::BindRoot() {
  const Statement& statement = *statement_;
  const Expr* root = &statement[statement.root];
  bool exists = false;
  if (root->kind == ExprKind::kCall && root->text == "exists" && root->operands.size() == 1) {
    const Expr& inner = statement[root->operands[0]];
    exists = inner.kind == ExprKind::kQuery && statement.queries[inner.number].kind == QueryKind::kSelect;
    if (exists) root = &inner;
  }
  if (root->kind != ExprKind::kQuery) return Unsupported(ClassOf(*root));
  query_ = &statement.queries[root->number];
  switch (query_->kind) {
    case QueryKind::kSelect:
      kind_ = exists ? StatementKind::kExists : StatementKind::kSelect;
      return {};
    case QueryKind::kInsert:
      kind_ = StatementKind::kInsert;
      return {};
    case QueryKind::kUpdate:
      kind_ = StatementKind::kUpdate;
      return {};
    case QueryKind::kDelete:
      kind_ = StatementKind::kDelete;
      return {};
    case QueryKind::kChangeOnly:
      break;
  }
  return Unsupported("Dml");
}

Result<void> BoundStatement::BindQuery() {
  Result<void> ok = BindSource();
  if (ok) ok = BindReturning();
  if (ok && query_->unsupported) {
    ok = ValidationError(
        fmt::format("Unsupported clause: {}{}", query_->unsupported->name, At(query_->unsupported->place)));
  }
  if (ok) ok = BindItem();
  if (!ok) return ok;
  if (query_->where) {
    auto where = BindWhere(TreeBuilder(*statement_, parameters_, literals_), *query_->where);
    if (!where) return std::unexpected(std::move(where.error()));
    where_ = *std::move(where);
  }
  if (!query_->changes.empty()) {
    auto update = BindChanges(TreeBuilder(*statement_, parameters_, literals_), query_->changes);
    if (!update) return std::unexpected(std::move(update.error()));
    update_ = *std::move(update);
  }
  return BindOrder();
}

// The table, and the index for what can be read from one.
Result<void> BoundStatement::BindSource() {
  const Statement& statement = *statement_;
  const Expr& source = statement[*query_->source];
  if (query_->aliased) return ValidationError("Aliasing is not supported");
  if (query_->joined || (source.kind != ExprKind::kName && source.kind != ExprKind::kPath)) {
    return ValidationError("Unexpected from source");
  }
  std::vector<std::string> components;
  if (source.kind == ExprKind::kName) {
    components.push_back(source.text);
  } else {
    for (const ExprId id : source.operands) {
      if (statement[id].kind != ExprKind::kName) {
        return ValidationError("Unexpected path component" + At(statement[id].place));
      }
      components.push_back(statement[id].text);
    }
  }
  if (query_->kind == QueryKind::kInsert && components.size() > 1) {
    return ValidationError("FROM clause may only contain a single table name");
  }
  if (components.size() > 2) {
    return ValidationError("A path may contain at most 2 components in the FROM clause");
  }
  if (std::ranges::any_of(components, &std::string::empty)) {
    return ValidationError("Path component cannot be an empty string");
  }
  if (components.size() == 2 && !is_read() && kind_ != StatementKind::kExists) {
    return ValidationError("This operation is not supported on an index");
  }
  table_ = std::move(components[0]);
  if (components.size() == 2) index_ = std::move(components[1]);
  return {};
}

Result<void> BoundStatement::BindReturning() {
  if (query_->returning.empty()) return {};
  const Returning& first = query_->returning.front();
  if (kind_ == StatementKind::kInsert) return ValidationError("RETURNING is not supported in INSERT");
  if (query_->returning.size() > 1 || !first.all_columns) {
    return ValidationError("Unsupported syntax in RETURNING columns.");
  }
  if (kind_ == StatementKind::kDelete && first.values != ReturnValues::kAllOld) {
    return ValidationError(
        fmt::format("Invalid returning clause: {}. Only RETURNING ALL OLD * is allowed in DELETE statements.",
                    TextOf(first.values)));
  }
  returning_ = first.values;
  return {};
}

// Each attribute is a value by itself, so that messages call it the root.
Result<void> BoundStatement::BindItem() {
  if (kind_ != StatementKind::kInsert) return {};
  if (!query_->inserted) return Unsupported("Insert");
  const Statement& statement = *statement_;
  const Expr& tuple = statement[*query_->inserted];
  if (tuple.kind != ExprKind::kStruct) {
    return ValidationError(
        fmt::format("Unsupported data type: {} under key root{}", partiql::NameOf(tuple), At(tuple.place)));
  }
  std::string encoded;
  value::MapBuilder map(encoded);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i + 1 < tuple.operands.size(); i += 2) {
    const Expr& name = statement[tuple.operands[i]];
    const Expr& attribute = statement[tuple.operands[i + 1]];
    if (name.kind != ExprKind::kString) {
      return ValidationError(fmt::format("Tuple keys must be strings. Key: {} under root", partiql::NameOf(name)));
    }
    if (std::ranges::find(names, name.text) != names.end()) {
      return ValidationError(fmt::format("Duplicate keys in tuple. Key: {} under root", name.text));
    }
    names.push_back(name.text);
    if (attribute.kind == ExprKind::kParameter) {
      map.Add(name.text, parameters_[attribute.number].view());
      continue;
    }
    const Result<Value> literal = LiteralValue(statement, tuple.operands[i + 1]);
    if (!literal) return std::unexpected(literal.error());
    map.Add(name.text, literal->view());
  }
  map.Finish();
  item_ = Item::FromEncoded(std::move(encoded));
  return {};
}

Result<void> BoundStatement::BindOrder() {
  for (const OrderTerm& term : query_->order) {
    const Expr& expr = (*statement_)[term.expr];
    if (expr.kind != ExprKind::kName) {
      return ValidationError(
          fmt::format("Argument to ORDER BY must be of type VariableReference. Type: {}", ClassOf(expr)));
    }
    order_.push_back({expr.text, term.descending});
  }
  if (!order_.empty() && !where_) {
    return ValidationError("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  return {};
}

Result<expression::Condition> BoundStatement::WhereOrWithout(std::string_view attribute) const {
  return BindWhere(TreeBuilder(*statement_, parameters_, literals_), *query_->where, attribute);
}

Result<std::optional<SelectList>> BoundStatement::BindColumns() const {
  if (query_->select_value) {
    return ValidationError("Select projection doesn't support value or pivot keywords");
  }
  if (query_->star_among_others) {
    return ValidationError("Other attributes should not be present in the projection when '*' is used.");
  }
  if (query_->columns.empty()) return std::nullopt;
  TreeBuilder tree(*statement_, parameters_, literals_);
  std::vector<std::string> names;
  for (const Column& column : query_->columns) {
    if (column.aliased) return ValidationError("Aliasing is not supported");
    const Result<expression::NodeId> path = tree.AddPath(column.expr);
    if (!path) return std::unexpected(path.error());
    std::string name = ColumnName(*statement_, (*statement_)[column.expr]);
    if (std::ranges::find(names, name) != names.end()) {
      return ValidationError(fmt::format("Duplicate identifiers in select clause: {}", name));
    }
    names.push_back(std::move(name));
  }
  return SelectList(tree.Finish(), std::move(names));
}

}  // namespace taula::partiql
