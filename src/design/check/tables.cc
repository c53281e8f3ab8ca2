// Tables that Amazon's service would not make.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/limits.h"
#include "design/check/families.h"

namespace taula::design {
namespace {

constexpr std::size_t kNameBytesMin = 3;
constexpr std::size_t kNameBytesMax = 255;

bool IsName(std::string_view name) {
  return name.size() >= kNameBytesMin && name.size() <= kNameBytesMax && std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
         });
}

void CheckNames(const Design& design, const Table& table, Findings& findings) {
  const auto refuse = [&](Place place, std::string_view kind, std::string_view name) {
    findings.Error("refused-name", place,
                   {.what = fmt::format("'{}' cannot be the name of {}", name, kind),
                    .why = "Amazon's service takes names of 3 to 255 characters: letters, digits, '_', '-' and '.'.",
                    .fix = "Choose another name."});
  };
  const std::string name = design.TableName(table, "");
  if (!IsName(name)) refuse(table.name_place, "a table", name);
  for (const Index& index : table.indexes) {
    if (!IsName(index.name)) refuse(index.place, "an index", index.name);
  }
}

void CheckCounts(const Table& table, Findings& findings) {
  const auto locals = static_cast<std::size_t>(std::ranges::count_if(table.indexes, &Index::local));
  const std::size_t globals = table.indexes.size() - locals;
  const auto refuse = [&](std::size_t count, std::size_t max, std::string_view kind) {
    if (count <= max) return;
    findings.Error("too-many-indexes", table.place,
                   {.what = fmt::format("table '{}' has {} {} indexes", table.id, count, kind),
                    .why = fmt::format("Amazon's service allows {} of them for a table.", max),
                    .fix = "Let several entities share an index: give their templates different beginnings."});
  };
  refuse(globals, base::kGlobalIndexesMax, "global");
  refuse(locals, base::kLocalIndexesMax, "local");
}

void CheckLocalIndexes(const Table& table, Findings& findings) {
  for (const Index& index : table.indexes) {
    if (!index.local) continue;
    if (index.partition.name != table.partition.name) {
      findings.Error(
          "refused-local-index", index.partition.place,
          {.what = fmt::format("local index '{}' has the partition key '{}'", index.name, index.partition.name),
           .why = "A local index orders the items of a partition of the table in another way, so it has "
                  "the table's partition key.",
           .fix = "Leave out 'partition', or make the index global: without 'local: true'."});
    }
    if (!table.sort) {
      findings.Error("refused-local-index", index.place,
                     {.what = fmt::format("local index '{}' is on a table without a sort key", index.name),
                      .why = "Amazon's service refuses such a table.",
                      .fix = "Make the index global, or give the table a sort key."});
    }
  }
}

// An attribute says when an item expires only as a number of seconds.
void CheckTtl(const Design& design, const Table& table, Findings& findings) {
  if (table.ttl.empty()) return;
  bool is_declared = false;
  for (const Entity& entity : design.entities) {
    const Attribute* attribute = entity.table == table.id ? entity.Find(table.ttl) : nullptr;
    if (attribute == nullptr) continue;
    is_declared = true;
    const bool is_epoch = attribute->type == AttributeType::kTimestamp && attribute->format == TimeFormat::kEpoch;
    const bool is_number = attribute->type == AttributeType::kNumber || attribute->type == AttributeType::kInteger;
    if ((!is_epoch && !is_number) || !attribute->map.empty() || !attribute->stored) {
      findings.Error("ttl-attribute", attribute->place,
                     {.what = fmt::format("'{}' of entity '{}' never lets an item expire", table.ttl, entity.name),
                      .why = "The attribute of 'ttl' must be a number of seconds since 1970, at the top of the item; "
                             "anything else is ignored.",
                      .fix = fmt::format("Declare it as {}: {{ type: timestamp, format: epoch{} }}.", table.ttl,
                                         attribute->map.empty() ? "" : ", top: true")});
    }
  }
  if (!is_declared) {
    findings.Warning(
        "ttl-attribute", table.ttl_place,
        {.what = fmt::format("no entity of table '{}' has the attribute '{}'", table.id, table.ttl),
         .why = "Items without it never expire.",
         .fix = fmt::format("Add {}: {{ type: timestamp, format: epoch }} to the entities that expire.", table.ttl)});
  }
}

}  // namespace

void CheckTables(const Design& design, Findings& findings) {
  for (const Table& table : design.tables) {
    CheckNames(design, table, findings);
    CheckCounts(table, findings);
    CheckLocalIndexes(table, findings);
    CheckTtl(design, table, findings);
  }
}

}  // namespace taula::design
