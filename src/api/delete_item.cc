#include "api/delete_item.h"

#include <utility>

#include "api/key_validation.h"
#include "api/operations.h"
#include "api/request_reader.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"

namespace taula::api {
namespace {

// What can be told without the table.
Result<void> CheckRequest(Context& context, Decoded<DeleteItemRequest>& decoded, ItemWrite& write) {
  Result<void> ok = CheckWriteMembers(decoded.request.table_name, Member::kKey, decoded.faults);
  if (ok) ok = InEnvelope(CheckWriteParameters(decoded, Member::kKey));
  if (ok) ok = InEnvelope(CheckReturnsOldOnly(decoded.request.return_values));
  if (ok) ok = InEnvelope(BindWriteExpressions(context, decoded, write));
  return ok;
}

Result<ItemWrite> Prepare(Context& context, Result<Decoded<DeleteItemRequest>> decoded) {
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  ItemWrite write;
  if (Result<void> ok = CheckRequest(context, *decoded, write); !ok) return std::unexpected(std::move(ok.error()));
  DeleteItemRequest& request = decoded->request;
  Result<catalog::TablePtr> table = LookUpTable(context, request.table_name);
  if (!table) return std::unexpected(std::move(table.error()));
  if (Result<void> ok = CheckKey((*table)->key, request.key.attributes()); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  write.action.kind = engine::WriteKind::kDelete;
  write.action.table = *std::move(table);
  write.action.item = std::move(request.key);
  CopyReturnParameters(request, write);
  return write;
}

void Read(RequestReader& reader, DeleteItemRequest& request) {
  request.table_name = reader.TableName();
  request.key = reader.Item("Key", Member::kKey);
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

}  // namespace

void DeleteItem(Context& context, DeleteItemRequest request, WriteItemDone done) {
  Decoded<DeleteItemRequest> decoded{std::move(request), {}};
  NoteFaults(decoded.request.key, Member::kKey, decoded.faults);
  NoteFaults(decoded.request.attributes.values, decoded.faults);
  NoteFaults(decoded.request.expected, decoded.faults);
  CarryOut(context, Prepare(context, std::move(decoded)), std::move(done));
}

void DeleteItem(Context& context, std::string_view body, Completion done) {
  CarryOutJson(context, Prepare(context, DecodeBody<DeleteItemRequest>(body, Read)), std::move(done));
}

}  // namespace taula::api
