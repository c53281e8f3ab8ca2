#include "api/batch_write_item.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <unordered_set>
#include <utility>

#include "api/accounting.h"
#include "api/batch_tables.h"
#include "api/operations.h"
#include "api/request_reader.h"
#include "api/request_record.h"
#include "api/response_json.h"
#include "api/table_lookup.h"
#include "api/typed_faults.h"
#include "base/limits.h"
#include "engine/index_entries.h"
#include "engine/index_keys.h"
#include "engine/item_size.h"
#include "engine/key_validation.h"

namespace taula::api {
namespace {

using codec::JsonWriter;
using BatchWriteDone = std::move_only_function<void(Result<BatchWriteItemResponse>)>;

const Item& ItemOf(const WriteRequest& write) {
  if (const auto* put = std::get_if<PutRequest>(&write)) return put->item;
  return std::get<DeleteRequest>(write).key;
}

bool IsPut(const WriteRequest& write) { return std::holds_alternative<PutRequest>(write); }

void WriteRequests(JsonWriter& json,
                   const std::vector<std::pair<std::string, std::vector<WriteRequest>>>& request_items) {
  json.BeginObject();
  for (const auto& [table, writes] : request_items) {
    json.Key(table).BeginArray();
    for (const WriteRequest& write : writes) {
      json.BeginObject();
      json.Key(IsPut(write) ? "PutRequest" : "DeleteRequest").BeginObject();
      json.Key(IsPut(write) ? "Item" : "Key").Item(ItemOf(write).attributes());
      json.EndObject();
      json.EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
}

Result<void> CheckMembers(const BatchWriteItemRequest& request, const DecodeFaults& faults) {
  Constraints constraints;
  if (faults.Missing(Member::kRequestItems)) {
    constraints.Missing("requestItems");
  } else if (request.request_items.empty()) {
    constraints.ViolatedUnechoed("RequestItems", LengthAtLeast(1));
  }
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  CheckKnown(faults, Member::kReturnItemCollectionMetrics, constraints);
  constraints.Add(faults.nested());
  for (const auto& [table, writes] : request.request_items) {
    const std::string path = fmt::format("RequestItems.{}.member", table);
    if (writes.empty()) constraints.ViolatedUnechoed(path, LengthAtLeast(1));
    if (writes.size() > base::kBatchWriteItemsMax) {
      constraints.ViolatedUnechoed(path, LengthAtMost(base::kBatchWriteItemsMax));
    }
  }
  return constraints.Check();
}

Result<void> CheckTableNames(const BatchWriteItemRequest& request) {
  for (const auto& [table, writes] : request.request_items) {
    if (IsBatchTableName(table)) continue;
    std::string echo;
    JsonWriter json(echo);
    WriteRequests(json, request.request_items);
    Constraints constraints;
    AddBadTableName(echo, constraints);
    return constraints.Check();
  }
  return {};
}

Result<void> CheckSizes(const BatchWriteItemRequest& request) {
  std::size_t count = 0;
  for (const auto& [table, writes] : request.request_items) count += writes.size();
  if (count > base::kBatchWriteItemsMax) return ValidationError("Too many items requested for the BatchWriteItem call");
  for (const auto& [table, writes] : request.request_items) {
    for (const WriteRequest& write : writes) {
      if (!IsPut(write)) continue;
      if (Result<void> ok = engine::CheckItemSize(ItemOf(write)); !ok) return ok;
    }
  }
  return {};
}

Result<void> CheckKeys(const catalog::Table& table, const std::vector<WriteRequest>& writes) {
  for (const WriteRequest& write : writes) {
    const Item& item = ItemOf(write);
    Result<void> ok;
    if (IsPut(write)) {
      ok = engine::CheckBatchItemKey(table.key, item.attributes());
      if (ok) ok = engine::CheckIndexKeys(table, item.view());
    } else {
      ok = engine::CheckKey(table.key, item.attributes());
    }
    if (!ok) return ok;
  }
  std::unordered_set<std::string> seen;
  for (const WriteRequest& write : writes) {
    if (!seen.insert(engine::ItemStoreKey(table, ItemOf(write).view())).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

// The tables, in the order of the request.
Result<std::vector<catalog::TablePtr>> Prepare(Context& context, const BatchWriteItemRequest& request,
                                               const DecodeFaults& faults) {
  Result<void> ok = CheckMembers(request, faults);
  if (ok) ok = CheckTableNames(request);
  if (ok) ok = faults.CheckValues(Member::kRequestItems);
  if (ok) ok = CheckSizes(request);
  if (!ok) return std::unexpected(std::move(ok.error()));
  std::vector<catalog::TablePtr> tables;
  for (const auto& [name, writes] : request.request_items) {
    Result<catalog::TablePtr> table = LookUpTable(context, name);
    if (!table) return std::unexpected(std::move(table.error()));
    tables.push_back(*std::move(table));
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (ok) ok = CheckKeys(*tables[i], request.request_items[i].second);
  }
  if (!ok) return std::unexpected(std::move(ok.error()));
  return tables;
}

// Writes that are under way together. Kept by the last one that ends.
class Batch : public std::enable_shared_from_this<Batch> {
 public:
  Batch(BatchWriteItemRequest request, std::vector<catalog::TablePtr> tables, BatchWriteDone done)
      : request_(std::move(request)), tables_(std::move(tables)), done_(std::move(done)) {}

  void Start(const Context& context) {
    std::size_t count = 0;
    for (const auto& [table, writes] : request_.request_items) count += writes.size();
    outcomes_.resize(count);
    pending_ = count;
    std::size_t index = 0;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      for (const WriteRequest& write : request_.request_items[i].second) {
        if (context.record != nullptr && context.record->LeavesItem(*tables_[i])) {
          End(index++, Fail(ErrorCode::kProvisionedThroughputExceededException, ""));
          continue;
        }
        context.engine.Write(ActionFor(i, write),
                             [self = shared_from_this(), index](Result<engine::WriteOutcome> outcome) {
                               self->End(index, std::move(outcome));
                             });
        ++index;
      }
    }
  }

 private:
  void End(std::size_t index, Result<engine::WriteOutcome> outcome) {
    outcomes_[index] = std::move(outcome);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) Finish();
  }

  [[nodiscard]] bool wants_collections(std::size_t table) const {
    return request_.return_item_collection_metrics == ReturnItemCollectionMetrics::kSize &&
           tables_[table]->has_local_indexes();
  }

  // Copies the item, which goes back to the client when it cannot be written.
  [[nodiscard]] engine::WriteAction ActionFor(std::size_t table, const WriteRequest& write) const {
    engine::WriteAction action;
    action.kind = IsPut(write) ? engine::WriteKind::kPut : engine::WriteKind::kDelete;
    action.table = tables_[table];
    action.item = ItemOf(write);
    action.report_collection_size = wants_collections(table);
    return action;
  }

  void Finish() {
    BatchWriteItemResponse response;
    const Error* transient = nullptr;
    bool any_written = false;
    std::size_t index = 0;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      auto& [name, writes] = request_.request_items[i];
      std::vector<WriteRequest> unprocessed;
      for (WriteRequest& write : writes) {
        Result<engine::WriteOutcome>& outcome = outcomes_[index++];
        if (outcome) {
          any_written = true;
          Report(i, write, *outcome, response);
        } else if (IsTransient(outcome.error())) {
          transient = &outcome.error();
          unprocessed.push_back(std::move(write));
        } else {
          return done_(std::unexpected(std::move(outcome.error())));
        }
      }
      if (!unprocessed.empty()) response.unprocessed_items.emplace_back(name, std::move(unprocessed));
    }
    if (!any_written && transient != nullptr) return done_(std::unexpected(*transient));
    done_(std::move(response));
  }

  void Report(std::size_t table, const WriteRequest& write, const engine::WriteOutcome& outcome,
              BatchWriteItemResponse& response) const {
    if (request_.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
      AddCapacity(response.consumed_capacity, outcome.capacity);
    }
    if (wants_collections(table)) {
      AddCollectionMetrics(response.item_collection_metrics, request_.request_items[table].first,
                           CollectionMetrics(CollectionKeyOf(*tables_[table], ItemOf(write).view()),
                                             outcome.collection_bytes.value_or(0)));
    }
  }

  BatchWriteItemRequest request_;
  std::vector<catalog::TablePtr> tables_;
  BatchWriteDone done_;
  std::vector<Result<engine::WriteOutcome>> outcomes_;
  std::atomic<std::size_t> pending_ = 0;
};

void Run(Context& context, Decoded<BatchWriteItemRequest> decoded, BatchWriteDone done) {
  Result<std::vector<catalog::TablePtr>> tables = Prepare(context, decoded.request, decoded.faults);
  if (!tables) return done(std::unexpected(std::move(tables.error())));
  std::make_shared<Batch>(std::move(decoded.request), *std::move(tables), std::move(done))->Start(context);
}

void ReadOne(const codec::JsonValue& json, RequestReader& reader, std::vector<WriteRequest>& writes) {
  const auto members = json.Struct("WriteRequest");
  const auto put = members ? (*members)["PutRequest"].Struct("PutRequest") : std::nullopt;
  const auto del = members ? (*members)["DeleteRequest"].Struct("DeleteRequest") : std::nullopt;
  DecodeFaults& faults = reader.faults();
  if (put && del) faults.AddInvalidValue(Member::kRequestItems, codec::SeveralDatatypesFault());
  if (!put && !del) faults.AddInvalidValue(Member::kRequestItems, codec::NoDatatypeFault());
  std::optional<codec::ValueFault> fault;
  if (put) {
    writes.emplace_back(PutRequest{(*put)["Item"].Item(fault, codec::ValueWording::kOlder).value_or(Item())});
  } else {
    const codec::JsonValue key = del ? (*del)["Key"] : json;
    writes.emplace_back(DeleteRequest{del ? key.Item(fault, codec::ValueWording::kOlder).value_or(Item()) : Item()});
  }
  faults.AddInvalidValue(Member::kRequestItems, std::move(fault));
}

void Read(RequestReader& reader, BatchWriteItemRequest& request) {
  const auto tables = reader.body()["RequestItems"].Map("WriteRequest");
  if (!tables) reader.faults().AddMissing(Member::kRequestItems);
  if (tables) {
    for (const auto& [table, json] : *tables) {
      std::vector<WriteRequest> writes;
      if (const auto list = json.List()) {
        for (const codec::JsonValue write : *list) ReadOne(write, reader, writes);
      }
      request.request_items.emplace_back(table, std::move(writes));
    }
  }
  request.return_consumed_capacity = reader.Capacity();
  request.return_item_collection_metrics = reader.CollectionMetrics();
}

std::string ResponseJson(const BatchWriteItemResponse& response, ReturnConsumedCapacity detail) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("UnprocessedItems");
  WriteRequests(json, response.unprocessed_items);
  if (!response.item_collection_metrics.empty()) {
    json.Key("ItemCollectionMetrics");
    WriteCollectionMetrics(json, response.item_collection_metrics);
  }
  if (detail != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacities(json, response.consumed_capacity, detail);
  }
  json.EndObject();
  return out;
}

}  // namespace

void BatchWriteItem(Context& context, BatchWriteItemRequest request, BatchWriteDone done) {
  Decoded<BatchWriteItemRequest> decoded{std::move(request), {}};
  for (const auto& [table, writes] : decoded.request.request_items) {
    for (const WriteRequest& write : writes) NoteFaults(ItemOf(write), Member::kRequestItems, decoded.faults);
  }
  Run(context, std::move(decoded), std::move(done));
}

void BatchWriteItem(Context& context, std::string_view body, Completion done) {
  Result<Decoded<BatchWriteItemRequest>> decoded =
      DecodeBody<BatchWriteItemRequest>(body, Read, codec::ValueWording::kOlder);
  if (!decoded) return done(std::unexpected(std::move(decoded.error())));
  const ReturnConsumedCapacity detail = decoded->request.return_consumed_capacity;
  Run(context, *std::move(decoded), [detail, done = std::move(done)](Result<BatchWriteItemResponse> response) mutable {
    if (!response) return done(std::unexpected(std::move(response.error())));
    done(ResponseJson(*response, detail));
  });
}

}  // namespace taula::api
