#include "expression/update_run.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/limits.h"
#include "codec/value_fault.h"
#include "value/encoding.h"
#include "value/number.h"
#include "value/size.h"

namespace taula::expression {
namespace {

using ActionType = UpdateAction::Type;

bool NestsTooDeep(std::size_t path_steps, ValueView value) {
  if (value.type() != Type::kList && value.type() != Type::kMap) return false;
  return path_steps + value::NestingDepth(value) > base::kNestingLevelsMax;
}

std::string EncodeSet(Type type, const std::vector<std::string_view>& ordered) {
  std::string encoded;
  const std::size_t begin = value::BeginContainer(encoded, type);
  for (const std::string_view element : ordered) value::AppendSetElement(encoded, element);
  value::EndContainer(encoded, begin);
  return encoded;
}

std::vector<std::string_view> ElementsOf(ValueView set) {
  std::vector<std::string_view> elements;
  for (const std::string_view element : set.set()) elements.push_back(element);
  return elements;
}

}  // namespace

Result<Item> UpdateRun::Run() {
  const std::span<const UpdateAction> actions = bound_.syntax().actions();
  std::vector<std::optional<ValueView>> assigned(actions.size());
  const auto work_out = [&](std::size_t i) -> Result<void> {
    Outcome outcome = OutcomeOf(actions[i]);
    if (!outcome) return std::unexpected(std::move(outcome.error()));
    assigned[i] = *outcome;
    return {};
  };
  // What SET assigns is worked out before any path is looked at.
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].type != ActionType::kSet) continue;
    if (Result<void> ok = work_out(i); !ok) return std::unexpected(std::move(ok.error()));
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].type != ActionType::kSet) {
      if (Result<void> ok = work_out(i); !ok) return std::unexpected(std::move(ok.error()));
    }
    if (Result<void> ok = Write(actions[i], assigned[i]); !ok) return std::unexpected(std::move(ok.error()));
  }
  return Item::FromEncoded(edit_.Encode());
}

UpdateRun::Outcome UpdateRun::OutcomeOf(const UpdateAction& action) {
  switch (action.type) {
    case ActionType::kSet:
      return Evaluate(action.operand);
    case ActionType::kRemove:
      return std::nullopt;
    case ActionType::kAdd:
      return Add(bound_.Follow(bound_.node(action.path), base_), bound_.value(bound_.node(action.operand)));
    case ActionType::kDelete:
      break;
  }
  return Delete(bound_.Follow(bound_.node(action.path), base_), bound_.value(bound_.node(action.operand)));
}

Result<void> UpdateRun::Write(const UpdateAction& action, std::optional<ValueView> value) {
  const Node& path = bound_.node(action.path);
  if (value && NestsTooDeep(path.count, *value)) {
    return ValidationError(dialect_ == Update::Dialect::kStatement ? "Nesting Levels have exceeded supported limits"
                                                                   : codec::NestingFault().message);
  }
  const bool found = value ? edit_.Set(bound_, path, value->encoded()) : edit_.Remove(bound_, path);
  if (found) return {};
  return ValidationError("The document path provided in the update expression is invalid for update");
}

Result<ValueView> UpdateRun::Evaluate(NodeId operand) {
  const Node& node = bound_.node(operand);
  if (node.op == Operator::kValue) return bound_.value(node);
  if (node.op == Operator::kPath) {
    if (const std::optional<ValueView> found = bound_.Follow(node, base_)) return *found;
    return ValidationError("The provided expression refers to an attribute that does not exist in the item");
  }
  const std::span<const NodeId> operands = bound_.operands(node);
  if (node.op == Operator::kIfNotExists) {
    if (const std::optional<ValueView> found = bound_.Follow(bound_.node(operands[0]), base_)) return *found;
    return Evaluate(operands[1]);
  }
  const Type type = node.op == Operator::kListAppend ? Type::kList : Type::kNumber;
  const Result<ValueView> left = EvaluateAs(type, operands[0]);
  if (!left) return left;
  const Result<ValueView> right = EvaluateAs(type, operands[1]);
  if (!right) return right;
  return type == Type::kList ? AppendLists(*left, *right) : AddNumbers(node.op, *left, *right);
}

Result<ValueView> UpdateRun::EvaluateAs(Type type, NodeId operand) {
  Result<ValueView> value = Evaluate(operand);
  if (value && value->type() != type) return WrongType();
  return value;
}

Result<ValueView> UpdateRun::AddNumbers(Operator op, ValueView a, ValueView b) {
  const auto left = value::Number::FromOrdered(a.ordered_number());
  const auto right = value::Number::FromOrdered(b.ordered_number());
  const auto result = op == Operator::kMinus ? left.Minus(right) : left.Plus(right);
  if (!result) {
    return ValidationError(codec::NumberFault(result.error(), {}, codec::ValueWording::kCurrent).message);
  }
  std::string encoded(1, static_cast<char>(Type::kNumber));
  result->AppendOrdered(encoded);
  return Keep(std::move(encoded));
}

ValueView UpdateRun::AppendLists(ValueView a, ValueView b) {
  std::string encoded;
  const std::size_t begin = value::BeginContainer(encoded, Type::kList);
  encoded.append(a.encoded().substr(value::kContainerHeaderBytes));
  encoded.append(b.encoded().substr(value::kContainerHeaderBytes));
  value::EndContainer(encoded, begin);
  return Keep(std::move(encoded));
}

UpdateRun::Outcome UpdateRun::Add(std::optional<ValueView> present, ValueView operand) {
  if (!present) return operand;
  if (present->type() != operand.type()) return WrongType();
  if (operand.type() == Type::kList) return AppendLists(*present, operand);
  if (operand.type() != Type::kNumber) return Union(*present, operand);
  return AddNumbers(Operator::kPlus, *present, operand);
}

ValueView UpdateRun::Union(ValueView a, ValueView b) {
  std::vector<std::string_view> elements;
  std::ranges::set_union(ElementsOf(a), ElementsOf(b), std::back_inserter(elements));
  return Keep(EncodeSet(a.type(), elements));
}

UpdateRun::Outcome UpdateRun::Delete(std::optional<ValueView> present, ValueView operand) {
  if (!present) return std::nullopt;
  if (present->type() != operand.type()) return WrongType();
  std::vector<std::string_view> elements;
  std::ranges::set_difference(ElementsOf(*present), ElementsOf(operand), std::back_inserter(elements));
  if (elements.empty()) return std::nullopt;
  return Keep(EncodeSet(present->type(), elements));
}

std::unexpected<Error> UpdateRun::WrongType() const {
  return ValidationError(dialect_ == Update::Dialect::kLegacy
                             ? "Type mismatch for attribute to update"
                             : "An operand in the update expression has an incorrect data type");
}

ValueView UpdateRun::Keep(std::string encoded) { return ValueView(made_.emplace_front(std::move(encoded)).data()); }

}  // namespace taula::expression
