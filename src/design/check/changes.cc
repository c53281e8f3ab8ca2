// Writes that would change a primary key.
#include <fmt/core.h>

#include <algorithm>

#include "design/check/families.h"
#include "design/item_path.h"

namespace taula::design {
namespace {

constexpr std::string_view kWhy =
    "An item's primary key never changes: the item would have to be deleted and written again under another key.";

void CheckOperation(const Design& design, const Operation& operation, Findings& findings) {
  if (operation.kind != OperationKind::kUpdate || operation.entities.empty()) return;
  const Entity& entity = *design.FindEntity(operation.entities.front());
  const std::vector<std::string> key = KeyAttributes(entity);
  const auto refuse = [&](const std::string& name, Place place) {
    if (std::ranges::find(key, name) == key.end()) return;
    findings.Error(
        "changing-in-key", place,
        {.what = fmt::format("'{}' changes '{}', which is in the key of '{}'", operation.name, name, entity.name),
         .why = std::string(kWhy),
         .fix = fmt::format("Take '{}' out of the key, or write a transaction that deletes the old item "
                            "and creates the new one.",
                            name)});
  };
  for (const std::string& name : operation.change) refuse(name, operation.place);
  for (const std::string& name : operation.remove) refuse(name, operation.place);
  for (const Assignment& assignment : operation.set) refuse(assignment.path, assignment.place);
  for (const Assignment& assignment : operation.add) refuse(assignment.path, assignment.place);
}

void CheckSetOnWrite(const Entity& entity, Findings& findings) {
  for (const std::string& name : KeyAttributes(entity)) {
    const Attribute* attribute = entity.Find(name);
    if (attribute == nullptr || attribute->set != SetWhen::kOnWrite) continue;
    findings.Error("changing-in-key", attribute->place,
                   {.what = fmt::format("'{}' changes with every write, and is in the key of '{}'", name, entity.name),
                    .why = std::string(kWhy),
                    .fix = "Use an attribute with set: on-create, or put it into an index's key instead."});
  }
}

}  // namespace

void CheckChanges(const Design& design, Findings& findings) {
  ForEachOperation(design, [&](const Operation& operation) { CheckOperation(design, operation, findings); });
  for (const Entity& entity : design.entities) CheckSetOnWrite(entity, findings);
}

}  // namespace taula::design
