#include "api/update_item.h"

#include <utility>

#include "api/key_validation.h"
#include "api/operations.h"
#include "api/request_reader.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"
#include "api/update_validation.h"

namespace taula::api {
namespace {

// Without a key Amazon's older validation answers, which reports everything
// together.
Result<void> CheckMembersWithoutKey(const Decoded<UpdateItemRequest>& decoded) {
  const DecodeFaults& faults = decoded.faults;
  Constraints constraints;
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  CheckTableName(decoded.request.table_name, faults, constraints);
  CheckKnown(faults, Member::kReturnItemCollectionMetrics, constraints);
  CheckKnown(faults, Member::kReturnValues, constraints);
  CheckKnown(faults, Member::kConditionalOperator, constraints);
  constraints.Missing("key");
  constraints.Add(faults.nested());
  return constraints.Check();
}

Result<void> CheckMembers(const Decoded<UpdateItemRequest>& decoded) {
  const DecodeFaults& faults = decoded.faults;
  if (faults.Missing(Member::kKey)) return CheckMembersWithoutKey(decoded);
  if (Result<void> ok = CheckTableNameNotEmpty(decoded.request.table_name, faults); !ok) return ok;
  if (faults.Unknown(Member::kReturnValues) != nullptr) {
    return ValidationError(InEnvelope(kReturnValuesViolation));
  }
  return CheckWriteMembers(decoded.request.table_name, Member::kKey, faults);
}

// What can be told without the table.
Result<void> CheckRequest(Context& context, Decoded<UpdateItemRequest>& decoded, ItemWrite& write) {
  Result<void> ok = CheckMembers(decoded);
  if (ok) ok = InEnvelope(CheckWriteParameters(decoded, Member::kKey));
  if (ok) ok = InEnvelope(decoded.faults.CheckValues(Member::kAttributeUpdates));
  if (!ok) return ok;
  auto updates = write.legacy.BindUpdates(std::move(decoded.request.attribute_updates));
  if (!updates) return std::unexpected(InEnvelope(std::move(updates.error())));
  write.action.update = *std::move(updates);
  return InEnvelope(BindWriteExpressions(context, decoded, write));
}

Result<void> CheckAgainstTable(const catalog::Table& table, const Item& key,
                               const std::optional<expression::Update>& update) {
  Result<void> ok = CheckKey(table.key, key.attributes());
  if (ok && update) ok = CheckUpdate(table, *update);
  return ok;
}

Result<ItemWrite> Prepare(Context& context, Result<Decoded<UpdateItemRequest>> decoded) {
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  ItemWrite write;
  if (Result<void> ok = CheckRequest(context, *decoded, write); !ok) return std::unexpected(std::move(ok.error()));
  UpdateItemRequest& request = decoded->request;
  Result<catalog::TablePtr> table = LookUpTable(context, request.table_name);
  if (!table) return std::unexpected(std::move(table.error()));
  if (Result<void> ok = CheckAgainstTable(**table, request.key, write.action.update); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  write.action.kind = engine::WriteKind::kUpdate;
  write.action.table = *std::move(table);
  write.action.item = std::move(request.key);
  CopyReturnParameters(request, write);
  return write;
}

void Read(RequestReader& reader, UpdateItemRequest& request) {
  request.table_name = reader.TableName();
  request.key = reader.Item("Key", Member::kKey);
  request.attribute_updates = reader.Updates();
  request.expected = reader.Expected();
  request.conditional_operator =
      reader.Enumeration("ConditionalOperator", Member::kConditionalOperator, ParseConditionalOperator);
  request.return_values =
      reader.Enumeration("ReturnValues", Member::kReturnValues, ParseReturnValues).value_or(ReturnValues::kNone);
  request.return_consumed_capacity = reader.Capacity();
  request.return_item_collection_metrics = reader.CollectionMetrics();
  request.update_expression = reader.Text("UpdateExpression");
  request.condition_expression = reader.Text("ConditionExpression");
  request.attributes = reader.Attributes();
  request.return_on_condition_failure = reader.OnConditionFailure();
}

}  // namespace

void UpdateItem(Context& context, UpdateItemRequest request, WriteItemDone done) {
  Decoded<UpdateItemRequest> decoded{std::move(request), {}};
  NoteFaults(decoded.request.key, Member::kKey, decoded.faults);
  NoteFaults(decoded.request.attribute_updates, decoded.faults);
  NoteFaults(decoded.request.expected, decoded.faults);
  NoteFaults(decoded.request.attributes.values, decoded.faults);
  CarryOut(context, Prepare(context, std::move(decoded)), std::move(done));
}

void UpdateItem(Context& context, std::string_view body, Completion done) {
  CarryOutJson(context, Prepare(context, DecodeBody<UpdateItemRequest>(body, Read)), std::move(done));
}

}  // namespace taula::api
