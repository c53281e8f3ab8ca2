#include "api/transact_write_reader.h"

#include <fmt/format.h>

#include <utility>

#include "api/request_reader.h"
#include "api/typed_faults.h"

namespace taula::api {
namespace {

using codec::JsonStruct;
using codec::ValueFault;

TransactPut ReadPut(RequestReader& reader) {
  TransactPut put;
  put.item = reader.Item("Item", Member::kItem);
  put.table_name = reader.TableName();
  put.condition_expression = reader.Text("ConditionExpression");
  put.attributes = reader.Attributes();
  put.return_on_condition_failure = reader.OnConditionFailure();
  return put;
}

TransactDelete ReadDelete(RequestReader& reader) {
  TransactDelete action;
  action.key = reader.Item("Key", Member::kKey);
  action.table_name = reader.TableName();
  action.condition_expression = reader.Text("ConditionExpression");
  action.attributes = reader.Attributes();
  action.return_on_condition_failure = reader.OnConditionFailure();
  return action;
}

TransactConditionCheck ReadConditionCheck(RequestReader& reader) {
  TransactConditionCheck check;
  check.key = reader.Item("Key", Member::kKey);
  check.table_name = reader.TableName();
  const std::optional<std::string> condition = reader.Text("ConditionExpression");
  if (!condition) reader.faults().AddMissing(Member::kConditionExpression);
  check.condition_expression = condition.value_or("");
  check.attributes = reader.Attributes();
  check.return_on_condition_failure = reader.OnConditionFailure();
  return check;
}

TransactUpdate ReadUpdate(RequestReader& reader) {
  TransactUpdate action;
  action.key = reader.Item("Key", Member::kKey);
  const std::optional<std::string> update = reader.Text("UpdateExpression");
  if (!update) reader.faults().AddMissing(Member::kUpdateExpression);
  action.update_expression = update.value_or("");
  action.table_name = reader.TableName();
  action.condition_expression = reader.Text("ConditionExpression");
  action.attributes = reader.Attributes();
  action.return_on_condition_failure = reader.OnConditionFailure();
  return action;
}

// Reads the one action that an element of TransactItems has.
void ReadAction(const JsonStruct& element, DecodedTransaction& decoded) {
  const auto check = element["ConditionCheck"].Struct("ConditionCheck");
  const auto put = element["Put"].Struct("Put");
  const auto del = element["Delete"].Struct("Delete");
  const auto update = element["Update"].Struct("Update");
  const int count = check.has_value() + put.has_value() + del.has_value() + update.has_value();
  if (count == 0) {
    decoded.faults.AddInvalidValue(
        Member::kTransactItems,
        ValueFault{ValueFault::Kind::kContent,
                   InEnvelope("Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should "
                              "contain Delete or Put or Update or ConditionCheck")});
    return;
  }
  if (count > 1) {
    decoded.faults.AddInvalidValue(
        Member::kTransactItems,
        ValueFault{ValueFault::Kind::kContent, "TransactItems can only contain one of Check, Put, Update or Delete"});
  }
  const JsonStruct& members = check ? *check : put ? *put : del ? *del : *update;
  RequestReader reader(members, decoded.action_faults.emplace_back(), codec::ValueWording::kCurrent);
  TransactWriteAction& action = decoded.request.actions.emplace_back();
  if (check) {
    action = ReadConditionCheck(reader);
  } else if (put) {
    action = ReadPut(reader);
  } else if (del) {
    action = ReadDelete(reader);
  } else {
    action = ReadUpdate(reader);
  }
}

}  // namespace

Result<DecodedTransaction> DecodeTransaction(std::string_view body) {
  const Result<JsonStruct> json = ParseBody(body);
  if (!json) return std::unexpected(json.error());
  DecodedTransaction decoded;
  RequestReader reader(*json, decoded.faults, codec::ValueWording::kCurrent);
  const auto items = (*json)["TransactItems"].List();
  if (!items) decoded.faults.AddMissing(Member::kTransactItems);
  if (items) {
    for (const codec::JsonValue item : *items) {
      if (const auto element = item.Struct("TransactWriteItem")) ReadAction(*element, decoded);
    }
  }
  decoded.request.return_consumed_capacity = reader.Capacity();
  decoded.request.return_item_collection_metrics = reader.CollectionMetrics();
  decoded.request.client_request_token = reader.Text("ClientRequestToken");
  if (json->failed()) return std::unexpected(json->TakeError());
  return decoded;
}

DecodedTransaction WithFaults(TransactWriteItemsRequest request) {
  DecodedTransaction decoded;
  for (const TransactWriteAction& action : request.actions) {
    DecodeFaults& faults = decoded.action_faults.emplace_back();
    std::visit(
        [&faults](const auto& one) {
          if constexpr (requires { one.item; }) {
            NoteFaults(one.item, Member::kItem, faults);
          } else {
            NoteFaults(one.key, Member::kKey, faults);
          }
          NoteFaults(one.attributes.values, faults);
        },
        action);
  }
  decoded.request = std::move(request);
  return decoded;
}

}  // namespace taula::api
