#include "partiql/parser.h"

#include <array>
#include <utility>

#include "expression/parser_core.h"
#include "partiql/keywords.h"

namespace taula::partiql {
namespace {

using expression::DepthGuard;
using MaybeExpr = std::optional<ExprId>;

// How tightly operators bind.
enum Precedence : int {
  kNone = -1,
  kSetOperator = 5,
  kSelectClause = 6,
  kOr = 10,
  kAnd = 20,
  kNot = 30,
  kEquality = 40,
  kComparison = 50,
  kAddition = 60,
  kMultiplication = 70,
};

// Of an operator between two operands; nothing for other tokens.
std::optional<int> PrecedenceOf(const Token& token, const Token& next) {
  if (token.type == TokenType::kStar) return kMultiplication;
  if (token.type != TokenType::kOperator) return std::nullopt;
  std::string_view op = token.text;
  if (op == "not") {  // NOT IN, NOT BETWEEN, NOT LIKE
    if (next.type != TokenType::kOperator) return std::nullopt;
    op = next.text;
    if (op != "in" && op != "between" && op != "like") return std::nullopt;
  }
  if (op == "or") return kOr;
  if (op == "and") return kAnd;
  if (op == "=" || op == "<>" || op == "is" || op == "in") return kEquality;
  if (op == "<" || op == "<=" || op == ">" || op == ">=" || op == "between" || op == "like") return kComparison;
  if (op == "+" || op == "-" || op == "||") return kAddition;
  if (op == "/" || op == "%") return kMultiplication;
  return kSetOperator;
}

// Every Parse function answers nothing, or false, once there is an error.
class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens)
      : statement_(std::make_shared<Statement>()), tokens_(std::move(tokens)) {
    statement_->text = text;
  }

  Result<StatementPtr> Run() {
    const MaybeExpr root = ParseExpression();
    if (root && Accept(TokenType::kSemicolon)) {
      if (!At(TokenType::kEnd)) Fail("Unexpected token after semicolon. (Only one query is allowed.)");
    } else if (root && !At(TokenType::kEnd)) {
      Fail("Unexpected token after expression");
    }
    if (problem_) {
      return ValidationError("Statement wasn't well formed, can't be processed: " + *problem_);
    }
    statement_->root = *root;
    return StatementPtr(std::move(statement_));
  }

 private:
  enum class PathMode { kFull, kSimple };

  [[nodiscard]] const Token& Peek(std::size_t ahead = 0) const {
    const std::size_t at = position_ + ahead;
    return tokens_[at < tokens_.size() ? at : tokens_.size() - 1];
  }
  [[nodiscard]] bool At(TokenType type) const { return Peek().type == type; }
  [[nodiscard]] bool AtKeyword(std::string_view word) const {
    return (At(TokenType::kKeyword) || At(TokenType::kOperator)) && Peek().text == word;
  }
  const Token& Take() {
    const Token& token = Peek();
    if (position_ + 1 < tokens_.size()) ++position_;
    return token;
  }
  bool Accept(TokenType type) {
    if (!At(type)) return false;
    Take();
    return true;
  }
  bool AcceptKeyword(std::string_view word) {
    if (!AtKeyword(word)) return false;
    Take();
    return true;
  }
  [[nodiscard]] bool AtIdentifier() const { return At(TokenType::kIdentifier) || At(TokenType::kQuotedIdentifier); }

  // Only the first one counts.
  std::nullopt_t Fail(std::string message) {
    if (!problem_) problem_ = std::move(message);
    return std::nullopt;
  }
  bool Refuse(std::string message) {
    Fail(std::move(message));
    return false;
  }
  bool Expect(TokenType type) {
    if (Accept(type)) return true;
    Fail("Expected " + std::string(NameOf(type)));
    return false;
  }

  ExprId Add(ExprKind kind, const Place& place, std::string text = {}, std::vector<ExprId> operands = {}) {
    statement_->exprs.push_back({kind, place, std::move(text), 0, std::move(operands)});
    return static_cast<ExprId>(statement_->exprs.size() - 1);
  }
  [[nodiscard]] Expr& expr(ExprId id) { return statement_->exprs[id]; }

  MaybeExpr ParseExpression(int precedence = kNone) {
    const DepthGuard guard(depth_);
    if (guard.exceeded()) return Fail("");
    MaybeExpr left = ParseUnary();
    std::size_t chained = 0;
    while (left) {
      const std::optional<int> next = PrecedenceOf(Peek(), Peek(1));
      if (!next || *next <= precedence) return left;
      left = ParseInfix(*left, *next);
      // AND and OR are flat, everything else nests to the left.
      if (*next > kAnd && ++chained > DepthGuard::kDepthMax) return Fail("");
    }
    return left;
  }

