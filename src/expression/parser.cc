#include "expression/parser.h"

#include "base/limits.h"
#include "expression/condition_parser.h"
#include "expression/projection_parser.h"
#include "expression/update_parser.h"

namespace taula::expression {
namespace {

template <typename Parser>
Result<SyntaxPtr> ParseWith(ExpressionKind kind, std::string_view text) {
  Parser parser(text);
  SyntaxPtr syntax = parser.Parse();
  if (!syntax) return InvalidExpression(kind, parser.Problem().value_or(""));
  return syntax;
}

}  // namespace

std::unexpected<Error> InvalidExpression(ExpressionKind kind, std::string_view message) {
  std::string whole = "Invalid ";
  whole.append(NameOf(kind)).append(": ").append(message);
  return ValidationError(std::move(whole));
}

Result<SyntaxPtr> Parse(ExpressionKind kind, std::string_view text) {
  if (text.empty()) return InvalidExpression(kind, "The expression can not be empty;");
  if (text.size() > base::kExpressionBytesMax) {
    std::string message = "Expression size has exceeded the maximum allowed size;";
    if (kind != ExpressionKind::kUpdate) message += " expression size: " + std::to_string(text.size());
    return InvalidExpression(kind, message);
  }
  switch (kind) {
    case ExpressionKind::kProjection:
      return ParseWith<ProjectionParser>(kind, text);
    case ExpressionKind::kUpdate:
      return ParseWith<UpdateParser>(kind, text);
    case ExpressionKind::kCondition:
    case ExpressionKind::kFilter:
    case ExpressionKind::kKeyCondition:
      break;
  }
  return ParseWith<ConditionParser>(kind, text);
}

}  // namespace taula::expression
