// The tree of a PartiQL statement.
//
// It depends on the text alone and never changes once a parser (parser.h) has
// made it. It says what is written; what of that DynamoDB supports is decided
// where it is bound to its parameters (bound_statement.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "partiql/lexer.h"
#include "taula/requests.h"

namespace taula::partiql {

enum class ExprKind : std::uint8_t {
  kName,       // text
  kPath,       // a root, then steps: kName, kSubscript or kWildcard
  kSubscript,  // one operand, in brackets
  kWildcard,   // .* or [*]
  kNumber,     // text, with its sign
  kString,     // text
  kBoolean,    // text: "true" or "false"
  kNull,
  kMissing,
  kParameter,  // number: which one, from 0
  kList,
  kBag,
  kStruct,  // key, value, key, value, …
  kCall,    // text: the function, in lower case
  kAnd,     // of two or more
  kOr,      // of two or more
  kNot,
  kPositive,  // signs in front of anything but a number
  kNegative,
  kBinary,   // text: the operator
  kBetween,  // tested, lower, upper
  kIn,       // tested, candidates
  kLike,
  kIsType,  // text: the type, in lower case
  kQuery,   // number: which query
};

using ExprId = std::uint32_t;

struct Expr {
  ExprKind kind;
  Place place;
  std::string text;
  std::uint32_t number = 0;
  std::vector<ExprId> operands;
};

enum class QueryKind : std::uint8_t {
  kSelect,
  kInsert,
  kUpdate,
  kDelete,
  kChangeOnly,  // SET or REMOVE that no table is named for
};

struct Column {
  ExprId expr;
  bool aliased = false;
};

struct OrderTerm {
  ExprId expr;
  bool descending = false;
};

// One SET or REMOVE.
struct Change {
  ExprId target;
  std::optional<ExprId> value;  // nothing: REMOVE
};

struct Returning {
  ReturnValues values = ReturnValues::kNone;
  bool all_columns = true;  // followed by *
};

// A clause that PartiQL has and DynamoDB does not.
struct UnsupportedClause {
  std::string name;
  Place place;
};

struct Query {
  QueryKind kind = QueryKind::kSelect;
  std::vector<Column> columns;  // none: all of them
  bool star_among_others = false;
  bool select_value = false;
  std::optional<ExprId> source;
  bool aliased = false;
  bool joined = false;
  std::optional<ExprId> where;
  std::vector<OrderTerm> order;
  std::optional<UnsupportedClause> unsupported;
  std::optional<ExprId> inserted;  // of INSERT … VALUE
  std::vector<Change> changes;
  std::vector<Returning> returning;
};

struct Statement {
  std::string text;
  std::vector<Expr> exprs;
  std::vector<Query> queries;
  ExprId root = 0;
  std::uint32_t parameters = 0;

  [[nodiscard]] const Expr& operator[](ExprId id) const { return exprs[id]; }
};

using StatementPtr = std::shared_ptr<const Statement>;

}  // namespace taula::partiql