  MaybeExpr ParseInfix(ExprId left, int precedence) {
    const bool negated = AtKeyword("not");
    if (negated) Take();
    const Token op = Take();
    const MaybeExpr parsed = ParseRightSide(left, op, precedence);
    if (!parsed || !negated) return parsed;
    return Add(ExprKind::kNot, op.place, {}, {*parsed});
  }

  MaybeExpr ParseRightSide(ExprId left, const Token& op, int precedence) {
    if (op.text == "is") return ParseIs(left, op);
    if (op.text == "in" && At(TokenType::kLeftParen)) return ParseInParentheses(left, op);
    if (At(TokenType::kEnd)) return Fail("Missing right-hand side expression of infix operator");
    const MaybeExpr right = ParseExpression(precedence);
    if (!right) return right;
    if (op.text == "and") return AddFlat(ExprKind::kAnd, op, left, *right);
    if (op.text == "or") return AddFlat(ExprKind::kOr, op, left, *right);
    if (op.text == "in") return Add(ExprKind::kIn, op.place, {}, {left, *right});
    if (op.text == "like") return Add(ExprKind::kLike, op.place, {}, {left, *right});
    if (op.text != "between") return Add(ExprKind::kBinary, op.place, op.text, {left, *right});
    if (!AcceptKeyword("and")) return Fail("Expected and");
    const MaybeExpr upper = ParseExpression(precedence);
    if (!upper) return upper;
    return Add(ExprKind::kBetween, op.place, {}, {left, *right, *upper});
  }

  ExprId AddFlat(ExprKind kind, const Token& op, ExprId left, ExprId right) {
    if (expr(left).kind != kind) return Add(kind, op.place, {}, {left, right});
    expr(left).operands.push_back(right);
    return left;
  }

  MaybeExpr ParseIs(ExprId left, const Token& op) {
    const bool negated = AcceptKeyword("not");
    std::string type = Peek().text;
    if (!At(TokenType::kKeyword) || (!IsTypeName(type) && type != "double")) return Fail("Expected type name");
    Take();
    if (type == "double" && !AcceptKeyword("precision")) return Fail("Expected type name");
    if (type == "character") AcceptKeyword("varying");
    const ExprId is = Add(ExprKind::kIsType, op.place, std::move(type), {left});
    return negated ? Add(ExprKind::kNot, op.place, {}, {is}) : is;
  }

  MaybeExpr ParseInParentheses(ExprId left, const Token& op) {
    const Token open = Take();
    const auto elements = ParseList(TokenType::kRightParen);
    if (!elements) return std::nullopt;
    const ExprId list = Add(ExprKind::kList, open.place, {}, *elements);
    return Add(ExprKind::kIn, op.place, {}, {left, list});
  }

  MaybeExpr ParseUnary() {
    const DepthGuard guard(depth_);
    if (guard.exceeded()) return Fail("");
    if (AtKeyword("not")) {
      const Place place = Take().place;
      const MaybeExpr operand = ParseExpression(kNot);
      if (!operand) return operand;
      return Add(ExprKind::kNot, place, {}, {*operand});
    }
    if (!AtKeyword("+") && !AtKeyword("-")) return ParsePath(PathMode::kFull);
    const Token sign = Take();
    const MaybeExpr operand = ParseUnary();
    if (!operand) return operand;
    if (expr(*operand).kind == ExprKind::kNumber) {
      if (sign.text == "-") Negate(expr(*operand).text);
      return operand;
    }
    return Add(sign.text == "-" ? ExprKind::kNegative : ExprKind::kPositive, sign.place, {}, {*operand});
  }

  static void Negate(std::string& number) {
    if (number.starts_with('-')) {
      number.erase(0, 1);
    } else {
      number.insert(0, 1, '-');
    }
  }

  MaybeExpr ParsePath(PathMode mode) {
    if (mode == PathMode::kSimple && !AtIdentifier()) return Fail("Expected identifier for simple path");
    const Token first = Peek();
    const MaybeExpr root = mode == PathMode::kSimple ? MaybeExpr(AddName(Take())) : ParseTerm();
    if (!root) return root;
    std::vector<ExprId> steps = {*root};
    while (At(TokenType::kDot) || At(TokenType::kLeftBracket)) {
      const MaybeExpr step = At(TokenType::kDot) ? ParseDotStep(mode) : ParseSubscript(mode);
      if (!step) return step;
      steps.push_back(*step);
    }
    if (steps.size() == 1) return root;
    return Add(ExprKind::kPath, first.place, {}, std::move(steps));
  }

