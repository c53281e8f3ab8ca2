#include "api/scan.h"

#include <fmt/format.h>

#include <utility>

#include "api/operations.h"
#include "api/page_read.h"
#include "api/select.h"
#include "api/start_key.h"
#include "api/table_lookup.h"
#include "base/limits.h"
#include "codec/key_codec.h"
#include "engine/index_entries.h"
#include "expression/legacy.h"

namespace taula::api {
namespace {

Result<void> CheckMembers(const ScanRequest& request, const DecodeFaults& faults) {
  if (Result<void> ok = CheckTableNameNotEmpty(request.table_name, faults); !ok) return ok;
  Constraints constraints;
  CheckKnown(faults, Member::kSelect, constraints);
  CheckIndexName(request.index_name, constraints);
  if (request.total_segments && *request.total_segments < 1) {
    constraints.ViolatedUnechoed("TotalSegments", ValueAtLeast(1));
  }
  if (request.total_segments && *request.total_segments > static_cast<std::int64_t>(base::kScanSegmentsMax)) {
    constraints.ViolatedUnechoed("TotalSegments", ValueAtMost(base::kScanSegmentsMax));
  }
  CheckKnown(faults, Member::kReturnConsumedCapacity, constraints);
  CheckTableName(request.table_name, faults, constraints);
  CheckKnown(faults, Member::kConditionalOperator, constraints);
  constraints.Add(faults.nested());
  if (request.segment && *request.segment < 0) constraints.ViolatedUnechoed("Segment", ValueAtLeast(0));
  if (request.limit && *request.limit < 1) constraints.ViolatedUnechoed("Limit", ValueAtLeast(1));
  CheckAttributesToGet(request.attributes_to_get, "attributesToGet", constraints);
  return constraints.Check();
}

Result<void> CheckParameters(const ScanRequest& request, const DecodeFaults& faults) {
  Result<void> ok = InEnvelope(CheckSelect(request.select, request.attributes_to_get.has_value(),
                                           request.projection_expression.has_value(), request.index_name.has_value()));
  if (ok) {
    ok = CheckNotMixed({{"AttributesToGet", request.attributes_to_get.has_value()},
                        {"ScanFilter", request.scan_filter.has_value()},
                        {"ConditionalOperator", request.conditional_operator.has_value()}},
                       {{"ProjectionExpression", request.projection_expression.has_value()},
                        {"FilterExpression", request.filter_expression.has_value()}});
  }
  const bool takes_values = request.filter_expression.has_value();
  if (ok) {
    ok = CheckPlaceholdersAllowed(request.attributes, takes_values || request.projection_expression, takes_values);
  }
  if (ok) ok = faults.CheckValues(Member::kFilter);
  return ok;
}

Result<void> BindLegacy(const ScanRequest& request, const DecodeFaults& faults, PageRead& read) {
  Result<MaybeProjection> projection = BindAttributesToGet(request.attributes_to_get);
  if (!projection) return std::unexpected(std::move(projection.error()));
  read.projection = *std::move(projection);
  auto filter = expression::BindFilter(request.scan_filter, request.conditional_operator);
  if (!filter) return std::unexpected(std::move(filter.error()));
  read.filter = *std::move(filter);
  return CheckStartKeyValues(faults);
}

Result<void> CheckSegments(const ScanRequest& request) {
  if (request.segment && !request.total_segments) {
    return ValidationError(
        "The TotalSegments parameter is required but was not present in the request when Segment parameter is "
        "present");
  }
  if (!request.segment && request.total_segments) {
    return ValidationError(
        "The Segment parameter is required but was not present in the request when parameter TotalSegments is "
        "present");
  }
  if (request.segment && *request.segment >= *request.total_segments) {
    return ValidationError("The Segment parameter is zero-based and must be less than parameter TotalSegments");
  }
  return {};
}

Result<void> BindExpressions(Context& context, const ScanRequest& request, const DecodeFaults& faults, PageRead& read) {
  ExpressionBinder binder(context);
  Result<void> ok = binder.AddPlaceholders(request.attributes, faults.InvalidValue(Member::kExpressionAttributeValues));
  if (!ok) return ok;
  return BindPageExpressions(binder, request, read);
}

Result<void> PrepareSegment(const ScanRequest& request, PageRead& read) {
  const catalog::Table& table = *read.page.table;
  const catalog::Index* const index = read.page.index;
  const codec::SpaceId space = index != nullptr ? index->space : table.space;
  if (!request.segment) {
    read.page.range = codec::SpaceRange(space);
    return {};
  }
  read.page.range = codec::SegmentRange(space, static_cast<std::uint32_t>(*request.segment),
                                        static_cast<std::uint32_t>(*request.total_segments));
  if (!request.exclusive_start_key) return {};
  const ValueView start = request.exclusive_start_key->view();
  const std::string key =
      index == nullptr ? engine::ItemStoreKey(table, start) : engine::IndexStoreKey(table, *index, start).value_or("");
  const base::KeyRange& range = read.page.range;
  if (key >= range.begin && (range.end.empty() || key < range.end)) return {};
  return ValidationError(
      fmt::format("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with "
                  "correct Segment. TotalSegments: {} Segment: {}",
                  *request.total_segments, *request.segment));
}

// `read` refers to the request.
Result<void> Prepare(Context& context, const ScanRequest& request, const DecodeFaults& faults, PageRead& read) {
  Result<void> ok = CheckMembers(request, faults);
  if (ok) ok = CheckParameters(request, faults);
  if (ok) ok = BindLegacy(request, faults, read);
  if (ok) ok = CheckSegments(request);
  if (ok) ok = BindExpressions(context, request, faults, read);
  const PageParameters parameters = PageParametersOf(request);
  if (ok) ok = PreparePage(context, parameters, read);
  if (ok) ok = PrepareSegment(request, read);
  if (ok) ok = PrepareAttributes(parameters, read);
  return ok;
}

void Read(RequestReader& reader, ScanRequest& request) {
  ReadPageMembers(reader, request);
  request.scan_filter = reader.Conditions("ScanFilter", "scanFilter", Member::kFilter);
  request.total_segments = reader.body()["TotalSegments"].Integer();
  request.segment = reader.body()["Segment"].Integer();
}

}  // namespace

Result<PageResponse> Scan(Context& context, ScanRequest request) {
  Decoded<ScanRequest> decoded = WithPageFaults(std::move(request));
  NoteFaults(decoded.request.scan_filter, Member::kFilter, decoded.faults);
  return AnswerPage(context, Result<Decoded<ScanRequest>>(std::move(decoded)), Prepare, ReadPage);
}

void Scan(Context& context, std::string_view body, Completion done) {
  done(AnswerPage(context, DecodeBody<ScanRequest>(body, Read, codec::ValueWording::kOlder), Prepare, ReadPageJson));
}

}  // namespace taula::api
