#include "api/put_item.h"

#include <utility>

#include "api/operations.h"
#include "api/write_checks.h"
#include "engine/item_size.h"

namespace taula::api {
namespace {

// What can be told without the table.
Result<void> CheckRequest(Context& context, Decoded<PutItemRequest>& decoded, ItemWrite& write) {
  PutItemRequest& request = decoded.request;
  Result<void> ok = CheckWriteMembers(request.table_name, Member::kItem, decoded.faults);
  if (ok) ok = InEnvelope(CheckWriteParameters(decoded, Member::kItem));
  if (ok) ok = InEnvelope(CheckReturnsOldOnly(request.return_values));
  if (ok) ok = engine::CheckItemSize(request.item);
  if (ok) ok = InEnvelope(BindWriteExpressions(context, decoded, write));
  return ok;
}

Result<ItemWrite> Prepare(Context& context, Result<Decoded<PutItemRequest>> decoded) {
  return PrepareWrite(
      context, engine::WriteKind::kPut, std::move(decoded),
      [&](Decoded<PutItemRequest>& request, ItemWrite& write) { return CheckRequest(context, request, write); },
      [](const catalog::Table& table, const PutItemRequest& request, const ItemWrite&) {
        return CheckPut(table, request.item);
      });
}

}  // namespace

void PutItem(Context& context, PutItemRequest request, WriteItemDone done) {
  CarryOut(context, Prepare(context, WithWriteFaults(std::move(request))), std::move(done));
}

void PutItem(Context& context, std::string_view body, Completion done) {
  auto decoded = DecodeBody<PutItemRequest>(body, ReadWriteMembers<PutItemRequest>);
  CarryOutJson(context, Prepare(context, std::move(decoded)), std::move(done));
}

}  // namespace taula::api
