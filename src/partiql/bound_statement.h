// A statement with its parameters filled in, checked as far as that can be done
// without the table.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/condition.h"
#include "expression/update.h"
#include "partiql/statement.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::partiql {

enum class StatementKind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

// What a SELECT answers with of each item.
class SelectList {
 public:
  SelectList(expression::BoundSyntax paths, std::vector<std::string> names)
      : paths_(std::move(paths)), names_(std::move(names)) {}

  // Appends a map with what the paths lead to, each under the name of its last
  // step: a.b[0] is "b[0]".
  void AppendTo(std::string& out, MapView item) const;

  // The top-level attributes that are named, each once, as they are written.
  [[nodiscard]] std::vector<std::string_view> top_level_names() const;
  [[nodiscard]] bool NamesInside(std::string_view attribute) const { return paths_.NamesInside(attribute); }

 private:
  expression::BoundSyntax paths_;
  std::vector<std::string> names_;  // by path
};

struct KeyOrder {
  std::string attribute;
  bool descending = false;
};

class BoundStatement;
using BoundStatementPtr = std::shared_ptr<const BoundStatement>;

class BoundStatement {
 public:
  [[nodiscard]] static Result<BoundStatementPtr> Bind(StatementPtr statement, std::vector<Value> parameters);

  BoundStatement(const BoundStatement&) = delete;
  BoundStatement& operator=(const BoundStatement&) = delete;

  [[nodiscard]] StatementKind kind() const { return kind_; }
  [[nodiscard]] bool is_read() const { return kind_ == StatementKind::kSelect; }
  [[nodiscard]] const std::string& table() const { return table_; }
  [[nodiscard]] const std::optional<std::string>& index() const { return index_; }
  [[nodiscard]] std::span<const Value> parameters() const { return parameters_; }
  [[nodiscard]] const std::string& text() const { return statement_->text; }

  // Nothing without a WHERE clause. Refers to this.
  [[nodiscard]] const std::optional<expression::Condition>& where() const { return where_; }
  // The same condition, which items that lack the attribute fulfil as well.
  [[nodiscard]] Result<expression::Condition> WhereOrWithout(std::string_view attribute) const;

  // Of UPDATE. Refers to this.
  [[nodiscard]] const std::optional<expression::Update>& update() const { return update_; }
  // Of INSERT.
  [[nodiscard]] const Item& item() const { return item_; }
  [[nodiscard]] ReturnValues returning() const { return returning_; }

  // Of SELECT; nothing for *. Amazon looks at the columns after the table.
  [[nodiscard]] Result<std::optional<SelectList>> BindColumns() const;
  [[nodiscard]] const std::vector<KeyOrder>& order() const { return order_; }

 private:
  BoundStatement(StatementPtr statement, std::vector<Value> parameters)
      : statement_(std::move(statement)), parameters_(std::move(parameters)) {}

  [[nodiscard]] Result<void> BindRoot();
  [[nodiscard]] Result<void> BindQuery();
  [[nodiscard]] Result<void> BindSource();
  [[nodiscard]] Result<void> BindOrder();
  [[nodiscard]] Result<void> BindItem();
  [[nodiscard]] Result<void> BindReturning();

  StatementPtr statement_;
  std::vector<Value> parameters_;
  // What the trees refer to; grows as more of them are bound.
  mutable std::deque<Value> literals_;
  const Query* query_ = nullptr;
  StatementKind kind_ = StatementKind::kSelect;
  std::string table_;
  std::optional<std::string> index_;
  std::optional<expression::Condition> where_;
  std::optional<expression::Update> update_;
  Item item_;
  ReturnValues returning_ = ReturnValues::kNone;
  std::vector<KeyOrder> order_;
};

}  // namespace taula::partiql