  ExprId AddName(const Token& token) { return Add(ExprKind::kName, token.place, token.text); }

  MaybeExpr ParseDotStep(PathMode mode) {
    Take();
    if (AtIdentifier()) return AddName(Take());
    if (!At(TokenType::kStar)) return Fail("Invalid path dot component");
    if (mode == PathMode::kSimple) return Fail("Invalid path dot component for simple path");
    return Add(ExprKind::kWildcard, Take().place);
  }

  MaybeExpr ParseSubscript(PathMode mode) {
    const Place place = Take().place;
    if (At(TokenType::kStar)) {
      if (mode == PathMode::kSimple) return Fail("Invalid path component for simple path");
      const ExprId wildcard = Add(ExprKind::kWildcard, Take().place);
      if (!Expect(TokenType::kRightBracket)) return std::nullopt;
      return wildcard;
    }
    const MaybeExpr index = ParseExpression();
    if (!index || !Expect(TokenType::kRightBracket)) return std::nullopt;
    return Add(ExprKind::kSubscript, place, {}, {*index});
  }

  MaybeExpr ParseTerm() {
    switch (Peek().type) {
      case TokenType::kOperator:
        return Fail("Unexpected operator");
      case TokenType::kKeyword:
        return ParseKeywordTerm();
      case TokenType::kLeftParen:
        return ParseGroup();
      case TokenType::kLeftBracket:
        return ParseCollection(ExprKind::kList, TokenType::kRightBracket);
      case TokenType::kLeftBag:
        return ParseCollection(ExprKind::kBag, TokenType::kRightBag);
      case TokenType::kLeftCurly:
        return ParseStruct();
      case TokenType::kIdentifier:
      case TokenType::kQuotedIdentifier:
        if (Peek(1).type == TokenType::kLeftParen) return ParseCall();
        return AddName(Take());
      case TokenType::kParameter: {
        const ExprId parameter = Add(ExprKind::kParameter, Take().place);
        expr(parameter).number = statement_->parameters++;
        return parameter;
      }
      case TokenType::kString: {
        const Token token = Take();
        return Add(ExprKind::kString, token.place, token.text);
      }
      case TokenType::kNumber: {
        const Token token = Take();
        return Add(ExprKind::kNumber, token.place, token.text);
      }
      default:
        return Fail("Unexpected term");
    }
  }

  MaybeExpr ParseKeywordTerm() {
    const Token token = Peek();
    const std::string& word = token.text;
    if (word == "true" || word == "false") return Add(ExprKind::kBoolean, Take().place, word);
    if (word == "null") return Add(ExprKind::kNull, Take().place);
    if (word == "missing") return Add(ExprKind::kMissing, Take().place);
    if (word == "select") return ParseSelect();
    if (word == "from") return ParseFromFirst();
    if (word == "update" || word == "delete") return ParseUpdateOrDelete();
    if (word == "set" || word == "remove") return ParseChangesAlone();
    if (word == "insert" && Peek(1).type == TokenType::kKeyword && Peek(1).text == "into") return ParseInsert();
    if (IsFunctionKeyword(word) && Peek(1).type == TokenType::kLeftParen) return ParseCall();
    return Fail("Unexpected keyword");
  }

  MaybeExpr ParseGroup() {
    const Place place = Take().place;
    if (At(TokenType::kRightParen)) return Fail("Expression group cannot be empty");
    const auto elements = ParseList(TokenType::kRightParen);
    if (!elements) return std::nullopt;
    if (elements->size() == 1) return elements->front();
    return Add(ExprKind::kList, place, {}, *elements);
  }

  MaybeExpr ParseCollection(ExprKind kind, TokenType closing) {
    const Place place = Take().place;
    if (Accept(closing)) return Add(kind, place);
    const auto elements = ParseList(closing);
    if (!elements) return std::nullopt;
    return Add(kind, place, {}, *elements);
  }

  // One or more, separated by commas, with what closes them.
  std::optional<std::vector<ExprId>> ParseList(TokenType closing) {
    std::vector<ExprId> elements;
    do {
      const MaybeExpr element = ParseExpression();
      if (!element) return std::nullopt;
      elements.push_back(*element);
    } while (Accept(TokenType::kComma));
    if (!Expect(closing)) return std::nullopt;
    return elements;
  }

