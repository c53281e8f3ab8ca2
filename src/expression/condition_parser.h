// The grammar of ConditionExpression, FilterExpression and
// KeyConditionExpression.
//
//   condition  := and ( OR and )*
//   and        := not ( AND not )*
//   not        := NOT not | comparison
//   comparison := operand ( = | <> | < | <= | > | >= ) operand
//               | operand BETWEEN operand AND operand
//               | operand IN ( operand , … )
//               | function | ( condition )
//   operand    := path | :value | function | ( operand ) | ( path ) .step
#pragma once

#include "expression/parser_core.h"

namespace taula::expression {

class ConditionParser final : public ParserCore {
 public:
  explicit ConditionParser(std::string_view text) : ParserCore(text) {}

  // Nothing when there is a Problem().
  [[nodiscard]] SyntaxPtr Parse();

 private:
  // A piece of an expression, of which it may not be clear yet whether it is a
  // condition or an operand.
  struct Piece {
    NodeId node;
    bool in_parentheses = false;
  };

  [[nodiscard]] bool IsGrammarKeyword(const Token& token) const override;

  [[nodiscard]] bool IsOperand(const Piece& piece) const;
  std::optional<Piece> ParseOr();
  std::optional<Piece> ParseAnd();
  std::optional<Piece> ParseChain(Operator op, std::string_view keyword,
                                  std::optional<Piece> (ConditionParser::*parse_link)());
  std::optional<Piece> ParseNot();
  std::optional<Piece> ParseComparison();
  std::optional<Piece> ParseBetween(NodeId tested);
  std::optional<Piece> ParseIn(NodeId tested);
  std::optional<Piece> ParsePrimary();
  std::optional<Piece> ParseParentheses(std::optional<Piece> (ConditionParser::*parse_content)());
  std::optional<Piece> ParseOperandPiece();
  std::optional<NodeId> ParseOperand();
  std::optional<NodeId> ParseFunction();
  bool ParseArguments(std::vector<NodeId>& arguments);
  NodeId Compare(Operator op, std::span<const NodeId> operands);
  void CheckIsCondition(const Piece& piece);

  std::size_t depth_ = 0;
};

}  // namespace taula::expression
