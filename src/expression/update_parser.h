// The grammar of UpdateExpression.
//
//   update  := section+
//   section := SET path = value , … | REMOVE path , … | ADD path :value , …
//            | DELETE path :value , …
//   value   := operand | operand + operand | operand - operand | ( value )
//   operand := path | :value | function | ( operand )
#pragma once

#include <array>

#include "expression/parser_core.h"

namespace taula::expression {

class UpdateParser final : public ParserCore {
 public:
  explicit UpdateParser(std::string_view text) : ParserCore(text) {}

  // Nothing when there is a Problem().
  [[nodiscard]] SyntaxPtr Parse();

 private:
  using ActionType = UpdateAction::Type;

  [[nodiscard]] bool IsGrammarKeyword(const Token& token) const override;
  [[nodiscard]] Fault ReservedWordFault() const override { return Fault::kReservedWordInUpdate; }

  bool ParseSection(ActionType type);
  bool ParseAction(ActionType type);
  std::optional<NodeId> ParseAssigned();
  std::optional<NodeId> ParseArithmetic();
  std::optional<NodeId> ParseArithmeticBehind(NodeId left);
  std::optional<NodeId> ParseOperand();
  std::optional<NodeId> ParseFunction();
  void ComplainAboutFunction(std::string_view name);

  std::array<bool, 4> seen_sections_{};
  std::size_t depth_ = 0;
};

}  // namespace taula::expression
