#include "api/get_item.h"

#include <utility>

#include "api/accounting.h"
#include "api/key_paths.h"
#include "api/operations.h"
#include "api/read_projection.h"
#include "api/request_reader.h"
#include "api/response_json.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"
#include "engine/key_validation.h"
#include "engine/units.h"

namespace taula::api {
namespace {

// Most answers take less than this and one and a half times the item's size:
// one allocation, and for small items one of those that malloc has at hand.
constexpr std::size_t kJsonBytesBeside = 256;

struct PreparedGet {
  catalog::TablePtr table;
  MaybeProjection projection;
};

Result<void> CheckMembers(const GetItemRequest& request, const DecodeFaults& faults) {
  if (Result<void> ok = CheckTableNameNotEmpty(request.table_name, faults); !ok) return ok;
  Constraints constraints;
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  CheckTableName(request.table_name, faults, constraints);
  if (faults.Missing(Member::kKey)) constraints.Missing("key");
  CheckAttributesToGet(request.attributes_to_get, "attributesToGet", constraints);
  return constraints.Check();
}

Result<void> CheckRequest(Context& context, const GetItemRequest& request, const DecodeFaults& faults,
                          PreparedGet& get) {
  Result<void> ok = CheckMembers(request, faults);
  if (ok) {
    ok = CheckNotMixed({{"AttributesToGet", request.attributes_to_get.has_value()}},
                       {{"ProjectionExpression", request.projection_expression.has_value()}});
  }
  if (ok) ok = CheckPlaceholdersAllowed(request.attributes, request.projection_expression.has_value(), true);
  if (ok) ok = faults.CheckValues(Member::kKey);
  if (!ok) return ok;
  Result<MaybeProjection> projection =
      request.attributes_to_get ? BindAttributesToGet(request.attributes_to_get)
                                : BindReadProjection(context, request.projection_expression, request.attributes.names);
  if (!projection) return std::unexpected(std::move(projection.error()));
  get.projection = *std::move(projection);
  return {};
}

Result<PreparedGet> Prepare(Context& context, const GetItemRequest& request, const DecodeFaults& faults) {
  PreparedGet get;
  if (Result<void> ok = CheckRequest(context, request, faults, get); !ok) return std::unexpected(std::move(ok.error()));
  Result<catalog::TablePtr> table = LookUpTable(context, request.table_name);
  if (!table) return std::unexpected(std::move(table.error()));
  get.table = *std::move(table);
  Result<void> ok = engine::CheckKey(get.table->key, request.key.attributes());
  if (ok && get.projection) ok = CheckKeyPaths(*get.table, *get.projection);
  if (!ok) return std::unexpected(std::move(ok.error()));
  return get;
}

engine::Consistency ConsistencyOf(const GetItemRequest& request) {
  return request.consistent_read ? engine::Consistency::kStrong : engine::Consistency::kEventual;
}

ConsumedCapacity CapacityOf(const PreparedGet& get, const GetItemRequest& request, std::size_t bytes) {
  return TableReadCapacity(*get.table, engine::ReadUnits(bytes, request.consistent_read));
}

void Read(RequestReader& reader, GetItemRequest& request) {
  request.table_name = reader.TableName();
  request.key = reader.Item("Key", Member::kKey);
  request.attributes_to_get = reader.AttributesToGet();
  request.consistent_read = reader.Flag("ConsistentRead", false);
  request.return_consumed_capacity = reader.Capacity();
  request.projection_expression = reader.Text("ProjectionExpression");
  request.attributes.names = reader.Names();
}

Result<std::string> GetJson(Context& context, std::string_view body) {
  const Result<Decoded<GetItemRequest>> decoded = DecodeBody<GetItemRequest>(body, Read);
  if (!decoded) return std::unexpected(decoded.error());
  const GetItemRequest& request = decoded->request;
  const Result<PreparedGet> get = Prepare(context, request, decoded->faults);
  if (!get) return std::unexpected(get.error());

  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  std::size_t bytes = 0;
  const Result<void> read =
      context.engine.Get(*get->table, request.key, ConsistencyOf(request), [&](const engine::StoredItem& found) {
        bytes = found.size;
        if (!get->projection) out.reserve(kJsonBytesBeside + found.size + found.size / 2);
        std::string scratch;
        json.Key("Item");
        WriteProjected(json, get->projection, found.item, scratch);
      });
  if (!read) return std::unexpected(read.error());
  if (request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacity(json, CapacityOf(*get, request, bytes), request.return_consumed_capacity);
  }
  json.EndObject();
  return out;
}

}  // namespace

Result<GetItemResponse> GetItem(Context& context, const GetItemRequest& request) {
  DecodeFaults faults;
  NoteFaults(request.key, Member::kKey, faults);
  const Result<PreparedGet> get = Prepare(context, request, faults);
  if (!get) return std::unexpected(get.error());
  GetItemResponse response;
  std::size_t bytes = 0;
  const Result<void> read =
      context.engine.Get(*get->table, request.key, ConsistencyOf(request), [&](const engine::StoredItem& found) {
        bytes = found.size;
        response.item = ProjectItem(get->projection, found.item);
      });
  if (!read) return std::unexpected(read.error());
  if (request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    response.consumed_capacity = CapacityOf(*get, request, bytes);
  }
  return response;
}

void GetItem(Context& context, std::string_view body, Completion done) { done(GetJson(context, body)); }

}  // namespace taula::api
