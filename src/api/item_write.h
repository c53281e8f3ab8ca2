// What PutItem, DeleteItem and UpdateItem share: the parameters around the
// item, carrying out the write, and the answer.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "api/decode_faults.h"
#include "api/expression_parameters.h"
#include "api/operation.h"
#include "api/request_reader.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"
#include "engine/write.h"
#include "expression/legacy.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

using WriteItemDone = std::move_only_function<void(Result<WriteItemResponse>)>;

// A write that has passed all checks that can be made without the item.
struct ItemWrite {
  engine::WriteAction action;
  // What the action's expressions refer to.
  ExpressionAttributes attributes;
  std::optional<ExpectedAttributes> expected;
  std::optional<AttributeUpdates> attribute_updates;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

// Answers with the error when there is one instead of a write.
void CarryOut(Context& context, Result<ItemWrite> write, WriteItemDone done);

// The same, answering in JSON.
void CarryOutJson(Context& context, Result<ItemWrite> write, Completion done);

// The constraints on members that PutItem and DeleteItem have; `item` is the
// one that must be there: Item or Key.
[[nodiscard]] Result<void> CheckWriteMembers(const std::string& table_name, Member item, const DecodeFaults& faults);

// The checks of a whole request that come first: which parameters go together,
// what is wrong with the values of the item or key.
template <typename Request>
[[nodiscard]] Result<void> CheckWriteParameters(const Decoded<Request>& decoded, Member item) {
  const Request& request = decoded.request;
  bool any_expression = request.condition_expression.has_value();
  Result<void> ok;
  if constexpr (requires { request.update_expression; }) {
    any_expression = any_expression || request.update_expression;
    ok = CheckNotMixed({{"AttributeUpdates", request.attribute_updates.has_value()},
                        {"Expected", request.expected.has_value()},
                        {"ConditionalOperator", request.conditional_operator.has_value()}},
                       {{"UpdateExpression", request.update_expression.has_value()},
                        {"ConditionExpression", request.condition_expression.has_value()}});
  } else {
    ok = CheckNotMixed(
        {{"Expected", request.expected.has_value()}, {"ConditionalOperator", request.conditional_operator.has_value()}},
        {{"ConditionExpression", request.condition_expression.has_value()}});
  }
  if (ok) ok = CheckPlaceholdersAllowed(request.attributes, any_expression, any_expression);
  if (ok) ok = decoded.faults.CheckValues(item);
  return ok;
}

// ReturnValues of PutItem and DeleteItem.
[[nodiscard]] Result<void> CheckReturnsOldOnly(ReturnValues return_values);

// Turns Expected or the expressions into the action's condition and update.
template <typename Request>
[[nodiscard]] Result<void> BindWriteExpressions(Context& context, Decoded<Request>& decoded, ItemWrite& write) {
  Request& request = decoded.request;
  const DecodeFaults& faults = decoded.faults;
  if (Result<void> ok = faults.CheckValues(Member::kExpected); !ok) return ok;
  write.expected = std::move(request.expected);
  auto expected = expression::BindExpected(write.expected, request.conditional_operator);
  if (!expected) return std::unexpected(std::move(expected.error()));
  write.action.condition = *std::move(expected);

  write.attributes = std::move(request.attributes);
  ExpressionBinder binder(context);
  const codec::ValueFault* const values_fault = faults.InvalidValue(Member::kExpressionAttributeValues);
  if (Result<void> ok = binder.AddPlaceholders(write.attributes, values_fault); !ok) return ok;
  if constexpr (requires { request.update_expression; }) {
    auto update = binder.BindUpdate(request.update_expression);
    if (!update) return std::unexpected(std::move(update.error()));
    if (*update) write.action.update = *std::move(update);
  }
  auto condition = binder.BindCondition(request.condition_expression);
  if (!condition) return std::unexpected(std::move(condition.error()));
  if (*condition) write.action.condition = *std::move(condition);
  return binder.CheckAllUsed();
}

// The whole way from a request to a write. check_request(decoded, write) makes
// the checks that need no table and binds the expressions;
// check_against_table(table, request, write) makes those that do.
template <typename Request, typename CheckRequest, typename CheckAgainstTable>
[[nodiscard]] Result<ItemWrite> PrepareWrite(Context& context, engine::WriteKind kind, Result<Decoded<Request>> decoded,
                                             CheckRequest check_request, CheckAgainstTable check_against_table) {
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  ItemWrite write;
  if (Result<void> ok = check_request(*decoded, write); !ok) return std::unexpected(std::move(ok.error()));
  Request& request = decoded->request;
  Result<catalog::TablePtr> table = LookUpTable(context, request.table_name);
  if (!table) return std::unexpected(std::move(table.error()));
  if (Result<void> ok = check_against_table(**table, request, write); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  write.action.kind = kind;
  write.action.table = *std::move(table);
  if constexpr (requires { request.item; }) {
    write.action.item = std::move(request.item);
  } else {
    write.action.item = std::move(request.key);
  }
  write.action.return_values = request.return_values;
  write.action.return_on_condition_failure = request.return_on_condition_failure;
  write.return_consumed_capacity = request.return_consumed_capacity;
  write.return_item_collection_metrics = request.return_item_collection_metrics;
  return write;
}

// Reads the members that the three have, from JSON.
template <typename Request>
void ReadWriteMembers(RequestReader& reader, Request& request) {
  request.table_name = reader.TableName();
  if constexpr (requires { request.item; }) {
    request.item = reader.Item("Item", Member::kItem);
  } else {
    request.key = reader.Item("Key", Member::kKey);
  }
  request.expected = reader.Expected();
  request.conditional_operator =
      reader.Enumeration("ConditionalOperator", Member::kConditionalOperator, ParseConditionalOperator);
  request.return_values =
      reader.Enumeration("ReturnValues", Member::kReturnValues, ParseReturnValues).value_or(ReturnValues::kNone);
  request.return_consumed_capacity = reader.Capacity();
  request.return_item_collection_metrics = reader.CollectionMetrics();
  request.condition_expression = reader.Text("ConditionExpression");
  request.attributes = reader.Attributes();
  request.return_on_condition_failure = reader.OnConditionFailure();
}

// A typed request, with what is wrong with the values that the three have.
template <typename Request>
[[nodiscard]] Decoded<Request> WithWriteFaults(Request request) {
  Decoded<Request> decoded{std::move(request), {}};
  if constexpr (requires { decoded.request.item; }) {
    NoteFaults(decoded.request.item, Member::kItem, decoded.faults);
  } else {
    NoteFaults(decoded.request.key, Member::kKey, decoded.faults);
  }
  NoteFaults(decoded.request.attributes.values, decoded.faults);
  NoteFaults(decoded.request.expected, decoded.faults);
  return decoded;
}

}  // namespace taula::api
