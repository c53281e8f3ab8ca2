#include "api/update_item.h"

#include <utility>

#include "api/operations.h"
#include "api/typed_faults.h"
#include "api/write_checks.h"

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
  write.attribute_updates = std::move(decoded.request.attribute_updates);
  auto updates = expression::BindUpdates(write.attribute_updates);
  if (!updates) return std::unexpected(InEnvelope(std::move(updates.error())));
  write.action.update = *std::move(updates);
  return InEnvelope(BindWriteExpressions(context, decoded, write));
}

Result<ItemWrite> Prepare(Context& context, Result<Decoded<UpdateItemRequest>> decoded) {
  return PrepareWrite(
      context, engine::WriteKind::kUpdate, std::move(decoded),
      [&](Decoded<UpdateItemRequest>& request, ItemWrite& write) { return CheckRequest(context, request, write); },
      [](const catalog::Table& table, const UpdateItemRequest& request, const ItemWrite& write) {
        return CheckUpdate(table, request.key, write.action.update);
      });
}

void Read(RequestReader& reader, UpdateItemRequest& request) {
  ReadWriteMembers(reader, request);
  request.attribute_updates = reader.Updates();
  request.update_expression = reader.Text("UpdateExpression");
}

}  // namespace

void UpdateItem(Context& context, UpdateItemRequest request, WriteItemDone done) {
  Decoded<UpdateItemRequest> decoded = WithWriteFaults(std::move(request));
  NoteFaults(decoded.request.attribute_updates, decoded.faults);
  CarryOut(context, Prepare(context, std::move(decoded)), std::move(done));
}

void UpdateItem(Context& context, std::string_view body, Completion done) {
  CarryOutJson(context, Prepare(context, DecodeBody<UpdateItemRequest>(body, Read)), std::move(done));
}

}  // namespace taula::api
