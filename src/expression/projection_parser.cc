#include "expression/projection_parser.h"

namespace taula::expression {

SyntaxPtr ProjectionParser::Parse() {
  do {
    const std::optional<NodeId> path = ParsePath();
    if (!path) return nullptr;
    builder_.AddProjectedPath(*path);
  } while (Accept(TokenType::kComma));
  if (!At(TokenType::kEnd)) Fail();
  if (Problem()) return nullptr;
  return builder_.Finish();
}

}  // namespace taula::expression
