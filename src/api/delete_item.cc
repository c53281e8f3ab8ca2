#include "api/delete_item.h"

#include <utility>

#include "api/operations.h"
#include "engine/key_validation.h"

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
  return PrepareWrite(
      context, engine::WriteKind::kDelete, std::move(decoded),
      [&](Decoded<DeleteItemRequest>& request, ItemWrite& write) { return CheckRequest(context, request, write); },
      [](const catalog::Table& table, const DeleteItemRequest& request, const ItemWrite&) {
        return engine::CheckKey(table.key, request.key.attributes());
      });
}

}  // namespace

void DeleteItem(Context& context, DeleteItemRequest request, WriteItemDone done) {
  CarryOut(context, Prepare(context, WithWriteFaults(std::move(request))), std::move(done));
}

void DeleteItem(Context& context, std::string_view body, Completion done) {
  auto decoded = DecodeBody<DeleteItemRequest>(body, ReadWriteMembers<DeleteItemRequest>);
  CarryOutJson(context, Prepare(context, std::move(decoded)), std::move(done));
}

}  // namespace taula::api
