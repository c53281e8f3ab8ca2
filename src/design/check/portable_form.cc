#include "design/check/portable_form.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "design/item_path.h"

namespace taula::design {
namespace {

std::string TextOf(const Template::Part& part) {
  switch (part.transform) {
    case Transform::kNone:
      return fmt::format("{{{}}}", part.reference);
    case Transform::kLower:
      return fmt::format("{{{}:lower}}", part.reference);
    case Transform::kUpper:
      return fmt::format("{{{}:upper}}", part.reference);
    case Transform::kSlug:
      return fmt::format("{{{}:slug}}", part.reference);
    case Transform::kDate:
      return fmt::format("{{{}:date}}", part.reference);
    case Transform::kPad:
      return fmt::format("{{{}:0{}}}", part.reference, part.width);
  }
  return {};
}

// As the attribute stands in one of the entity's keys already.
std::string ReferenceTo(const Entity& entity, std::string_view attribute) {
  std::vector<const Template*> texts = {&entity.key.partition};
  if (entity.key.sort) texts.push_back(&*entity.key.sort);
  for (const IndexKey& key : entity.indexes) {
    if (key.partition) texts.push_back(&*key.partition);
    if (key.sort) texts.push_back(&*key.sort);
  }
  for (const Template* text : texts) {
    for (const Template::Part& part : text->parts()) {
      if (part.reference == attribute && part.transform != Transform::kDate) return TextOf(part);
    }
  }
  return fmt::format("{{{}}}", attribute);
}

bool IsTime(const Entity& entity, std::string_view name) {
  const Attribute* attribute = entity.Find(name);
  return attribute != nullptr &&
         (attribute->type == AttributeType::kTimestamp || attribute->type == AttributeType::kDate);
}

// Days are partitions where only a time is asked for, so that not all items are
// in one.
bool NeedsDays(const Operation& operation, const Entity& entity) {
  return operation.by.empty() && !operation.where.empty() && IsTime(entity, operation.where.front().attribute);
}

std::string PartitionFor(const Operation& operation, const Entity& entity) {
  std::string partition = KeyWord(entity.name);
  for (const std::string& name : operation.by) {
    partition += fmt::format("#{}#{}", KeyWord(name), ReferenceTo(entity, name));
  }
  if (NeedsDays(operation, entity)) partition += fmt::format("#{{{}:date}}", operation.where.front().attribute);
  return partition;
}

std::string SortFor(const Design& design, const Operation& operation, const Entity& entity) {
  if (!operation.where.empty()) return ReferenceTo(entity, operation.where.front().attribute);
  // The order that the index it reads now has.
  const Index* index = design.TableOf(entity).FindIndex(operation.index);
  if (index != nullptr && index->sort) {
    const auto text = TemplateFor(design, entity, index, *index->sort);
    for (const std::string& name : text ? ReferencesOf(*text) : std::vector<std::string>()) {
      if (std::ranges::find(operation.by, name) == operation.by.end()) return ReferenceTo(entity, name);
    }
  }
  // By time, if there is one that never changes.
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.set == SetWhen::kOnCreate) return ReferenceTo(entity, attribute.name);
  }
  const std::vector<std::string> key = KeyAttributes(entity);
  return key.empty() ? KeyWord(entity.name) : ReferenceTo(entity, key.back());
}

// "GSI1" and "GSI2" are taken: "GSI3".
std::string NewIndexName(const Table& table) {
  std::size_t number = 1;
  while (table.FindIndex(fmt::format("GSI{}", number)) != nullptr) ++number;
  return fmt::format("GSI{}", number);
}

}  // namespace

std::string KeyWord(std::string_view name) {
  std::string word;
  bool after_lower = false;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (after_lower && std::isupper(letter) != 0) word.push_back('_');
    word.push_back(static_cast<char>(std::toupper(letter)));
    after_lower = std::islower(letter) != 0;
  }
  return word;
}

std::string IndexFor(const Design& design, const Operation& operation) {
  const Entity& entity = *design.FindEntity(operation.entities.front());
  const std::string name = NewIndexName(design.TableOf(entity));
  return fmt::format("{} with {}PK: \"{}\" and {}SK: \"{}\"", name, name, PartitionFor(operation, entity), name,
                     SortFor(design, operation, entity));
}

bool AsksForPartitions(const Design& design, const Operation& operation, const KeyPlan& plan) {
  const Entity& entity = *design.FindEntity(operation.entities.front());
  const auto text = TemplateFor(design, entity, plan.index, plan.partition_part());
  if (!text) return false;
  const auto asks = [&](const std::string& name) { return text->Refers(name); };
  return std::ranges::any_of(operation.by, asks) || std::ranges::any_of(operation.where, asks, &Bound::attribute);
}

std::string PortableForm(const Design& design, const Operation& operation, const KeyPlan& plan) {
  const Entity& entity = *design.FindEntity(operation.entities.front());
  std::string form = fmt::format("Portable: give '{}' an index {}", entity.name, IndexFor(design, operation));
  if (NeedsDays(operation, entity)) {
    form += ", and send a query for each day.";
  } else if (operation.by.empty()) {
    form += ", whose one partition takes about 1,000 writes a second.";
  } else {
    form += ", and query that.";
  }
  // Whoever asks for a range of the partition keys does not know them one by one.
  if (!AsksForPartitions(design, operation, plan)) {
    form += " Or send a query for each partition, if the caller knows them.";
  }
  form += fmt::format(" Or scan {} with a filter.", plan.index == nullptr ? "the table" : "the index");
  return form;
}

}  // namespace taula::design
