#include "api/query.h"

#include <fmt/format.h>

#include <utility>

#include "api/key_range.h"
#include "api/operations.h"
#include "api/page_read.h"
#include "api/range_query.h"
#include "api/select.h"
#include "api/start_key.h"
#include "api/table_lookup.h"
#include "expression/legacy.h"

namespace taula::api {
namespace {

using MaybeKeyCondition = std::optional<expression::KeyCondition>;

Result<void> CheckMembers(const QueryRequest& request, const DecodeFaults& faults) {
  const bool unknown_operator = faults.Unknown(Member::kConditionalOperator) != nullptr;
  if (unknown_operator && request.query_filter && request.query_filter->size() >= 2) {
    return ValidationError(std::string(kConditionalOperatorViolation));
  }
  if (Result<void> ok = CheckTableNameNotEmpty(request.table_name, faults); !ok) return ok;
  Constraints constraints;
  CheckKnown(faults, Member::kSelect, constraints);
  CheckIndexName(request.index_name, constraints);
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  CheckTableName(request.table_name, faults, constraints);
  CheckKnown(faults, Member::kConditionalOperator, constraints);
  CheckAttributesToGet(request.attributes_to_get, "attributesToGet", constraints);
  if (request.limit && *request.limit < 1) constraints.ViolatedUnechoed("Limit", ValueAtLeast(1));
  constraints.Add(faults.nested());
  return constraints.Check();
}

Result<void> CheckParameters(const QueryRequest& request, const DecodeFaults& faults) {
  Result<void> ok = InEnvelope(CheckSelect(request.select, request.attributes_to_get.has_value(),
                                           request.projection_expression.has_value(), request.index_name.has_value()));
  if (ok) {
    ok = CheckNotMixed({{"AttributesToGet", request.attributes_to_get.has_value()},
                        {"QueryFilter", request.query_filter.has_value()},
                        {"ConditionalOperator", request.conditional_operator.has_value()},
                        {"KeyConditions", request.key_conditions.has_value()}},
                       {{"ProjectionExpression", request.projection_expression.has_value()},
                        {"FilterExpression", request.filter_expression.has_value()},
                        {"KeyConditionExpression", request.key_condition_expression.has_value()}});
  }
  const bool takes_values = request.key_condition_expression || request.filter_expression;
  if (ok) {
    ok = CheckPlaceholdersAllowed(request.attributes, takes_values || request.projection_expression, takes_values);
  }
  if (ok) ok = faults.CheckValues(Member::kFilter);
  return ok;
}

// The parameters that came before expressions.
Result<MaybeKeyCondition> BindLegacy(const QueryRequest& request, const DecodeFaults& faults, PageRead& read) {
  auto filter = expression::BindFilter(request.query_filter, request.conditional_operator);
  if (!filter) return std::unexpected(std::move(filter.error()));
  read.filter = *std::move(filter);
  Result<MaybeProjection> projection = BindAttributesToGet(request.attributes_to_get);
  if (!projection) return std::unexpected(std::move(projection.error()));
  read.projection = *std::move(projection);
  Result<void> ok = CheckStartKeyValues(faults);
  if (ok) ok = faults.CheckValues(Member::kKeyConditions);
  if (!ok) return std::unexpected(std::move(ok.error()));
  if (!request.key_conditions && !request.key_condition_expression) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  }
  return expression::BindKeyConditions(request.key_conditions);
}

Result<MaybeKeyCondition> BindExpressions(Context& context, const QueryRequest& request, const DecodeFaults& faults,
                                          PageRead& read) {
  ExpressionBinder binder(context);
  Result<void> ok = binder.AddPlaceholders(request.attributes, faults.InvalidValue(Member::kExpressionAttributeValues));
  if (!ok) return std::unexpected(std::move(ok.error()));
  Result<MaybeKeyCondition> key_condition = binder.BindKeyCondition(request.key_condition_expression);
  if (!key_condition && AnswersRangeQueries(context, request.table_name)) {
    key_condition = binder.BindKeyCondition(request.key_condition_expression, expression::ConditionsPerKey::kAny);
  }
  if (!key_condition) return key_condition;
  ok = BindPageExpressions(binder, request, read);
  if (!ok) return std::unexpected(std::move(ok.error()));
  return key_condition;
}

// A filter is for what the key condition cannot say.
Result<void> CheckFilter(const catalog::KeySchema& key, const expression::Condition& filter, std::string_view name) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const catalog::KeyAttribute& attribute : *attributes) {
      if (!filter.Names(attribute.name)) continue;
      return ValidationError(fmt::format("{} can only contain non-primary key attributes: Primary key attribute: {}",
                                         name, attribute.name));
    }
  }
  return {};
}

