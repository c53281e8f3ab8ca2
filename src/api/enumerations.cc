#include "api/enumerations.h"

#include <array>
#include <string>
#include <utility>

namespace taula::api {
namespace {

template <typename Enum, std::size_t kCount>
std::optional<Enum> Find(const std::array<std::pair<std::string_view, Enum>, kCount>& texts, std::string_view text) {
  for (const auto& [known, value] : texts) {
    if (known == text) return value;
  }
  return std::nullopt;
}

template <typename Enum>
using Text = std::pair<std::string_view, Enum>;

struct EnumMember {
  std::string_view path;
  std::string_view values;
};

EnumMember Describe(Member member) {
  switch (member) {
    case Member::kReturnValues:
      return {"returnValues", kReturnValuesSet};
    case Member::kReturnConsumedCapacity:
      return {"returnConsumedCapacity", kReturnConsumedCapacitySet};
    case Member::kReturnItemCollectionMetrics:
      return {"returnItemCollectionMetrics", kReturnItemCollectionMetricsSet};
    case Member::kReturnValuesOnConditionCheckFailure:
      return {"returnValuesOnConditionCheckFailure", kReturnOnConditionFailureSet};
    case Member::kConditionalOperator:
      return {"conditionalOperator", kConditionalOperatorSet};
    case Member::kSelect:
      return {"select", kSelectSet};
    default:
      return {};
  }
}

}  // namespace

std::optional<ReturnValues> ParseReturnValues(std::string_view text) {
  using enum ReturnValues;
  return Find(std::array<Text<ReturnValues>, 5>{{{"NONE", kNone},
                                                 {"ALL_OLD", kAllOld},
                                                 {"UPDATED_OLD", kUpdatedOld},
                                                 {"ALL_NEW", kAllNew},
                                                 {"UPDATED_NEW", kUpdatedNew}}},
              text);
}

std::optional<ReturnConsumedCapacity> ParseReturnConsumedCapacity(std::string_view text) {
  using enum ReturnConsumedCapacity;
  return Find(std::array<Text<ReturnConsumedCapacity>, 3>{{{"NONE", kNone}, {"TOTAL", kTotal}, {"INDEXES", kIndexes}}},
              text);
}

std::optional<ReturnItemCollectionMetrics> ParseReturnItemCollectionMetrics(std::string_view text) {
  using enum ReturnItemCollectionMetrics;
  return Find(std::array<Text<ReturnItemCollectionMetrics>, 2>{{{"NONE", kNone}, {"SIZE", kSize}}}, text);
}

std::optional<ReturnOnConditionFailure> ParseReturnOnConditionFailure(std::string_view text) {
  using enum ReturnOnConditionFailure;
  return Find(std::array<Text<ReturnOnConditionFailure>, 2>{{{"NONE", kNone}, {"ALL_OLD", kAllOld}}}, text);
}

std::optional<Select> ParseSelect(std::string_view text) {
  using enum Select;
  return Find(std::array<Text<Select>, 4>{{{"ALL_ATTRIBUTES", kAllAttributes},
                                           {"ALL_PROJECTED_ATTRIBUTES", kAllProjectedAttributes},
                                           {"SPECIFIC_ATTRIBUTES", kSpecificAttributes},
                                           {"COUNT", kCount}}},
              text);
}

std::optional<ConditionalOperator> ParseConditionalOperator(std::string_view text) {
  using enum ConditionalOperator;
  return Find(std::array<Text<ConditionalOperator>, 2>{{{"AND", kAnd}, {"OR", kOr}}}, text);
}

std::optional<AttributeAction> ParseAttributeAction(std::string_view text) {
  using enum AttributeAction;
  return Find(std::array<Text<AttributeAction>, 3>{{{"PUT", kPut}, {"ADD", kAdd}, {"DELETE", kDelete}}}, text);
}

void CheckKnown(const DecodeFaults& faults, Member member, Constraints& constraints) {
  const std::string* const text = faults.Unknown(member);
  if (text == nullptr) return;
  const EnumMember described = Describe(member);
  constraints.Violated(described.path, *text, IsOneOf(described.values));
}

}  // namespace taula::api
