// What Query and Scan share: the parameters around the keys, reading the page,
// and the answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/decode_faults.h"
#include "api/operation.h"
#include "api/read_projection.h"
#include "api/request_reader.h"
#include "api/typed_faults.h"
#include "engine/page.h"
#include "taula/error.h"
#include "taula/requests.h"

namespace taula::api {

// A page that has passed all checks. Refers to the request that it was made
// from.
struct PageRead {
  engine::PageRequest page;  // without the filter, which stands below
  std::optional<expression::Condition> filter;
  MaybeProjection projection;
  bool count_only = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

[[nodiscard]] Result<PageResponse> ReadPage(Context& context, PageRead& read);
[[nodiscard]] Result<std::string> ReadPageJson(Context& context, PageRead& read);

// The members that Query and Scan both have.
struct PageParameters {
  const std::string& table_name;
  const std::optional<std::string>& index_name;
  const std::optional<std::vector<std::string>>& attributes_to_get;
  const std::optional<std::string>& projection_expression;
  const std::optional<Item>& exclusive_start_key;
  std::optional<std::int64_t> limit;
  std::optional<Select> select;
  bool consistent_read;
  ReturnConsumedCapacity return_consumed_capacity;
};

template <typename Request>
[[nodiscard]] PageParameters PageParametersOf(const Request& request) {
  return {request.table_name,
          request.index_name,
          request.attributes_to_get,
          request.projection_expression,
          request.exclusive_start_key,
          request.limit,
          request.select,
          request.consistent_read,
          request.return_consumed_capacity};
}

// Looks up table and index, and checks that they can be read in this way and
// from the starting key.
[[nodiscard]] Result<void> PreparePage(Context& context, const PageParameters& parameters, PageRead& read);
// The last of the checks: that the attributes which are asked for are there.
[[nodiscard]] Result<void> PrepareAttributes(const PageParameters& parameters, PageRead& read);

// Filter and projection; the last of a request's expressions to be bound.
template <typename Request>
[[nodiscard]] Result<void> BindPageExpressions(ExpressionBinder& binder, const Request& request, PageRead& read) {
  auto filter = binder.BindFilter(request.filter_expression);
  if (!filter) return std::unexpected(std::move(filter.error()));
  if (*filter) read.filter = *std::move(filter);
  Result<MaybeProjection> projection = binder.BindProjection(request.projection_expression);
  if (!projection) return std::unexpected(std::move(projection.error()));
  if (*projection) read.projection = *std::move(projection);
  return binder.CheckAllUsed();
}

// Reads the members from JSON.
template <typename Request>
void ReadPageMembers(RequestReader& reader, Request& request) {
  request.table_name = reader.TableName();
  request.index_name = reader.Text("IndexName");
  request.select = reader.Enumeration("Select", Member::kSelect, ParseSelect);
  request.attributes_to_get = reader.AttributesToGet();
  request.limit = reader.body()["Limit"].Integer();
  request.consistent_read = reader.Flag("ConsistentRead", false);
  request.conditional_operator =
      reader.Enumeration("ConditionalOperator", Member::kConditionalOperator, ParseConditionalOperator);
  request.exclusive_start_key = reader.OptionalItem("ExclusiveStartKey", Member::kExclusiveStartKey);
  request.return_consumed_capacity = reader.Capacity();
  request.projection_expression = reader.Text("ProjectionExpression");
  request.filter_expression = reader.Text("FilterExpression");
  request.attributes = reader.Attributes();
}

// A typed request, with what is wrong with the values that both have.
template <typename Request>
[[nodiscard]] Decoded<Request> WithPageFaults(Request request) {
  Decoded<Request> decoded{std::move(request), {}};
  const std::optional<Item>& start_key = decoded.request.exclusive_start_key;
  if (start_key) NoteFaults(*start_key, Member::kExclusiveStartKey, decoded.faults);
  NoteFaults(decoded.request.attributes.values, decoded.faults);
  return decoded;
}

// Checks a request with prepare(context, request, faults, page read), and
// answers with `answer`: ReadPage or ReadPageJson.
template <typename Request, typename Response>
[[nodiscard]] Result<Response> AnswerPage(Context& context, Result<Decoded<Request>> decoded,
                                          Result<void> (*prepare)(Context&, const Request&, const DecodeFaults&,
                                                                  PageRead&),
                                          Result<Response> (*answer)(Context&, PageRead&)) {
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  PageRead read;
  if (Result<void> ok = prepare(context, decoded->request, decoded->faults, read); !ok) {
    return std::unexpected(std::move(ok.error()));
  }
  return answer(context, read);
}

}  // namespace taula::api
