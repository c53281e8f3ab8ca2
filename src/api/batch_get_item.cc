#include "api/batch_get_item.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "api/accounting.h"
#include "api/batch_tables.h"
#include "api/key_paths.h"
#include "api/operations.h"
#include "api/read_projection.h"
#include "api/request_reader.h"
#include "api/request_record.h"
#include "api/response_json.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"
#include "base/limits.h"
#include "engine/key_validation.h"
#include "engine/units.h"

namespace taula::api {
namespace {

using codec::JsonWriter;

// What is asked of one table.
struct TableGet {
  catalog::TablePtr table;
  const std::string* name = nullptr;  // as the request has it
  const KeysAndAttributes* wanted = nullptr;
  MaybeProjection projection;
};

void WriteKeys(JsonWriter& json, const KeysAndAttributes& wanted, std::span<const Item> keys) {
  json.BeginObject();
  json.Key("Keys").BeginArray();
  for (const Item& key : keys) json.Item(key.attributes());
  json.EndArray();
  if (wanted.attributes_to_get) {
    json.Key("AttributesToGet").BeginArray();
    for (const std::string& name : *wanted.attributes_to_get) json.String(name);
    json.EndArray();
  }
  if (wanted.consistent_read) json.Key("ConsistentRead").Boolean(true);
  if (wanted.projection_expression) json.Key("ProjectionExpression").String(*wanted.projection_expression);
  if (wanted.names) {
    json.Key("ExpressionAttributeNames").BeginObject();
    for (const auto& [placeholder, name] : *wanted.names) json.Key(placeholder).String(name);
    json.EndObject();
  }
  json.EndObject();
}

std::string RequestItemsJson(const BatchGetItemRequest& request) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  for (const auto& [table, wanted] : request.request_items) {
    json.Key(table);
    WriteKeys(json, wanted, wanted.keys);
  }
  json.EndObject();
  return out;
}

Result<void> CheckMembers(const BatchGetItemRequest& request, const DecodeFaults& faults) {
  Constraints constraints;
  if (faults.Missing(Member::kRequestItems)) {
    constraints.Missing("requestItems");
  } else if (request.request_items.empty()) {
    constraints.ViolatedUnechoed("RequestItems", LengthAtLeast(1));
  }
  for (const auto& [table, wanted] : request.request_items) {
    if (IsBatchTableName(table)) continue;
    AddBadTableName(RequestItemsJson(request), constraints);
    break;
  }
  constraints.Add(faults.nested());
  for (const auto& [table, wanted] : request.request_items) {
    const std::string path = fmt::format("RequestItems.{}.member.Keys", table);
    if (wanted.keys.empty() && faults.nested().empty()) constraints.ViolatedUnechoed(path, LengthAtLeast(1));
    if (wanted.keys.size() > base::kBatchGetItemsMax) {
      constraints.ViolatedUnechoed(path, LengthAtMost(base::kBatchGetItemsMax));
    }
    CheckAttributesToGet(wanted.attributes_to_get, fmt::format("requestItems.{}.member.attributesToGet", table),
                         constraints);
  }
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  return constraints.Check();
}

Result<void> CheckParameters(const BatchGetItemRequest& request) {
  std::size_t keys = 0;
  bool any_names = false;
  bool any_projection = false;
  for (const auto& [table, wanted] : request.request_items) {
    keys += wanted.keys.size();
    any_names = any_names || wanted.attributes_to_get;
    any_projection = any_projection || wanted.projection_expression;
  }
  if (keys > base::kBatchGetItemsMax) return ValidationError("Too many items requested for the BatchGetItem call");
  Result<void> ok = CheckNotMixed({{"AttributesToGet", any_names}}, {{"ProjectionExpression", any_projection}});
  for (const auto& [table, wanted] : request.request_items) {
    if (!ok) break;
    ok = CheckPlaceholdersAllowed({wanted.names, std::nullopt}, wanted.projection_expression.has_value(), true);
  }
  return ok;
}

Result<void> CheckNoDuplicates(const std::vector<Item>& keys) {
  std::unordered_set<std::string_view> seen;
  for (const Item& key : keys) {
    if (!seen.insert(key.encoded()).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

Result<void> BindProjections(Context& context, std::vector<TableGet>& gets) {
  for (TableGet& get : gets) {
    Result<MaybeProjection> projection =
        get.wanted->attributes_to_get
            ? BindAttributesToGet(get.wanted->attributes_to_get)
            : BindReadProjection(context, get.wanted->projection_expression, get.wanted->names);
    if (!projection) return std::unexpected(std::move(projection.error()));
    get.projection = *std::move(projection);
  }
  return {};
}

Result<void> CheckKeys(const TableGet& get) {
  for (const Item& key : get.wanted->keys) {
    if (Result<void> ok = engine::CheckKey(get.table->key, key.attributes()); !ok) return ok;
  }
  return get.projection ? CheckKeyPaths(*get.table, *get.projection) : Result<void>();
}

// Refers to the request.
Result<std::vector<TableGet>> Prepare(Context& context, const BatchGetItemRequest& request,
                                      const DecodeFaults& faults) {
  std::vector<TableGet> gets;
  for (const auto& [table, wanted] : request.request_items) {
    gets.push_back({.table = nullptr, .name = &table, .wanted = &wanted, .projection = std::nullopt});
  }
  Result<void> ok = CheckMembers(request, faults);
  if (ok) ok = CheckParameters(request);
  if (ok) ok = BindProjections(context, gets);
  if (ok) ok = faults.CheckValues(Member::kKey);
  for (const TableGet& get : gets) {
    if (ok) ok = CheckNoDuplicates(get.wanted->keys);
  }
  if (!ok) return std::unexpected(std::move(ok.error()));
  for (TableGet& get : gets) {
    Result<catalog::TablePtr> table = LookUpTable(context, *get.name);
    if (!table) return std::unexpected(std::move(table.error()));
    get.table = *std::move(table);
  }
  for (const TableGet& get : gets) {
    if (ok) ok = CheckKeys(get);
  }
  if (!ok) return std::unexpected(std::move(ok.error()));
  return gets;
}

// How far a batch has come.
class BatchProgress {
 public:
  // Whether what is read now still fits in the answer.
  [[nodiscard]] bool Fits(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ <= base::kBatchBytesMax;
  }
  void HasRead() { any_read_ = true; }
  void WasRefused(Error error) { refusal_ = std::move(error); }

  // A batch of which nothing could be read fails as one.
  [[nodiscard]] Result<void> End() const {
    if (refusal_ && !any_read_) return std::unexpected(*refusal_);
    return {};
  }

 private:
  std::size_t bytes_ = 0;
  bool any_read_ = false;
  std::optional<Error> refusal_;
};

// Shows each item that fits to `sink`. Returns the keys that are left for another
// request, and adds what the others cost.
Result<std::vector<Item>> ReadTable(Context& context, const TableGet& get, BatchProgress& progress,
                                    std::vector<ConsumedCapacity>& capacities,
                                    base::FunctionRef<void(ValueView)> sink) {
  const auto consistency = get.wanted->consistent_read ? engine::Consistency::kStrong : engine::Consistency::kEventual;
  double units = 0;
  std::vector<Item> left;
  bool fits = progress.Fits(0);
  for (const Item& key : get.wanted->keys) {
    const bool leave = context.record != nullptr && context.record->LeavesItem(*get.table);
    if (leave) progress.WasRefused({ErrorCode::kProvisionedThroughputExceededException, "", std::nullopt, {}});
    if (leave || !fits) {
      left.push_back(key);
      continue;
    }
    std::size_t bytes = 0;
    Result<void> read = context.engine.Get(*get.table, key, consistency, [&](const engine::StoredItem& found) {
      bytes = found.size;
      fits = progress.Fits(bytes);
      if (fits) sink(found.item);
    });
    if (!read && !IsTransient(read.error())) return std::unexpected(std::move(read.error()));
    if (!read) progress.WasRefused(std::move(read.error()));
    if (!read || !fits) {
      left.push_back(key);
      continue;
    }
    progress.HasRead();
    units += engine::ReadUnits(bytes, get.wanted->consistent_read);
  }
  if (units > 0) AddCapacity(capacities, TableReadCapacity(*get.table, units));
  return left;
}

void Read(RequestReader& reader, BatchGetItemRequest& request) {
  const auto tables = reader.body()["RequestItems"].Map("KeysAndAttributes");
  if (!tables) reader.faults().AddMissing(Member::kRequestItems);
  if (tables) {
    for (const auto& [table, json] : *tables) {
      const auto members = json.Struct("KeysAndAttributes");
      if (!members) continue;
      RequestReader table_reader(*members, reader.faults(), codec::ValueWording::kCurrent);
      KeysAndAttributes wanted;
      const auto keys = (*members)["Keys"].List();
      if (!keys) reader.faults().nested().Missing(fmt::format("requestItems.{}.member.keys", table));
      if (keys) {
        for (const codec::JsonValue key : *keys) {
          std::optional<codec::ValueFault> fault;
          wanted.keys.push_back(key.Item(fault).value_or(Item()));
          reader.faults().AddInvalidValue(Member::kKey, std::move(fault));
        }
      }
      wanted.attributes_to_get = table_reader.AttributesToGet();
      wanted.consistent_read = table_reader.Flag("ConsistentRead", false);
      wanted.projection_expression = table_reader.Text("ProjectionExpression");
      wanted.names = table_reader.Names();
      request.request_items.emplace_back(table, std::move(wanted));
    }
  }
  request.return_consumed_capacity = reader.Capacity();
}

Result<std::string> GetJson(Context& context, std::string_view body) {
  const Result<Decoded<BatchGetItemRequest>> decoded = DecodeBody<BatchGetItemRequest>(body, Read);
  if (!decoded) return std::unexpected(decoded.error());
  const Result<std::vector<TableGet>> gets = Prepare(context, decoded->request, decoded->faults);
  if (!gets) return std::unexpected(gets.error());

  std::string out;
  std::string scratch;
  JsonWriter json(out);
  BatchProgress progress;
  std::vector<ConsumedCapacity> capacities;
  std::vector<std::vector<Item>> keys_left;
  json.BeginObject();
  json.Key("Responses").BeginObject();
  for (const TableGet& get : *gets) {
    json.Key(*get.name).BeginArray();
    Result<std::vector<Item>> left = ReadTable(context, get, progress, capacities, [&](ValueView item) {
      WriteProjected(json, get.projection, item, scratch);
    });
    if (!left) return std::unexpected(std::move(left.error()));
    json.EndArray();
    keys_left.push_back(*std::move(left));
  }
  if (Result<void> ok = progress.End(); !ok) return std::unexpected(std::move(ok.error()));
  json.EndObject();
  json.Key("UnprocessedKeys").BeginObject();
  for (std::size_t i = 0; i < gets->size(); ++i) {
    const TableGet& get = (*gets)[i];
    if (keys_left[i].empty()) continue;
    json.Key(*get.name);
    WriteKeys(json, *get.wanted, keys_left[i]);
  }
  json.EndObject();
  const ReturnConsumedCapacity detail = decoded->request.return_consumed_capacity;
  if (detail != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacities(json, capacities, detail);
  }
  json.EndObject();
  return out;
}

}  // namespace

Result<BatchGetItemResponse> BatchGetItem(Context& context, const BatchGetItemRequest& request) {
  DecodeFaults faults;
  for (const auto& [table, wanted] : request.request_items) {
    for (const Item& key : wanted.keys) NoteFaults(key, Member::kKey, faults);
  }
  const Result<std::vector<TableGet>> gets = Prepare(context, request, faults);
  if (!gets) return std::unexpected(gets.error());
  BatchGetItemResponse response;
  BatchProgress progress;
  for (const TableGet& get : *gets) {
    std::vector<Item>& items = response.responses.emplace_back(*get.name, std::vector<Item>()).second;
    Result<std::vector<Item>> left = ReadTable(context, get, progress, response.consumed_capacity, [&](ValueView item) {
      items.push_back(ProjectItem(get.projection, item));
    });
    if (!left) return std::unexpected(std::move(left.error()));
    if (left->empty()) continue;
    KeysAndAttributes rest = *get.wanted;
    rest.keys = *std::move(left);
    response.unprocessed_keys.emplace_back(*get.name, std::move(rest));
  }
  if (Result<void> ok = progress.End(); !ok) return std::unexpected(std::move(ok.error()));
  if (request.return_consumed_capacity == ReturnConsumedCapacity::kNone) response.consumed_capacity.clear();
  return response;
}

void BatchGetItem(Context& context, std::string_view body, Completion done) { done(GetJson(context, body)); }

}  // namespace taula::api
