#include "api/transact_get_items.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "api/enumerations.h"
#include "api/key_paths.h"
#include "api/operations.h"
#include "api/read_projection.h"
#include "api/read_together.h"
#include "api/request_reader.h"
#include "api/response_json.h"
#include "api/table_lookup.h"
#include "api/transact_members.h"
#include "api/typed_faults.h"
#include "engine/index_entries.h"
#include "engine/key_validation.h"

namespace taula::api {
namespace {

struct DecodedGets {
  TransactGetItemsRequest request;
  DecodeFaults faults;                   // of the request itself
  std::vector<DecodeFaults> get_faults;  // one for each get
};

struct PreparedGet {
  catalog::TablePtr table;
  const Item* key = nullptr;
  MaybeProjection projection;
};

Result<void> CheckMembers(const DecodedGets& decoded) {
  const std::vector<TransactGet>& gets = decoded.request.gets;
  Constraints constraints;
  CheckTransactItems(gets.size(), decoded.faults, constraints);
  CheckKnown(decoded.faults, Member::kReturnConsumedCapacity, constraints);
  for (std::size_t i = 0; i < gets.size(); ++i) {
    CheckTransactTarget({i + 1, "get"}, gets[i].table_name, Member::kKey, decoded.get_faults[i], constraints);
  }
  constraints.Add(decoded.faults.nested());
  return constraints.Check();
}

Result<MaybeProjection> BindProjection(Context& context, const TransactGet& get) {
  if (Result<void> ok =
          CheckPlaceholdersAllowed({get.names, std::nullopt}, get.projection_expression.has_value(), true);
      !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  return BindReadProjection(context, get.projection_expression, get.names);
}

// A key that is not one of its table cancels the transaction.
Result<void> CheckKeys(const std::vector<PreparedGet>& gets) {
  std::vector<CancellationReason> reasons(gets.size());
  std::unordered_set<std::string> seen;
  bool cancelled = false;
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const catalog::Table& table = *gets[i].table;
    Result<void> ok = engine::CheckKey(table.key, gets[i].key->attributes());
    if (ok && !seen.insert(engine::ItemStoreKey(table, gets[i].key->view())).second) {
      return NamesOneItemTwice();
    }
    if (ok && gets[i].projection) ok = CheckKeyPaths(table, *gets[i].projection);
    if (!ok) {
      reasons[i] = {.code = "ValidationError", .message = std::move(ok.error().message), .item = std::nullopt};
      cancelled = true;
    }
  }
  if (!cancelled) return {};
  return std::unexpected(engine::TransactionCancelled(std::move(reasons)));
}

// Refers to the request.
Result<std::vector<PreparedGet>> Prepare(Context& context, const DecodedGets& decoded) {
  Result<void> ok = CheckMembers(decoded);
  if (!ok) return std::unexpected(std::move(ok.error()));
  std::vector<PreparedGet> gets;
  for (std::size_t i = 0; i < decoded.request.gets.size(); ++i) {
    const TransactGet& get = decoded.request.gets[i];
    Result<MaybeProjection> projection = BindProjection(context, get);
    if (!projection) return std::unexpected(std::move(projection.error()));
    ok = decoded.get_faults[i].CheckValues(Member::kKey);
    if (!ok) return std::unexpected(std::move(ok.error()));
    gets.push_back({.table = nullptr, .key = &get.key, .projection = *std::move(projection)});
  }
  for (std::size_t i = 0; i < gets.size(); ++i) {
    Result<catalog::TablePtr> table = LookUpTable(context, decoded.request.gets[i].table_name);
    if (!table) return std::unexpected(std::move(table.error()));
    gets[i].table = *std::move(table);
  }
  ok = CheckKeys(gets);
  if (!ok) return std::unexpected(std::move(ok.error()));
  return gets;
}

Result<DecodedGets> Decode(std::string_view body) {
  const Result<codec::JsonStruct> json = ParseBody(body);
  if (!json) return std::unexpected(json.error());
  DecodedGets decoded;
  RequestReader reader(*json, decoded.faults, codec::ValueWording::kCurrent);
  const auto items = (*json)["TransactItems"].List();
  if (!items) decoded.faults.AddMissing(Member::kTransactItems);
  if (items) {
    std::size_t number = 0;
    for (const codec::JsonValue item : *items) {
      ++number;
      const auto element = item.Struct("TransactGetItem");
      const auto members = element ? (*element)["Get"].Struct("Get") : std::nullopt;
      if (!members) {
        decoded.faults.nested().Missing(fmt::format("transactItems.{}.member.get", number));
        continue;
      }
      RequestReader get_reader(*members, decoded.get_faults.emplace_back(), codec::ValueWording::kCurrent);
      TransactGet& get = decoded.request.gets.emplace_back();
      get.key = get_reader.Item("Key", Member::kKey);
      get.table_name = get_reader.TableName();
      get.projection_expression = get_reader.Text("ProjectionExpression");
      get.names = get_reader.Names();
    }
  }
  decoded.request.return_consumed_capacity = reader.Capacity();
  if (json->failed()) return std::unexpected(json->TakeError());
  return decoded;
}

// One element of Responses. A projection that leaves nothing of an item is
// answered as if there were none.
void WriteResponse(codec::JsonWriter& json, const std::optional<Item>& item) {
  json.BeginObject();
  if (item) json.Key("Item").Item(item->attributes());
  json.EndObject();
}

Result<TransactGetItemsResponse> Run(Context& context, const DecodedGets& decoded) {
  const Result<std::vector<PreparedGet>> gets = Prepare(context, decoded);
  if (!gets) return std::unexpected(gets.error());
  TransactGetItemsResponse response;
  response.items.resize(gets->size());
  std::vector<engine::KeyInTable> keys;
  keys.reserve(gets->size());
  for (const PreparedGet& get : *gets) keys.push_back({get.table.get(), get.key});
  Result<std::vector<ConsumedCapacity>> capacities =
      ReadTogether(context, keys, [&](std::size_t index, ValueView item) {
        const MaybeProjection& projection = (*gets)[index].projection;
        Item projected = ProjectItem(projection, item);
        if (!projection || !projected.empty()) response.items[index] = std::move(projected);
      });
  if (!capacities) return std::unexpected(std::move(capacities.error()));
  if (decoded.request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    response.consumed_capacity = *std::move(capacities);
  }
  return response;
}

Result<std::string> GetJson(Context& context, std::string_view body) {
  const Result<DecodedGets> decoded = Decode(body);
  if (!decoded) return std::unexpected(decoded.error());
  const Result<TransactGetItemsResponse> response = Run(context, *decoded);
  if (!response) return std::unexpected(response.error());
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("Responses").BeginArray();
  for (const std::optional<Item>& item : response->items) WriteResponse(json, item);
  json.EndArray();
  const ReturnConsumedCapacity detail = decoded->request.return_consumed_capacity;
  if (detail != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacities(json, response->consumed_capacity, detail, CapacityForm::kTransaction);
  }
  json.EndObject();
  return out;
}

}  // namespace

Result<TransactGetItemsResponse> TransactGetItems(Context& context, const TransactGetItemsRequest& request) {
  DecodedGets decoded{request, {}, {}};
  for (const TransactGet& get : request.gets) NoteFaults(get.key, Member::kKey, decoded.get_faults.emplace_back());
  return Run(context, decoded);
}

void TransactGetItems(Context& context, std::string_view body, Completion done) { done(GetJson(context, body)); }

}  // namespace taula::api