Result<void> PrepareKeys(const QueryRequest& request, const expression::KeyCondition& condition, PageRead& read) {
  const catalog::Index* const index = read.page.index;
  const catalog::KeySchema& key = index != nullptr ? index->key : read.page.table->key;
  const KeySchemaView schema(key);
  const Result<expression::KeyLookup> lookup = condition.Match(schema.view());
  if (lookup) {
    if (request.exclusive_start_key) {
      if (Result<void> ok = CheckStartKeyInQuery(key, *lookup, *request.exclusive_start_key); !ok) return ok;
    }
    read.page.range = QueryRange(index != nullptr ? index->space : read.page.table->space, *lookup);
  } else {
    if (!AnswersRangeQueries(*read.page.table)) return std::unexpected(lookup.error());
    if (Result<void> ok = PrepareRangeQuery(condition, lookup.error(), read.page); !ok) return ok;
  }
  read.page.reverse = !request.scan_index_forward;
  if (!read.filter) return {};
  Result<void> ok = CheckFilter(key, *read.filter, request.filter_expression ? "Filter Expression" : "QueryFilter");
  if (ok) ok = CheckFilterProjected(*read.page.table, index, read.filter->top_level_names());
  return ok;
}

// `read` refers to the request.
Result<void> Prepare(Context& context, const QueryRequest& request, const DecodeFaults& faults, PageRead& read) {
  Result<void> ok = CheckMembers(request, faults);
  if (ok) ok = CheckParameters(request, faults);
  if (!ok) return ok;
  Result<MaybeKeyCondition> key_condition = BindLegacy(request, faults, read);
  if (!key_condition) return std::unexpected(std::move(key_condition.error()));
  Result<MaybeKeyCondition> from_expression = BindExpressions(context, request, faults, read);
  if (!from_expression) return std::unexpected(std::move(from_expression.error()));
  if (*from_expression) key_condition = std::move(from_expression);

  const PageParameters parameters = PageParametersOf(request);
  ok = PreparePage(context, parameters, read);
  if (ok) ok = PrepareKeys(request, **key_condition, read);
  if (ok) ok = PrepareAttributes(parameters, read);
  return ok;
}

void Read(RequestReader& reader, QueryRequest& request) {
  ReadPageMembers(reader, request);
  request.key_conditions = reader.Conditions("KeyConditions", "keyConditions", Member::kKeyConditions);
  request.query_filter = reader.Conditions("QueryFilter", "queryFilter", Member::kFilter);
  request.scan_index_forward = reader.Flag("ScanIndexForward", true);
  request.key_condition_expression = reader.Text("KeyConditionExpression");
}

}  // namespace

Result<PageResponse> Query(Context& context, QueryRequest request) {
  Decoded<QueryRequest> decoded = WithPageFaults(std::move(request));
  NoteFaults(decoded.request.query_filter, Member::kFilter, decoded.faults);
  NoteFaults(decoded.request.key_conditions, Member::kKeyConditions, decoded.faults);
  return AnswerPage(context, Result<Decoded<QueryRequest>>(std::move(decoded)), Prepare, ReadPage);
}

void Query(Context& context, std::string_view body, Completion done) {
  done(AnswerPage(context, DecodeBody<QueryRequest>(body, Read), Prepare, ReadPageJson));
}

}  // namespace taula::api