  MaybeExpr ParseStruct() {
    const Place place = Take().place;
    std::vector<ExprId> members;
    if (Accept(TokenType::kRightCurly)) return Add(ExprKind::kStruct, place);
    do {
      const MaybeExpr key = ParseExpression();
      if (!key || !Expect(TokenType::kColon)) return std::nullopt;
      const MaybeExpr value = ParseExpression();
      if (!value) return value;
      members.push_back(*key);
      members.push_back(*value);
    } while (Accept(TokenType::kComma));
    if (!Expect(TokenType::kRightCurly)) return std::nullopt;
    return Add(ExprKind::kStruct, place, {}, std::move(members));
  }

  MaybeExpr ParseCall() {
    const Token name = Take();
    std::string lower = name.text;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    Take();
    if (At(TokenType::kStar)) {
      if (lower != "count") return Fail(lower + "(*) is not allowed");
      Take();
      if (!Expect(TokenType::kRightParen)) return std::nullopt;
      return Add(ExprKind::kCall, name.place, std::move(lower));
    }
    if (Accept(TokenType::kRightParen)) return Add(ExprKind::kCall, name.place, std::move(lower));
    const auto arguments = ParseList(TokenType::kRightParen);
    if (!arguments) return std::nullopt;
    return Add(ExprKind::kCall, name.place, std::move(lower), *arguments);
  }

  // Statements.

  ExprId AddQuery(const Place& place, Query query) {
    const ExprId id = Add(ExprKind::kQuery, place);
    expr(id).number = static_cast<std::uint32_t>(statement_->queries.size());
    statement_->queries.push_back(std::move(query));
    return id;
  }

  MaybeExpr ParseSelect() {
    const Place place = Take().place;
    Query query;
    const Token first = Peek();
    if (AcceptKeyword("distinct")) {
      query.unsupported = {"DISTINCT", first.place};
    } else {
      AcceptKeyword("all");
    }
    query.select_value = AcceptKeyword("value");
    if (!ParseColumns(query)) return std::nullopt;
    if (!AcceptKeyword("from")) return Fail("Expected FROM after SELECT list");
    if (!ParseSource(query, kSelectClause) || !ParseSelectClauses(query)) return std::nullopt;
    return AddQuery(place, std::move(query));
  }

  bool ParseColumns(Query& query) {
    bool any_star = false;
    do {
      if (Accept(TokenType::kStar)) {
        any_star = true;
        continue;
      }
      const MaybeExpr column = ParseExpression();
      if (!column) return false;
      query.columns.push_back({*column, AcceptAlias()});
    } while (Accept(TokenType::kComma) && !problem_);
    query.star_among_others = any_star && !query.columns.empty();
    return !problem_;
  }

  // An alias, which DynamoDB refuses: "t", AS t, AT t.
  bool AcceptAlias() {
    if (AtIdentifier()) {
      Take();
      return true;
    }
    for (const std::string_view word : {"as", "at"}) {
      if (!AcceptKeyword(word)) continue;
      if (!AtIdentifier()) {
        Fail("Expected identifier for " + std::string(word == "as" ? "AS" : "AT") + "-alias");
        return false;
      }
      Take();
      return true;
    }
    return false;
  }

  bool ParseSource(Query& query, int precedence) {
    const MaybeExpr source = ParseExpression(precedence);
    if (!source) return false;
    query.source = source;
    query.aliased = AcceptAlias();
    for (const std::string_view word : {"join", "inner", "left", "right", "full", "outer", "cross"}) {
      query.joined = query.joined || AtKeyword(word);
    }
    if (At(TokenType::kComma) || query.joined) {
      query.joined = true;
      Take();
      while (!At(TokenType::kEnd) && !AtKeyword("where")) Take();
    }
    return !problem_;
  }

  bool ParseSelectClauses(Query& query) {
    if (AcceptKeyword("where") && !ParseWhere(query, kSelectClause)) return false;
    if (AcceptKeyword("order") && !ParseOrderBy(query)) return false;
    for (const std::string_view clause : {"group", "having", "limit"}) {
      if (!AcceptKeyword(clause)) continue;
      if (clause == "group" && !AcceptKeyword("by")) return Refuse("Expected BY");
      const Place place = Peek().place;
      do {
        if (!ParseExpression(kSelectClause)) return false;
      } while (clause == "group" && Accept(TokenType::kComma));
      if (!query.unsupported) {
        query.unsupported = {clause == "group" ? "GROUP BY" : clause == "limit" ? "LIMIT" : "HAVING", place};
      }
    }
    return true;
  }

  bool ParseWhere(Query& query, int precedence) {
    query.where = ParseExpression(precedence);
    return query.where.has_value();
  }

