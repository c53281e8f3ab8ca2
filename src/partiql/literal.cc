#include "partiql/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "codec/value_fault.h"
#include "value/encoding.h"
#include "value/map_builder.h"
#include "value/number.h"

namespace taula::partiql {
namespace {

class LiteralReader {
 public:
  LiteralReader(const Statement& statement, std::string& out) : statement_(statement), out_(out) {}

  Result<void> Append(ExprId id) {
    const Expr& expr = statement_[id];
    if (depth_ >= base::kNestingLevelsMax) {
      return ValidationError("Nesting Levels have exceeded supported limits under " + path_);
    }
    switch (expr.kind) {
      case ExprKind::kNull:
        value::AppendNull(out_);
        return {};
      case ExprKind::kBoolean:
        value::AppendBool(out_, expr.text == "true");
        return {};
      case ExprKind::kString:
        value::AppendString(out_, expr.text);
        return {};
      case ExprKind::kNumber:
        return AppendNumber(expr);
      case ExprKind::kList:
        return AppendList(expr);
      case ExprKind::kBag:
        return AppendBag(expr);
      case ExprKind::kStruct:
        return AppendStruct(expr);
      default:
        return ValidationError(
            fmt::format("Unsupported data type: {} under key {}{}", NameOf(expr), path_, At(expr.place)));
    }
  }

 private:
  Result<void> AppendNumber(const Expr& expr) {
    std::string ordered;
    if (const auto ok = value::AppendOrderedFromText(ordered, expr.text); !ok) return NumberError(ok.error(), expr);
    value::AppendNumber(out_, ordered);
    return {};
  }

  std::unexpected<Error> NumberError(value::NumberError error, const Expr& expr) const {
    const codec::ValueFault fault = codec::NumberFault(error, expr.text, codec::ValueWording::kCurrent);
    return ValidationError(fmt::format("{} under {}", fault.message, path_));
  }

  // What is inside of a list or a struct, whose place in it is `step`.
  Result<void> AppendInside(ExprId id, std::string_view step) {
    const std::size_t outside = path_.size();
    path_ += step;
    ++depth_;
    Result<void> ok = Append(id);
    --depth_;
    path_.resize(outside);
    return ok;
  }

  Result<void> AppendList(const Expr& list) {
    const std::size_t begin = value::BeginContainer(out_, Type::kList);
    for (std::size_t i = 0; i < list.operands.size(); ++i) {
      if (Result<void> ok = AppendInside(list.operands[i], fmt::format("[{}]", i)); !ok) return ok;
    }
    value::EndContainer(out_, begin);
    return {};
  }

  Result<void> AppendStruct(const Expr& members) {
    value::MapBuilder map(out_);
    std::set<std::string_view> names;
    for (std::size_t i = 0; i + 1 < members.operands.size(); i += 2) {
      const Expr& name = statement_[members.operands[i]];
      if (name.kind != ExprKind::kString) {
        return ValidationError(fmt::format("Tuple keys must be strings. Key: {} under {}", NameOf(name), path_));
      }
      if (!names.insert(name.text).second) {
        return ValidationError(fmt::format("Duplicate keys in tuple. Key: {} under {}", name.text, path_));
      }
      map.Name(name.text);
      if (Result<void> ok = AppendInside(members.operands[i + 1], "." + name.text); !ok) return ok;
    }
    map.Finish();
    return {};
  }

