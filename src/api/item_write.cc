#include "api/item_write.h"

#include "api/accounting.h"
#include "api/enumerations.h"
#include "api/response_json.h"
#include "api/table_lookup.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

std::string WriteItemJson(const WriteItemResponse& response, ReturnConsumedCapacity detail) {
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  if (response.attributes) json.Key("Attributes").Item(response.attributes->attributes());
  if (response.consumed_capacity) {
    json.Key("ConsumedCapacity");
    WriteCapacity(json, *response.consumed_capacity, detail);
  }
  if (response.item_collection_metrics) {
    json.Key("ItemCollectionMetrics");
    WriteCollectionMetrics(json, *response.item_collection_metrics);
  }
  json.EndObject();
  return out;
}

}  // namespace

void CarryOut(Context& context, Result<ItemWrite> write, WriteItemDone done) {
  if (!write) return done(std::unexpected(std::move(write.error())));
  ItemWrite& ready = *write;
  const bool wants_capacity = ready.return_consumed_capacity != ReturnConsumedCapacity::kNone;
  std::optional<Item> collection;
  if (ready.return_item_collection_metrics == ReturnItemCollectionMetrics::kSize &&
      ready.action.table->has_local_indexes()) {
    ready.action.report_collection_size = true;
    collection = CollectionKeyOf(*ready.action.table, ready.action.item.view());
  }
  context.engine.Write(std::move(ready.action),
                       [wants_capacity, collection = std::move(collection), attributes = std::move(ready.attributes),
                        expected = std::move(ready.expected), updates = std::move(ready.attribute_updates),
                        done = std::move(done)](Result<engine::WriteOutcome> outcome) mutable {
                         if (!outcome) return done(std::unexpected(std::move(outcome.error())));
                         WriteItemResponse response;
                         response.attributes = std::move(outcome->attributes);
                         if (wants_capacity) response.consumed_capacity = std::move(outcome->capacity);
                         if (collection) {
                           response.item_collection_metrics =
                               CollectionMetrics(*std::move(collection), outcome->collection_bytes.value_or(0));
                         }
                         done(std::move(response));
                       });
}

void CarryOutJson(Context& context, Result<ItemWrite> write, Completion done) {
  const ReturnConsumedCapacity detail = write ? write->return_consumed_capacity : ReturnConsumedCapacity::kNone;
  CarryOut(context, std::move(write), [detail, done = std::move(done)](Result<WriteItemResponse> response) mutable {
    if (!response) return done(std::unexpected(std::move(response.error())));
    done(WriteItemJson(*response, detail));
  });
}

Result<void> CheckWriteMembers(const std::string& table_name, Member item, const DecodeFaults& faults) {
  if (Result<void> ok = CheckTableNameNotEmpty(table_name, faults); !ok) return ok;
  Constraints constraints;
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  CheckTableName(table_name, faults, constraints);
  if (faults.Missing(item)) constraints.Missing(item == Member::kItem ? "item" : "key");
  if (faults.Unknown(Member::kConditionalOperator) != nullptr) {
    constraints.Add(std::string(kConditionalOperatorViolation));
  }
  constraints.Add(faults.nested());
  if (faults.Unknown(Member::kReturnValues) != nullptr) constraints.Add(std::string(kReturnValuesViolation));
  CheckKnown(faults, Member::kReturnItemCollectionMetrics, constraints);
  CheckKnown(faults, Member::kReturnValuesOnConditionCheckFailure, constraints);
  return constraints.Check();
}

Result<void> CheckReturnsOldOnly(ReturnValues return_values) {
  if (return_values == ReturnValues::kNone || return_values == ReturnValues::kAllOld) return {};
  return ValidationError("ReturnValues can only be ALL_OLD or NONE");
}

}  // namespace taula::api
