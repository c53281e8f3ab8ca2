#include "api/put_item.h"

#include <utility>

#include "api/item_size.h"
#include "api/key_validation.h"
#include "api/operations.h"
#include "api/request_reader.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"
#include "engine/index_keys.h"

namespace taula::api {
namespace {

// What can be told without the table.
Result<void> CheckRequest(Context& context, Decoded<PutItemRequest>& decoded, ItemWrite& write) {
  PutItemRequest& request = decoded.request;
  Result<void> ok = CheckWriteMembers(request.table_name, Member::kItem, decoded.faults);
  if (ok) ok = InEnvelope(CheckWriteParameters(decoded, Member::kItem));
  if (ok) ok = InEnvelope(CheckReturnsOldOnly(request.return_values));
  if (ok) ok = CheckItemSize(request.item);
  if (ok) ok = InEnvelope(BindWriteExpressions(context, decoded, write));
  return ok;
}

Result<ItemWrite> Prepare(Context& context, Result<Decoded<PutItemRequest>> decoded) {
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  ItemWrite write;
  if (Result<void> ok = CheckRequest(context, *decoded, write); !ok) return std::unexpected(std::move(ok.error()));
  PutItemRequest& request = decoded->request;
  Result<catalog::TablePtr> table = LookUpTable(context, request.table_name);
  if (!table) return std::unexpected(std::move(table.error()));
  Result<void> ok = CheckItemKey((*table)->key, request.item.attributes());
  if (ok) ok = engine::CheckIndexKeys(**table, request.item.view());
  if (!ok) return std::unexpected(std::move(ok.error()));

  write.action.kind = engine::WriteKind::kPut;
  write.action.table = *std::move(table);
  write.action.item = std::move(request.item);
  CopyReturnParameters(request, write);
  return write;
}

void Read(RequestReader& reader, PutItemRequest& request) {
  request.table_name = reader.TableName();
  request.item = reader.Item("Item", Member::kItem);
  request.expected = reader.Expected();
  request.return_values =
      reader.Enumeration("ReturnValues", Member::kReturnValues, ParseReturnValues).value_or(ReturnValues::kNone);
  request.return_consumed_capacity = reader.Capacity();
  request.return_item_collection_metrics = reader.CollectionMetrics();
  request.conditional_operator =
      reader.Enumeration("ConditionalOperator", Member::kConditionalOperator, ParseConditionalOperator);
  request.condition_expression = reader.Text("ConditionExpression");
  request.attributes = reader.Attributes();
  request.return_on_condition_failure = reader.OnConditionFailure();
}

}  // namespace

void PutItem(Context& context, PutItemRequest request, WriteItemDone done) {
  Decoded<PutItemRequest> decoded{std::move(request), {}};
  NoteFaults(decoded.request.item, Member::kItem, decoded.faults);
  NoteFaults(decoded.request.attributes.values, decoded.faults);
  NoteFaults(decoded.request.expected, decoded.faults);
  CarryOut(context, Prepare(context, std::move(decoded)), std::move(done));
}

void PutItem(Context& context, std::string_view body, Completion done) {
  CarryOutJson(context, Prepare(context, DecodeBody<PutItemRequest>(body, Read)), std::move(done));
}

}  // namespace taula::api
