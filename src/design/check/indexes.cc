// Indexes that nothing reads, and what they give away or lack.
#include <fmt/core.h>

#include <algorithm>

#include "design/check/families.h"

namespace taula::design {
namespace {

bool Reads(const Operation& operation, const Design& design, const Table& table, std::string_view index,
           const Entity* entity) {
  if (operation.index != index) return false;
  return std::ranges::any_of(operation.entities, [&](const std::string& name) {
    const Entity* read = design.FindEntity(name);
    return read != nullptr && read->table == table.id && (entity == nullptr || read == entity);
  });
}

// Of the kind, or any when there is none.
bool IsRead(const Design& design, const Table& table, std::string_view index, const Entity* entity,
            std::optional<OperationKind> kind = std::nullopt) {
  bool is_read = false;
  ForEachOperation(design, [&](const Operation& operation) {
    is_read |= (!kind || operation.kind == *kind) && Reads(operation, design, table, index, entity);
  });
  return is_read;
}

void CheckUse(const Design& design, const Table& table, const Index& index, Findings& findings) {
  if (!IsRead(design, table, index.name, nullptr)) {
    findings.Warning("unused-index", index.place,
                     {.what = fmt::format("no operation reads index '{}'", index.name),
                      .why = "Every write to it is paid for, and so is the room it takes.",
                      .fix = "Remove it, or add the operation that it is for."});
    return;
  }
  for (const Entity& entity : design.entities) {
    const IndexKey* key = entity.table == table.id ? entity.FindIndex(index.name) : nullptr;
    const bool has_templates = key != nullptr && (key->partition || key->sort);
    if (!has_templates || IsRead(design, table, index.name, &entity)) continue;
    findings.Note("unused-index", key->place,
                  {.what = fmt::format("no operation reads '{}' through index '{}'", entity.name, index.name),
                   .why = "Every item is written to the index too, and that is paid for.",
                   .fix = "Remove these templates, or add the operation that they are for."});
  }
}

bool Projects(const Index& index, const Attribute& attribute) {
  if (index.projection == Projection::kAll) return true;
  const std::string& name = attribute.map.empty() ? attribute.name : attribute.map;
  return std::ranges::find(index.included, name) != index.included.end();
}

void CheckSecrets(const Design& design, const Table& table, const Index& index, Findings& findings) {
  for (const Entity& entity : design.entities) {
    const IndexKey* key = entity.table == table.id ? entity.FindIndex(index.name) : nullptr;
    if (key == nullptr || IsRead(design, table, index.name, &entity, OperationKind::kVerify)) continue;
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.type != AttributeType::kBcrypt || !Projects(index, attribute)) continue;
      findings.Note(
          "secret-in-index", key->place,
          {.what = fmt::format("index '{}' holds the secret '{}' of '{}'", index.name, attribute.name, entity.name),
           .why = "Whoever may read the index gets it, and no 'verify' reads it there.",
           .fix = "Project only the attributes that its operations return."});
    }
  }
}

// What an operation asks of an index but is not kept in it.
void CheckProjection(const Design& design, const Operation& operation, Findings& findings) {
  const Entity* entity = operation.entities.empty() ? nullptr : design.FindEntity(operation.entities.front());
  const Index* index = entity == nullptr ? nullptr : design.TableOf(*entity).FindIndex(operation.index);
  if (index == nullptr || index->projection == Projection::kAll) return;
  std::vector<std::string> asked = operation.returns;
  if (!operation.secret.empty()) asked.push_back(operation.secret);
  for (const std::string& name : asked) {
    const Attribute* attribute = entity->Find(std::string_view(name).substr(0, name.find('.')));
    const bool in_key = entity->key.partition.Refers(name) || (entity->key.sort && entity->key.sort->Refers(name));
    if (attribute == nullptr || in_key || Projects(*index, *attribute)) continue;
    findings.Error(
        "not-projected", operation.index_place,
        {.what = fmt::format("index '{}' does not hold '{}', which '{}' needs", index->name, name, operation.name),
         .why = "A query through an index sees only what is projected into it.",
         .fix = fmt::format("Add '{}' to the projection, or project all.", name)});
  }
}

}  // namespace

void CheckIndexes(const Design& design, Findings& findings) {
  for (const Table& table : design.tables) {
    for (const Index& index : table.indexes) {
      if (!design.operations.empty()) CheckUse(design, table, index, findings);
      CheckSecrets(design, table, index, findings);
    }
  }
  ForEachOperation(design, [&](const Operation& operation) { CheckProjection(design, operation, findings); });
}

}  // namespace taula::design
