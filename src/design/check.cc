#include "design/check.h"

#include <fmt/core.h>

#include <algorithm>

#include "design/check/families.h"

namespace taula::design {
namespace {

void Visit(const Operation& operation, base::FunctionRef<void(const Operation&)> visit) {
  visit(operation);
  for (const NamedRead& read : operation.read) {
    for (const Operation& each : read.operation) Visit(each, visit);
  }
  for (const Operation& step : operation.steps) Visit(step, visit);
}

}  // namespace

void ForEachOperation(const Design& design, base::FunctionRef<void(const Operation&)> visit) {
  for (const Operation& operation : design.operations) Visit(operation, visit);
}

void ForEachKeyTemplate(const Design& design, base::FunctionRef<void(const EntityKey&)> visit) {
  for (const Entity& entity : design.entities) {
    const Table& table = design.TableOf(entity);
    visit({entity, table, nullptr, table.partition, entity.key.partition, entity.key.partition_place, false});
    if (table.sort && entity.key.sort) {
      visit({entity, table, nullptr, *table.sort, *entity.key.sort, entity.key.sort_place, true});
    }
    for (const IndexKey& key : entity.indexes) {
      const Index* index = table.FindIndex(key.index);
      if (index == nullptr) continue;
      if (key.partition) visit({entity, table, index, index->partition, *key.partition, key.partition_place, false});
      if (index->sort && key.sort) visit({entity, table, index, *index->sort, *key.sort, key.sort_place, true});
    }
  }
}

std::string NameOf(const Table& table, const Index* index) {
  return index == nullptr ? fmt::format("table '{}'", table.id) : fmt::format("index '{}'", index->name);
}

std::string Listed(const std::vector<std::string>& names) {
  std::string listed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) listed += i + 1 == names.size() ? " and " : ", ";
    listed += names[i];
  }
  return listed;
}

Diagnostics CheckDesign(const Design& design) {
  Findings findings;
  for (const auto check : {CheckTables, CheckCollisions, CheckKeyTemplates, CheckPartitions, CheckIndexes, CheckItems,
                           CheckQueries, CheckScans, CheckChanges, CheckReferences}) {
    check(design, findings);
  }
  Diagnostics diagnostics = findings.Take();
  std::ranges::stable_sort(diagnostics, {}, &Diagnostic::place);
  return diagnostics;
}

}  // namespace taula::design
