#include "api/transact_write_items.h"

#include <utility>

#include "api/accounting.h"
#include "api/enumerations.h"
#include "api/expression_parameters.h"
#include "api/fingerprint.h"
#include "api/operations.h"
#include "api/request_record.h"
#include "api/response_json.h"
#include "api/table_lookup.h"
#include "api/transact_members.h"
#include "api/transact_write_reader.h"
#include "api/write_checks.h"
#include "engine/item_size.h"

namespace taula::api {
namespace {

using TransactWriteDone = std::move_only_function<void(Result<TransactWriteItemsResponse>)>;

// What one action of any kind has, for checks that do not care which it is.
struct ActionView {
  engine::WriteKind kind;
  std::string_view name;  // in paths of messages
  std::string* table_name;
  Item* item;  // or key
  std::optional<std::string_view> condition;
  std::optional<std::string_view> update;
  ExpressionAttributes* attributes;
  ReturnOnConditionFailure return_on_condition_failure;

  [[nodiscard]] Member item_member() const { return kind == engine::WriteKind::kPut ? Member::kItem : Member::kKey; }
};

ActionView ViewOf(TransactWriteAction& action) {
  using engine::WriteKind;
  struct Visitor {
    ActionView operator()(TransactPut& put) const {
      return {WriteKind::kPut,          "put",        &put.table_name, &put.item,
              put.condition_expression, std::nullopt, &put.attributes, put.return_on_condition_failure};
    }
    ActionView operator()(TransactDelete& del) const {
      return {WriteKind::kDelete,       "delete",     &del.table_name, &del.key,
              del.condition_expression, std::nullopt, &del.attributes, del.return_on_condition_failure};
    }
    ActionView operator()(TransactConditionCheck& check) const {
      return {WriteKind::kConditionCheck, "conditionCheck", &check.table_name, &check.key,
              check.condition_expression, std::nullopt,     &check.attributes, check.return_on_condition_failure};
    }
    ActionView operator()(TransactUpdate& update) const {
      return {WriteKind::kUpdate,          "update",
              &update.table_name,          &update.key,
              update.condition_expression, update.update_expression,
              &update.attributes,          update.return_on_condition_failure};
    }
  };
  return std::visit(Visitor{}, action);
}

Result<void> CheckMembers(const DecodedTransaction& decoded, const std::vector<ActionView>& views) {
  const TransactWriteItemsRequest& request = decoded.request;
  if (Result<void> ok = CheckTokenNotTooLong(request.client_request_token); !ok) return ok;
  Constraints constraints;
  CheckTransactItems(views.size(), decoded.faults, constraints);
  CheckTokenNotEmpty(request.client_request_token, constraints);
  CheckKnown(decoded.faults, Member::kReturnConsumedCapacity, constraints);
  CheckKnown(decoded.faults, Member::kReturnItemCollectionMetrics, constraints);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const DecodeFaults& faults = decoded.action_faults[i];
    const ActionPath path{i + 1, views[i].name};
    CheckTransactTarget(path, *views[i].table_name, views[i].item_member(), faults, constraints);
    if (faults.Missing(Member::kUpdateExpression)) constraints.Missing(path.To("updateExpression"));
    if (faults.Missing(Member::kConditionExpression)) constraints.Missing(path.To("conditionExpression"));
    if (const std::string* text = faults.Unknown(Member::kReturnValuesOnConditionCheckFailure)) {
      constraints.Violated(path.To("returnValuesOnConditionCheckFailure"), *text,
                           IsOneOf(kReturnOnConditionFailureSet));
    }
  }
  return constraints.Check();
}

Result<void> BindExpressions(Context& context, const ActionView& view, const DecodeFaults& faults,
                             engine::WriteAction& action) {
  const codec::ValueFault* const item_fault = faults.InvalidValue(view.item_member());
  if (item_fault != nullptr && item_fault->kind == codec::ValueFault::Kind::kEmptyAttributeName) {
    return ValidationError(item_fault->message);
  }
  const bool any = view.condition || view.update;
  Result<void> ok = CheckPlaceholdersAllowed(*view.attributes, any, any);
  ExpressionBinder binder(context);
  if (ok) ok = binder.AddPlaceholders(*view.attributes, nullptr);
  if (!ok) return ok;
  Result<expression::SyntaxPtr> update_syntax = binder.Parse(expression::ExpressionKind::kUpdate, view.update);
  if (!update_syntax) return std::unexpected(std::move(update_syntax.error()));
  Result<expression::SyntaxPtr> condition_syntax = binder.Parse(expression::ExpressionKind::kCondition, view.condition);
  if (!condition_syntax) return std::unexpected(std::move(condition_syntax.error()));
  ok = faults.CheckValues(view.item_member());
  if (ok) ok = faults.CheckValues(Member::kExpressionAttributeValues);
  if (!ok) return ok;
  auto update = binder.BindUpdate(std::move(update_syntax));
  if (!update) return std::unexpected(std::move(update.error()));
  action.update = *std::move(update);
  auto condition = binder.BindCondition(std::move(condition_syntax));
  if (!condition) return std::unexpected(std::move(condition.error()));
  action.condition = *std::move(condition);
  ok = binder.CheckAllUsed();
  if (ok && view.kind == engine::WriteKind::kPut) ok = engine::CheckItemSize(*view.item);
  return ok;
}

// Takes the items out of the request; expressions refer to what stays.
Result<engine::Transaction> Prepare(Context& context, DecodedTransaction& decoded) {
  std::vector<ActionView> views;
  views.reserve(decoded.request.actions.size());
  for (TransactWriteAction& action : decoded.request.actions) views.push_back(ViewOf(action));
  Result<void> ok = CheckMembers(decoded, views);
  if (ok) ok = decoded.faults.CheckValues(Member::kTransactItems);

  engine::Transaction transaction;
  transaction.actions.resize(views.size());
  for (std::size_t i = 0; i < views.size() && ok; ++i) {
    ok = BindExpressions(context, views[i], decoded.action_faults[i], transaction.actions[i]);
  }
  if (!ok) return std::unexpected(std::move(ok.error()));
  transaction.token = decoded.request.client_request_token;
  if (transaction.token) transaction.fingerprint = Fingerprint(decoded.request.actions);
  for (std::size_t i = 0; i < views.size(); ++i) {
    engine::WriteAction& action = transaction.actions[i];
    Result<catalog::TablePtr> table = LookUpTable(context, *views[i].table_name);
    if (!table) return std::unexpected(std::move(table.error()));
    action.kind = views[i].kind;
    action.table = *std::move(table);
    action.item = std::move(*views[i].item);
    action.return_on_condition_failure = views[i].return_on_condition_failure;
    action.report_collection_size =
        decoded.request.return_item_collection_metrics == ReturnItemCollectionMetrics::kSize &&
        action.table->has_local_indexes() && action.kind != engine::WriteKind::kConditionCheck;
  }
  ok = CheckTransactionWrites(transaction);
  if (!ok) return std::unexpected(std::move(ok.error()));
  return transaction;
}

// Where the collections of an action's item are to be reported.
struct Collection {
  std::string table_name;
  std::optional<Item> key;  // nothing when it is not to be reported
};

std::vector<Collection> CollectionsOf(const DecodedTransaction& decoded, const engine::Transaction& transaction) {
  std::vector<Collection> collections(transaction.actions.size());
  for (std::size_t i = 0; i < collections.size(); ++i) {
    const engine::WriteAction& action = transaction.actions[i];
    if (!action.report_collection_size || action.invalid) continue;
    collections[i].table_name = std::visit([](const auto& one) { return one.table_name; }, decoded.request.actions[i]);
    collections[i].key = CollectionKeyOf(*action.table, action.item.view());
  }
  return collections;
}

void Run(Context& context, DecodedTransaction decoded, TransactWriteDone done) {
  Result<engine::Transaction> transaction = Prepare(context, decoded);
  if (!transaction) return done(std::unexpected(std::move(transaction.error())));
  if (context.record != nullptr && context.record->ItemConflicts()) {
    return done(std::unexpected(engine::TransactionMet(transaction->actions.size())));
  }
  std::vector<Collection> collections = CollectionsOf(decoded, *transaction);
  context.engine.Transact(*std::move(transaction), [request = std::move(decoded.request),
                                                    collections = std::move(collections), done = std::move(done)](
                                                       Result<engine::TransactionOutcome> outcome) mutable {
    if (!outcome) return done(std::unexpected(std::move(outcome.error())));
    TransactWriteItemsResponse response;
    for (std::size_t i = 0; i < outcome->actions.size(); ++i) {
      const engine::WriteOutcome& action = outcome->actions[i];
      if (request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
        AddCapacity(response.consumed_capacity, action.capacity);
      }
      if (collections[i].key) {
        AddCollectionMetrics(response.item_collection_metrics, collections[i].table_name,
                             CollectionMetrics(*std::move(collections[i].key), action.collection_bytes.value_or(0)));
      }
    }
    done(std::move(response));
  });
}

std::string ResponseJson(const TransactWriteItemsResponse& response, ReturnConsumedCapacity detail) {
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  if (detail != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacities(json, response.consumed_capacity, detail, CapacityForm::kTransaction);
  }
  if (!response.item_collection_metrics.empty()) {
    json.Key("ItemCollectionMetrics");
    WriteCollectionMetrics(json, response.item_collection_metrics);
  }
  json.EndObject();
  return out;
}

}  // namespace

void TransactWriteItems(Context& context, TransactWriteItemsRequest request, TransactWriteDone done) {
  Run(context, WithFaults(std::move(request)), std::move(done));
}

void TransactWriteItems(Context& context, std::string_view body, Completion done) {
  Result<DecodedTransaction> decoded = DecodeTransaction(body);
  if (!decoded) return done(std::unexpected(std::move(decoded.error())));
  const ReturnConsumedCapacity detail = decoded->request.return_consumed_capacity;
  Run(context, *std::move(decoded),
      [detail, done = std::move(done)](Result<TransactWriteItemsResponse> response) mutable {
        if (!response) return done(std::unexpected(std::move(response.error())));
        done(ResponseJson(*response, detail));
      });
}

}  // namespace taula::api
