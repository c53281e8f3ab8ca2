#include "api/page_read.h"

#include <utility>

#include "api/key_paths.h"
#include "api/request_record.h"
#include "api/response_json.h"
#include "api/select.h"
#include "api/start_key.h"
#include "api/table_lookup.h"
#include "codec/json_writer.h"

namespace taula::api {
namespace {

void PointToFilter(PageRead& read) { read.page.filter = read.filter ? &*read.filter : nullptr; }

}  // namespace

Result<PageResponse> ReadPage(Context& context, PageRead& read) {
  PointToFilter(read);
  PageResponse response;
  Result<engine::PageEnd> end = context.engine.ReadPage(read.page, [&](ValueView item) {
    if (!read.count_only) response.items.push_back(ProjectItem(read.projection, item));
  });
  if (!end) return std::unexpected(std::move(end.error()));
  response.count = end->count;
  response.scanned_count = end->scanned_count;
  response.last_evaluated_key = std::move(end->last_key);
  if (read.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    response.consumed_capacity = std::move(end->capacity);
  }
  return response;
}

Result<std::string> ReadPageJson(Context& context, PageRead& read) {
  PointToFilter(read);
  std::string out;
  std::string scratch;
  codec::JsonWriter json(out);
  json.BeginObject();
  if (!read.count_only) json.Key("Items").BeginArray();
  const Result<engine::PageEnd> end = context.engine.ReadPage(read.page, [&](ValueView item) {
    if (!read.count_only) WriteProjected(json, read.projection, item, scratch);
  });
  if (!end) return std::unexpected(end.error());
  if (context.record != nullptr) context.record->Returns(static_cast<std::uint64_t>(end->count));
  if (!read.count_only) json.EndArray();
  json.Key("Count").Integer(end->count);
  json.Key("ScannedCount").Integer(end->scanned_count);
  if (end->last_key) json.Key("LastEvaluatedKey").Item(end->last_key->attributes());
  if (read.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    json.Key("ConsumedCapacity");
    WriteCapacity(json, end->capacity, read.return_consumed_capacity);
  }
  json.EndObject();
  return out;
}

Result<void> PreparePage(Context& context, const PageParameters& parameters, PageRead& read) {
  Result<catalog::TablePtr> table = LookUpTable(context, parameters.table_name);
  if (!table) return std::unexpected(std::move(table.error()));
  const Result<const catalog::Index*> index = LookUpIndex(**table, parameters.index_name);
  if (!index) return std::unexpected(index.error());
  if (*index != nullptr && (*index)->global && parameters.consistent_read) {
    return ValidationError("Consistent reads are not supported on global secondary indexes");
  }
  read.page.table = *std::move(table);
  read.page.index = *index;
  read.page.consistent_read = parameters.consistent_read;
  read.page.limit = parameters.limit;
  read.count_only = parameters.select == Select::kCount;
  read.return_consumed_capacity = parameters.return_consumed_capacity;
  if (!parameters.exclusive_start_key) return {};
  read.page.start_after = &*parameters.exclusive_start_key;
  return CheckStartKey(*read.page.table, read.page.index, *parameters.exclusive_start_key);
}

Result<void> PrepareAttributes(const PageParameters& parameters, PageRead& read) {
  const catalog::Table& table = *read.page.table;
  Result<void> ok;
  if (read.projection) ok = CheckKeyPaths(table, *read.projection);
  if (ok && read.filter) ok = CheckKeyPaths(table, *read.filter);
  if (!ok) return ok;
  std::optional<AttributeList> wanted;
  if (read.projection) wanted = read.projection->top_level_names();
  const Result<bool> needs_table = NeedsTable(table, read.page.index, parameters.select, wanted);
  if (!needs_table) return std::unexpected(needs_table.error());
  read.page.fetch_from_table = *needs_table;
  return {};
}

}  // namespace taula::api
