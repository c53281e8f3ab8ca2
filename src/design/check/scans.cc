// Scans that a query could replace, and what the others cost.
#include <fmt/format.h>

#include <algorithm>

#include "design/check/families.h"
#include "design/condition.h"
#include "design/item_path.h"
#include "design/key_plan.h"

namespace taula::design {
namespace {

// The attributes that every item the condition holds for has one given value of.
void AddEqual(const Condition::Node& node, std::vector<std::string>& equal) {
  using Kind = Condition::Node::Kind;
  if (node.kind == Kind::kAnd) {
    for (const Condition::Node& each : node.nodes) AddEqual(each, equal);
  } else if (node.kind == Kind::kCompare && node.name == "=" && node.operands.size() == 2) {
    for (std::size_t i = 0; i < 2; ++i) {
      const bool is_given = node.operands[1 - i].kind == Condition::Operand::Kind::kValue;
      if (is_given && node.operands[i].kind == Condition::Operand::Kind::kPath) equal.push_back(node.operands[i].path);
    }
  }
}

std::vector<std::string> EqualAttributes(const Operation& operation) {
  std::vector<std::string> equal;
  if (!operation.filter) return equal;
  if (const auto condition = Condition::Parse(operation.filter->text)) AddEqual(condition->root(), equal);
  return equal;
}

bool IsServed(const Design& design, const Entity& entity, const Index* index, const KeyPart& partition,
              const std::vector<std::string>& equal) {
  if (!IsIn(design, entity, index)) return false;
  const auto text = TemplateFor(design, entity, index, partition);
  if (!text || !text->has_references()) return false;
  return std::ranges::all_of(ReferencesOf(*text),
                             [&](const std::string& name) { return std::ranges::find(equal, name) != equal.end(); });
}

bool CheckForQuery(const Design& design, const Operation& operation, const Entity& entity, Findings& findings) {
  const std::vector<std::string> equal = EqualAttributes(operation);
  const Table& table = design.TableOf(entity);
  const auto say = [&](const Index* index, const KeyPart& partition) {
    if (!IsServed(design, entity, index, partition, equal)) return false;
    const std::vector<std::string> by = ReferencesOf(*TemplateFor(design, entity, index, partition));
    findings.Warning("scan-where-query", operation.entities_place,
                     {.what = fmt::format("'{}' scans where a query would do", operation.name),
                      .why = fmt::format("A scan reads everything and throws away most of it. The partition key of {} "
                                         "has just what the filter asks for.",
                                         NameOf(table, index)),
                      .fix = fmt::format("Write query: {}{}, by: [{}].", entity.name,
                                         index == nullptr ? "" : ", index: " + index->name, fmt::join(by, ", "))});
    return true;
  };
  if (say(nullptr, table.partition)) return true;
  return std::ranges::any_of(table.indexes, [&](const Index& index) { return say(&index, index.partition); });
}

void CheckCost(const Design& design, const Operation& operation, const Entity& entity, Findings& findings) {
  const Table& table = design.TableOf(entity);
  const Index* index = table.FindIndex(operation.index);
  std::vector<std::string> others;
  for (const Entity& other : design.entities) {
    const bool is_other = std::ranges::find(operation.entities, other.name) == operation.entities.end();
    if (is_other && other.table == entity.table && IsIn(design, other, index)) others.push_back(other.name);
  }
  if (others.empty()) return;
  findings.Note("full-scan", operation.entities_place,
                {.what = fmt::format("'{}' reads all of {}, its items of {} too", operation.name, NameOf(table, index),
                                     Listed(others)),
                 .why = "What is not asked for is read and paid for too, and it grows with the table.",
                 .fix = fmt::format("Fine for a job that runs now and then. Otherwise give '{}' an index of its own.",
                                    entity.name)});
}

}  // namespace

void CheckScans(const Design& design, Findings& findings) {
  ForEachOperation(design, [&](const Operation& operation) {
    if (operation.kind != OperationKind::kScan || operation.entities.empty()) return;
    const Entity& entity = *design.FindEntity(operation.entities.front());
    if (!CheckForQuery(design, operation, entity, findings)) CheckCost(design, operation, entity, findings);
  });
}

}  // namespace taula::design
