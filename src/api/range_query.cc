#include "api/range_query.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/key_range.h"
#include "api/table_lookup.h"
#include "codec/key_codec.h"
#include "engine/index_entries.h"
#include "engine/ordered_views.h"

namespace taula::api {
namespace {

// What all conditions on one attribute leave of its parts.
struct AttributeRange {
  base::KeyRange parts;            // no bytes: no bound
  std::optional<ValueView> equal;  // the only value, unless it is none

  [[nodiscard]] bool is_bound() const { return !parts.begin.empty() || !parts.end.empty(); }
  [[nodiscard]] bool is_none() const { return !parts.end.empty() && parts.begin >= parts.end; }
};

AttributeRange Intersect(const expression::KeyRanges::Ranges& conditions) {
  AttributeRange attribute;
  for (const expression::KeyLookup::Range& condition : conditions) {
    base::KeyRange parts = RangeWithin("", condition);
    if (parts.begin > attribute.parts.begin) attribute.parts.begin = std::move(parts.begin);
    if (attribute.parts.end.empty() || (!parts.end.empty() && parts.end < attribute.parts.end)) {
      attribute.parts.end = std::move(parts.end);
    }
    if (condition.op == expression::KeyOperator::kEqual) attribute.equal = condition.first;
  }
  return attribute;
}

std::vector<AttributeRange> IntersectAll(const std::vector<expression::KeyRanges::Ranges>& conditions) {
  std::vector<AttributeRange> attributes;
  attributes.reserve(conditions.size());
  for (const expression::KeyRanges::Ranges& ranges : conditions) attributes.push_back(Intersect(ranges));
  return attributes;
}

bool IsAnyBound(std::span<const AttributeRange> attributes) {
  return std::ranges::any_of(attributes, &AttributeRange::is_bound);
}

struct LeadingRange {
  base::KeyRange keys;
  bool complete = true;  // all keys in it fulfil all conditions
};

// The keys that begin with `prefix` and go on with parts of these attributes: as
// far as one stretch of keys can say it.
LeadingRange RangeOf(std::string prefix, std::span<const AttributeRange> attributes) {
  while (!attributes.empty() && attributes.front().equal) {
    prefix.append(attributes.front().parts.begin);
    attributes = attributes.subspan(1);
  }
  if (attributes.empty()) return {.keys = {prefix, codec::PrefixEnd(prefix)}, .complete = true};
  const base::KeyRange& parts = attributes.front().parts;
  return {.keys = {prefix + parts.begin, parts.end.empty() ? codec::PrefixEnd(prefix) : prefix + parts.end},
          .complete = !IsAnyBound(attributes.subspan(1))};
}

// Up to the last one that has a bound.
std::vector<base::KeyRange> PartsOf(std::span<const AttributeRange> attributes) {
  std::vector<base::KeyRange> parts;
  while (!attributes.empty() && !attributes.back().is_bound()) attributes = attributes.first(attributes.size() - 1);
  for (const AttributeRange& attribute : attributes) parts.push_back(attribute.parts);
  return parts;
}

Result<void> CheckStart(const engine::PageRequest& page) {
  if (page.start_after == nullptr) return {};
  const ValueView start = page.start_after->view();
  std::string key = page.index == nullptr ? engine::ItemStoreKey(*page.table, start)
                                          : engine::IndexStoreKey(*page.table, *page.index, start).value_or("");
  if (page.view && !key.empty()) key = engine::ViewKey(*page.table, page.index, page.view->order, key);
  if (key >= page.range.begin && key < page.range.end) return {};
  return ValidationError("The provided starting key is outside query boundaries based on provided conditions");
}

// What to read of the items of one partition; nothing when that is not one
// stretch of keys.
std::optional<base::KeyRange> RangeInPartition(codec::SpaceId space, std::span<const AttributeRange> partition,
                                               std::span<const AttributeRange> sort) {
  codec::KeyBuilder key(space);
  for (const AttributeRange& attribute : partition) {
    if (!attribute.equal) return std::nullopt;
    key.Partition(*attribute.equal);
  }
  key.EndPartition();
  LeadingRange range = RangeOf(key.Take(), sort);
  if (!range.complete) return std::nullopt;
  return std::move(range.keys);
}

void ReadView(codec::SpaceId space, std::vector<AttributeRange> partition, std::vector<AttributeRange> sort,
              engine::PageRequest& page) {
  const bool one_partition =
      std::ranges::all_of(partition, [](const AttributeRange& attribute) { return attribute.equal.has_value(); });
  auto view = std::make_unique<engine::ViewRead>();
  if (!one_partition && IsAnyBound(sort)) {
    view->order = engine::ViewOrder::kBySort;
    std::swap(partition, sort);
  }
  std::vector<AttributeRange> attributes = std::move(partition);
  std::ranges::move(sort, std::back_inserter(attributes));
  LeadingRange range = RangeOf(engine::ViewPrefix(space, view->order), attributes);
  if (!range.complete) view->parts = PartsOf(attributes);
  page.range = std::move(range.keys);
  page.view = std::move(view);
}

}  // namespace

bool AnswersRangeQueries(const catalog::Table& table) { return table.range_queries == IndexStatus::kActive; }

bool AnswersRangeQueries(const Context& context, std::string_view table_name) {
  const Result<catalog::TablePtr> table = LookUpTable(context, table_name);
  return table && AnswersRangeQueries(**table);
}

Result<void> PrepareRangeQuery(const expression::KeyCondition& condition, const Error& refusal,
                               engine::PageRequest& page) {
  const catalog::Table& table = *page.table;
  const KeySchemaView schema(page.index != nullptr ? page.index->key : table.key);
  const Result<expression::KeyRanges> ranges = condition.MatchRanges(schema.view());
  if (!ranges) return std::unexpected(ranges.error());
  std::vector<AttributeRange> partition = IntersectAll(ranges->partition);
  std::vector<AttributeRange> sort = IntersectAll(ranges->sort);
  const codec::SpaceId space = page.index != nullptr ? page.index->space : table.space;

  if (std::ranges::any_of(partition, &AttributeRange::is_none) || std::ranges::any_of(sort, &AttributeRange::is_none)) {
    const std::string nowhere = codec::SpaceRange(space).begin;
    page.range = {nowhere, nowhere};
  } else if (std::optional<base::KeyRange> range = RangeInPartition(space, partition, sort)) {
    page.range = *std::move(range);
  } else if (engine::HasCompleteViews(table, page.index)) {
    ReadView(space, std::move(partition), std::move(sort), page);
  } else {
    return std::unexpected(refusal);
  }
  return CheckStart(page);
}

}  // namespace taula::api
