#include "api/transact_write_reader.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "api/request_reader.h"
#include "api/typed_faults.h"
#include "base/limits.h"

namespace taula::api {
namespace {

using codec::JsonStruct;
using codec::ValueFault;

std::string RequiredText(RequestReader& reader, std::string_view name, Member member) {
  std::optional<std::string> text = reader.Text(name);
  if (!text) reader.faults().AddMissing(member);
  return std::move(text).value_or("");
}

template <typename Action>
void ReadMembers(RequestReader& reader, Action& action) {
  if constexpr (requires { action.item; }) {
    action.item = reader.Item("Item", Member::kItem);
  } else {
    action.key = reader.Item("Key", Member::kKey);
  }
  if constexpr (requires { action.update_expression; }) {
    action.update_expression = RequiredText(reader, "UpdateExpression", Member::kUpdateExpression);
  }
  action.table_name = reader.TableName();
  if constexpr (std::is_same_v<Action, TransactConditionCheck>) {
    action.condition_expression = RequiredText(reader, "ConditionExpression", Member::kConditionExpression);
  } else {
    action.condition_expression = reader.Text("ConditionExpression");
  }
  action.attributes = reader.Attributes();
  action.return_on_condition_failure = reader.OnConditionFailure();
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
  const auto read = [&]<typename Action>(std::in_place_type_t<Action> type) {
    ReadMembers(reader, std::get<Action>(decoded.request.actions.emplace_back(type)));
  };
  if (check) {
    read(std::in_place_type<TransactConditionCheck>);
  } else if (put) {
    read(std::in_place_type<TransactPut>);
  } else if (del) {
    read(std::in_place_type<TransactDelete>);
  } else {
    read(std::in_place_type<TransactUpdate>);
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
    // No more than are allowed, however many were sent.
    const std::size_t expected = std::min(items->size(), base::kTransactionItemsMax);
    decoded.request.actions.reserve(expected);
    decoded.action_faults.reserve(expected);
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
