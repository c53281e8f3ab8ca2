#include "api/request_reader.h"

#include <fmt/format.h>

#include "expression/legacy.h"

namespace taula::api {
namespace {

using codec::JsonStruct;
using codec::JsonValue;

}  // namespace

Result<JsonStruct> ParseBody(std::string_view body) {
  thread_local codec::JsonBody parser;
  return parser.Parse(body);
}

std::string RequestReader::TableName() {
  const std::optional<std::string_view> name = body_["TableName"].String();
  if (!name) faults_.AddMissing(Member::kTableName);
  return std::string(name.value_or(""));
}

Item RequestReader::Item(std::string_view name, Member member) {
  std::optional<taula::Item> item = OptionalItem(name, member);
  if (item) return *std::move(item);
  faults_.AddMissing(member);
  return {};
}

std::optional<std::string> RequestReader::Text(std::string_view name) const {
  const std::optional<std::string_view> text = body_[name].String();
  if (!text) return std::nullopt;
  return std::string(*text);
}

bool RequestReader::Flag(std::string_view name, bool otherwise) const {
  return body_[name].Boolean().value_or(otherwise);
}

std::optional<Item> RequestReader::OptionalItem(std::string_view name, Member member) {
  std::optional<codec::ValueFault> fault;
  std::optional<taula::Item> item = body_[name].Item(fault, wording_);
  faults_.AddInvalidValue(member, std::move(fault));
  return item;
}

std::optional<std::vector<std::string>> RequestReader::AttributesToGet() const {
  const auto list = body_["AttributesToGet"].List();
  if (!list) return std::nullopt;
  std::vector<std::string> names;
  for (const JsonValue element : *list) names.emplace_back(element.String().value_or(""));
  return names;
}

std::optional<AttributeNames> RequestReader::Names() const {
  const auto map = body_["ExpressionAttributeNames"].Map("java.lang.String");
  if (!map) return std::nullopt;
  AttributeNames names;
  names.reserve(map->size());
  for (const auto& [placeholder, name] : *map) names.emplace_back(placeholder, name.String().value_or(""));
  return names;
}

ExpressionAttributes RequestReader::Attributes() {
  ExpressionAttributes attributes;
  attributes.names = Names();
  attributes.values = Values();
  return attributes;
}

std::optional<AttributeValues> RequestReader::Values() {
  const auto map = body_["ExpressionAttributeValues"].Map("AttributeValue");
  if (!map) return std::nullopt;
  AttributeValues values;
  values.reserve(map->size());
  for (const auto& [placeholder, json] : *map) {
    std::optional<codec::ValueFault> fault;
    std::optional<Value> value = json.Attribute(fault, wording_);
    if (!json.present()) fault = codec::NoDatatypeFault();
    if (fault && wording_ == codec::ValueWording::kOlder) {
      fault->message =
          fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}", fault->message, placeholder);
    }
    faults_.AddInvalidValue(Member::kExpressionAttributeValues, std::move(fault));
    values.emplace_back(placeholder, value ? *std::move(value) : Value());
  }
  return values;
}

std::optional<Value> RequestReader::OneValue(const JsonValue& json, Member member) {
  std::optional<codec::ValueFault> fault;
  std::optional<Value> value = json.Attribute(fault, wording_);
  faults_.AddInvalidValue(member, std::move(fault));
  return value;
}

std::optional<std::vector<Value>> RequestReader::ValueList(const JsonValue& json, Member member) {
  const auto list = json.List();
  if (!list) return std::nullopt;
  std::vector<Value> values;
  for (const JsonValue element : *list) {
    if (!element.present()) faults_.AddInvalidValue(member, codec::NoDatatypeFault());
    values.push_back(OneValue(element, member).value_or(Value()));
  }
  return values;
}

std::optional<ComparisonOperator> RequestReader::Comparison(const JsonStruct& condition, std::string_view path,
                                                            std::string_view attribute, bool required) {
  const std::optional<std::string_view> text = condition["ComparisonOperator"].String();
  const auto full_path = [&] { return fmt::format("{}.{}.member.comparisonOperator", path, attribute); };
  if (!text) {
    if (required) faults_.nested().Missing(full_path());
    return std::nullopt;
  }
  const std::optional<ComparisonOperator> comparison = expression::ParseComparisonOperator(*text);
  if (!comparison) faults_.nested().Violated(full_path(), *text, IsOneOf(kComparisonOperatorSet));
  return comparison;
}

template <typename T, typename ReadOne>
std::optional<std::vector<std::pair<std::string, T>>> RequestReader::Structs(std::string_view name,
                                                                             std::string_view type, ReadOne read_one) {
  const auto map = body_[name].Map(type);
  if (!map) return std::nullopt;
  std::vector<std::pair<std::string, T>> elements;
  for (const auto& [attribute, json] : *map) {
    if (const auto element = json.Struct(type)) elements.emplace_back(attribute, read_one(attribute, *element));
  }
  return elements;
}

std::optional<ExpectedAttributes> RequestReader::Expected() {
  const auto read = [this](std::string_view attribute, const JsonStruct& json) {
    ExpectedAttribute expected;
    expected.value = OneValue(json["Value"], Member::kExpected);
    expected.exists = json["Exists"].Boolean();
    expected.comparison = Comparison(json, "expected", attribute, false);
    expected.operands = ValueList(json["AttributeValueList"], Member::kExpected);
    return expected;
  };
  return Structs<ExpectedAttribute>("Expected", "ExpectedAttributeValue", read);
}

std::optional<AttributeUpdates> RequestReader::Updates() {
  const auto read = [this](std::string_view attribute, const JsonStruct& json) {
    if (attribute.empty()) faults_.AddInvalidValue(Member::kAttributeUpdates, codec::EmptyNameFault(true));
    AttributeUpdate update;
    update.value = OneValue(json["Value"], Member::kAttributeUpdates);
    if (const auto text = json["Action"].String()) {
      const std::optional<AttributeAction> action = ParseAttributeAction(*text);
      if (!action) {
        faults_.nested().Violated(fmt::format("attributeUpdates.{}.member.action", attribute), *text,
                                  IsOneOf(kAttributeActionSet));
      }
      update.action = action.value_or(AttributeAction::kPut);
    }
    return update;
  };
  return Structs<AttributeUpdate>("AttributeUpdates", "AttributeValueUpdate", read);
}

std::optional<AttributeConditions> RequestReader::Conditions(std::string_view name, std::string_view path,
                                                             Member member) {
  const auto read = [&](std::string_view attribute, const JsonStruct& json) {
    AttributeCondition condition;
    condition.comparison = Comparison(json, path, attribute, true).value_or(ComparisonOperator::kEq);
    condition.operands = ValueList(json["AttributeValueList"], member);
    return condition;
  };
  return Structs<AttributeCondition>(name, "Condition", read);
}

}  // namespace taula::api
