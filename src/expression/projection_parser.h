// The grammar of ProjectionExpression: document paths between commas.
#pragma once

#include "expression/parser_core.h"

namespace taula::expression {

class ProjectionParser final : public ParserCore {
 public:
  explicit ProjectionParser(std::string_view text) : ParserCore(text) {}

  // Nothing when there is a Problem().
  [[nodiscard]] SyntaxPtr Parse();

 private:
  [[nodiscard]] bool IsGrammarKeyword(const Token&) const override { return false; }
};

}  // namespace taula::expression
