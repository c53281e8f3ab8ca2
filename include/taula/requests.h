// The operations on items: what each takes and what it answers. The names are
// DynamoDB's own, and so is the meaning of every member; what is left out of a
// request behaves as a member left out of a JSON request does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "taula/capacity.h"
#include "taula/table.h"
#include "taula/value.h"

namespace taula {

enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class ReturnConsumedCapacity { kNone, kTotal, kIndexes };
enum class ReturnItemCollectionMetrics { kNone, kSize };
enum class ReturnOnConditionFailure { kNone, kAllOld };
enum class Select { kAllAttributes, kAllProjectedAttributes, kSpecificAttributes, kCount };

// The parameters that came before expressions. Kept for old applications.
enum class ComparisonOperator {
  kEq,
  kNe,
  kIn,
  kLe,
  kLt,
  kGe,
  kGt,
  kBetween,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
};
enum class ConditionalOperator { kAnd, kOr };
enum class AttributeAction { kPut, kAdd, kDelete };

struct AttributeCondition {
  ComparisonOperator comparison = ComparisonOperator::kEq;
  std::optional<std::vector<Value>> operands;
};

struct ExpectedAttribute {
  std::optional<Value> value;
  std::optional<bool> exists;
  std::optional<ComparisonOperator> comparison;
  std::optional<std::vector<Value>> operands;
};

struct AttributeUpdate {
  std::optional<Value> value;
  AttributeAction action = AttributeAction::kPut;
};

using AttributeConditions = std::vector<std::pair<std::string, AttributeCondition>>;
using ExpectedAttributes = std::vector<std::pair<std::string, ExpectedAttribute>>;
using AttributeUpdates = std::vector<std::pair<std::string, AttributeUpdate>>;

// ExpressionAttributeNames (#name → attribute) and -Values (:name → value).
using AttributeNames = std::vector<std::pair<std::string, std::string>>;
using AttributeValues = std::vector<std::pair<std::string, Value>>;

struct ExpressionAttributes {
  std::optional<AttributeNames> names;
  std::optional<AttributeValues> values;
};

struct GetItemRequest {
  std::string table_name;
  Item key;
  std::optional<std::string> projection_expression;
  ExpressionAttributes attributes;
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<std::vector<std::string>> attributes_to_get;
};

struct GetItemResponse {
  std::optional<Item> item;
  std::optional<ConsumedCapacity> consumed_capacity;
};

struct PutItemRequest {
  std::string table_name;
  Item item;
  std::optional<std::string> condition_expression;
  ExpressionAttributes attributes;
  ReturnValues return_values = ReturnValues::kNone;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
  std::optional<ExpectedAttributes> expected;
  std::optional<ConditionalOperator> conditional_operator;
};

struct DeleteItemRequest {
  std::string table_name;
  Item key;
  std::optional<std::string> condition_expression;
  ExpressionAttributes attributes;
  ReturnValues return_values = ReturnValues::kNone;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
  std::optional<ExpectedAttributes> expected;
  std::optional<ConditionalOperator> conditional_operator;
};

struct UpdateItemRequest {
  std::string table_name;
  Item key;
  std::optional<std::string> update_expression;
  std::optional<std::string> condition_expression;
  ExpressionAttributes attributes;
  ReturnValues return_values = ReturnValues::kNone;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
  std::optional<AttributeUpdates> attribute_updates;
  std::optional<ExpectedAttributes> expected;
  std::optional<ConditionalOperator> conditional_operator;
};

// What PutItem, DeleteItem and UpdateItem answer.
struct WriteItemResponse {
  std::optional<Item> attributes;
  std::optional<ConsumedCapacity> consumed_capacity;
  std::optional<ItemCollectionMetrics> item_collection_metrics;
};

struct QueryRequest {
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<std::string> key_condition_expression;
  std::optional<std::string> filter_expression;
  std::optional<std::string> projection_expression;
  ExpressionAttributes attributes;
  bool scan_index_forward = true;
  std::optional<std::int64_t> limit;
  std::optional<Item> exclusive_start_key;
  std::optional<Select> select;
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<AttributeConditions> key_conditions;
  std::optional<AttributeConditions> query_filter;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<std::vector<std::string>> attributes_to_get;
};

struct ScanRequest {
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<std::string> filter_expression;
  std::optional<std::string> projection_expression;
  ExpressionAttributes attributes;
  std::optional<std::int64_t> limit;
  std::optional<Item> exclusive_start_key;
  std::optional<std::int64_t> segment;
  std::optional<std::int64_t> total_segments;
  std::optional<Select> select;
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<AttributeConditions> scan_filter;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<std::vector<std::string>> attributes_to_get;
};

// What Query and Scan answer: one page. `last_evaluated_key` is there when the
// page may not be the last.
struct PageResponse {
  std::vector<Item> items;  // empty when only the count was asked for
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  std::optional<Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed_capacity;
};

// The keys to get from one table.
struct KeysAndAttributes {
  std::vector<Item> keys;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> names;
  bool consistent_read = false;
  std::optional<std::vector<std::string>> attributes_to_get;
};

struct BatchGetItemRequest {
  std::vector<std::pair<std::string, KeysAndAttributes>> request_items;  // by table
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchGetItemResponse {
  std::vector<std::pair<std::string, std::vector<Item>>> responses;
  std::vector<std::pair<std::string, KeysAndAttributes>> unprocessed_keys;
  std::vector<ConsumedCapacity> consumed_capacity;
};

struct PutRequest {
  Item item;
};
struct DeleteRequest {
  Item key;
};
using WriteRequest = std::variant<PutRequest, DeleteRequest>;

struct BatchWriteItemRequest {
  std::vector<std::pair<std::string, std::vector<WriteRequest>>> request_items;  // by table
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct BatchWriteItemResponse {
  std::vector<std::pair<std::string, std::vector<WriteRequest>>> unprocessed_items;
  std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>> item_collection_metrics;
  std::vector<ConsumedCapacity> consumed_capacity;
};

struct TransactPut {
  std::string table_name;
  Item item;
  std::optional<std::string> condition_expression;
  ExpressionAttributes attributes;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
};

struct TransactDelete {
  std::string table_name;
  Item key;
  std::optional<std::string> condition_expression;
  ExpressionAttributes attributes;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
};

struct TransactConditionCheck {
  std::string table_name;
  Item key;
  std::string condition_expression;
  ExpressionAttributes attributes;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
};

struct TransactUpdate {
  std::string table_name;
  Item key;
  std::string update_expression;
  std::optional<std::string> condition_expression;
  ExpressionAttributes attributes;
  ReturnOnConditionFailure return_on_condition_failure = ReturnOnConditionFailure::kNone;
};

using TransactWriteAction = std::variant<TransactPut, TransactDelete, TransactConditionCheck, TransactUpdate>;

struct TransactWriteItemsRequest {
  std::vector<TransactWriteAction> actions;
  std::optional<std::string> client_request_token;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct TransactWriteItemsResponse {
  std::vector<ConsumedCapacity> consumed_capacity;
  std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>> item_collection_metrics;
};

struct TransactGet {
  std::string table_name;
  Item key;
  std::optional<std::string> projection_expression;
  std::optional<AttributeNames> names;
};

struct TransactGetItemsRequest {
  std::vector<TransactGet> gets;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactGetItemsResponse {
  std::vector<std::optional<Item>> items;  // one for each get, in order
  std::vector<ConsumedCapacity> consumed_capacity;
};

}  // namespace taula