  bool ParseOrderBy(Query& query) {
    if (!AcceptKeyword("by")) return Refuse("Expected BY");
    do {
      const MaybeExpr term = ParseExpression();
      if (!term) return false;
      const bool descending = AcceptKeyword("desc");
      if (!descending) AcceptKeyword("asc");
      query.order.push_back({*term, descending});
    } while (Accept(TokenType::kComma));
    return true;
  }

  // FROM t WHERE … SET …
  MaybeExpr ParseFromFirst() {
    const Place place = Take().place;
    Query query;
    query.kind = QueryKind::kUpdate;
    if (!ParseSource(query, kNone)) return std::nullopt;
    if (AcceptKeyword("where") && !ParseWhere(query, kNone)) return std::nullopt;
    if (!ParseChanges(query) || !ParseReturning(query)) return std::nullopt;
    return AddQuery(place, std::move(query));
  }

  MaybeExpr ParseUpdateOrDelete() {
    const Token word = Take();
    Query query;
    query.kind = word.text == "update" ? QueryKind::kUpdate : QueryKind::kDelete;
    if (query.kind == QueryKind::kDelete && !AcceptKeyword("from")) return Fail("Expected FROM after DELETE");
    query.source = ParsePath(PathMode::kSimple);
    if (!query.source) return std::nullopt;
    query.aliased = AcceptAlias();
    if (query.kind == QueryKind::kUpdate && !ParseChanges(query)) return std::nullopt;
    if (AcceptKeyword("where") && !ParseWhere(query, kNone)) return std::nullopt;
    if (!ParseReturning(query)) return std::nullopt;
    return AddQuery(word.place, std::move(query));
  }

  MaybeExpr ParseChangesAlone() {
    const Place place = Peek().place;
    Query query;
    query.kind = QueryKind::kChangeOnly;
    if (!ParseChanges(query)) return std::nullopt;
    return AddQuery(place, std::move(query));
  }

  bool ParseChanges(Query& query) {
    while (AtKeyword("set") || AtKeyword("remove")) {
      if (Take().text == "set") {
        if (!ParseAssignments(query)) return false;
      } else {
        const MaybeExpr target = ParsePath(PathMode::kSimple);
        if (!target) return false;
        query.changes.push_back({*target, std::nullopt});
      }
    }
    if (query.changes.empty()) Fail("Expected data manipulation");
    return !problem_;
  }

  bool ParseAssignments(Query& query) {
    do {
      const MaybeExpr target = ParsePath(PathMode::kSimple);
      if (!target) return false;
      if (!AcceptKeyword("=")) return Refuse("Expected '='");
      const MaybeExpr value = ParseExpression();
      if (!value) return false;
      query.changes.push_back({*target, value});
    } while (Accept(TokenType::kComma));
    return true;
  }

  MaybeExpr ParseInsert() {
    const Place place = Take().place;
    Take();
    Query query;
    query.kind = QueryKind::kInsert;
    query.source = ParsePath(PathMode::kSimple);
    if (!query.source) return std::nullopt;
    const bool is_value = AcceptKeyword("value");
    const MaybeExpr inserted = ParseExpression();
    if (!inserted) return inserted;
    if (is_value) query.inserted = inserted;
    if (!ParseReturning(query)) return std::nullopt;
    return AddQuery(place, std::move(query));
  }

  bool ParseReturning(Query& query) {
    if (!AcceptKeyword("returning")) return true;
    do {
      const bool modified = AtKeyword("modified");
      const bool old = Peek(1).text == "old";
      if ((!modified && !AtKeyword("all")) || Peek(1).type != TokenType::kKeyword || (!old && Peek(1).text != "new")) {
        return Refuse("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
      }
      Take();
      Take();
      Returning returning;
      returning.values = modified ? (old ? ReturnValues::kUpdatedOld : ReturnValues::kUpdatedNew)
                                  : (old ? ReturnValues::kAllOld : ReturnValues::kAllNew);
      returning.all_columns = Accept(TokenType::kStar);
      if (!returning.all_columns && !ParseExpression()) return false;
      query.returning.push_back(returning);
    } while (Accept(TokenType::kComma));
    return true;
  }

  std::shared_ptr<Statement> statement_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace

Result<StatementPtr> Parse(std::string_view text) {
  std::optional<std::vector<Token>> tokens = Tokenize(text);
  if (!tokens) return ValidationError("Statement wasn't well formed, can't be processed: ");
  return Parser(text, *std::move(tokens)).Run();
}

}  // namespace taula::partiql