  Result<void> AppendBag(const Expr& bag) {
    if (bag.operands.empty()) return ValidationError("Empty bags are not supported");
    const ExprKind kind = statement_[bag.operands.front()].kind;
    std::vector<std::string> elements;
    for (const ExprId id : bag.operands) {
      const Expr& element = statement_[id];
      if (element.kind != kind || (kind != ExprKind::kString && kind != ExprKind::kNumber)) {
        return ValidationError(
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
      }
      std::string& bytes = elements.emplace_back();
      if (kind == ExprKind::kString) {
        bytes = element.text;
      } else if (const auto ok = value::AppendOrderedFromText(bytes, element.text); !ok) {
        return NumberError(ok.error(), element);
      }
    }
    if (std::set<std::string_view>(elements.begin(), elements.end()).size() != elements.size()) return Duplicates(bag);
    value::AppendSet(out_, kind == ExprKind::kString ? Type::kStringSet : Type::kNumberSet, std::move(elements));
    return {};
  }

  [[nodiscard]] std::unexpected<Error> Duplicates(const Expr& bag) const {
    std::string elements;
    for (const ExprId id : bag.operands) {
      if (!elements.empty()) elements += ", ";
      elements += statement_[id].text;
    }
    const bool numbers = statement_[bag.operands.front()].kind == ExprKind::kNumber;
    return ValidationError(
        fmt::format("One or more parameter values were invalid: Input collection [{}] contains duplicates{}", elements,
                    numbers ? "! under " + path_ : "."));
  }

  const Statement& statement_;
  std::string& out_;
  std::string path_ = "root";
  std::size_t depth_ = 0;
};

std::string_view ClassOfOperator(std::string_view op) {
  constexpr auto kClasses = std::to_array<std::pair<std::string_view, std::string_view>>({{"=", "Eq"},
                                                                                          {"<>", "Ne"},
                                                                                          {"<", "Lt"},
                                                                                          {"<=", "Lte"},
                                                                                          {">", "Gt"},
                                                                                          {">=", "Gte"},
                                                                                          {"+", "Plus"},
                                                                                          {"-", "Minus"},
                                                                                          {"*", "Times"},
                                                                                          {"/", "Divide"},
                                                                                          {"%", "Modulo"},
                                                                                          {"||", "Concat"}});
  const auto found = std::ranges::find(kClasses, op, &std::pair<std::string_view, std::string_view>::first);
  return found != kClasses.end() ? found->second : "BagOp";
}

}  // namespace

bool IsLiteral(ExprKind kind) {
  switch (kind) {
    case ExprKind::kNumber:
    case ExprKind::kString:
    case ExprKind::kBoolean:
    case ExprKind::kNull:
    case ExprKind::kMissing:
    case ExprKind::kList:
    case ExprKind::kBag:
    case ExprKind::kStruct:
      return true;
    default:
      return false;
  }
}

Result<Value> LiteralValue(const Statement& statement, ExprId literal) {
  std::string encoded;
  if (Result<void> ok = LiteralReader(statement, encoded).Append(literal); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  return Value::FromEncoded(std::move(encoded));
}

std::string_view NameOf(const Expr& expr) {
  return expr.kind == ExprKind::kName || expr.kind == ExprKind::kCall ? std::string_view(expr.text) : ClassOf(expr);
}

std::string_view ClassOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName:
      return "Id";
    case ExprKind::kCall:
      return "Call";
    case ExprKind::kMissing:
      return "Missing";
    case ExprKind::kNumber:
    case ExprKind::kString:
    case ExprKind::kBoolean:
    case ExprKind::kNull:
      return "Lit";
    case ExprKind::kParameter:
      return "Parameter";
    case ExprKind::kList:
      return "List";
    case ExprKind::kBag:
      return "Bag";
    case ExprKind::kStruct:
      return "Struct";
    case ExprKind::kAnd:
      return "And";
    case ExprKind::kOr:
      return "Or";
    case ExprKind::kNot:
      return "Not";
    case ExprKind::kPositive:
      return "Pos";
    case ExprKind::kNegative:
      return "Neg";
    case ExprKind::kBinary:
      return ClassOfOperator(expr.text);
    case ExprKind::kBetween:
      return "Between";
    case ExprKind::kIn:
      return "InCollection";
    case ExprKind::kLike:
      return "Like";
    case ExprKind::kIsType:
      return "IsType";
    case ExprKind::kQuery:
      return "Select";
    case ExprKind::kPath:
    case ExprKind::kSubscript:
    case ExprKind::kWildcard:
      break;
  }
  return "Path";
}

}  // namespace taula::partiql
