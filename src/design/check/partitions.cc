// Partitions that all items of an entity crowd into.
#include <fmt/core.h>

#include <optional>

#include "design/check/families.h"

namespace taula::design {
namespace {

constexpr std::size_t kFewPartitions = 20;

// How many values the template can have; nothing when they grow with the data.
std::optional<std::size_t> CountOf(const Template& text, const Entity& entity) {
  std::size_t count = 1;
  for (const Template::Part& part : text.parts()) {
    if (!part.is_reference()) continue;
    const Attribute* attribute = entity.Find(part.reference);
    if (attribute != nullptr && attribute->type == AttributeType::kEnum) {
      count *= attribute->values.size();
    } else if (attribute != nullptr && attribute->type == AttributeType::kBoolean) {
      count *= 2;
    } else {
      return std::nullopt;
    }
  }
  return count;
}

// Whether the only thing that tells partitions apart, but for enums, is a day.
bool IsByDay(const Template& text, const Entity& entity) {
  bool has_day = false;
  for (const Template::Part& part : text.parts()) {
    const Attribute* attribute = part.is_reference() ? entity.Find(part.reference) : nullptr;
    if (attribute == nullptr) continue;
    const bool is_day = attribute->type == AttributeType::kDate || part.transform == Transform::kDate;
    const bool is_few = attribute->type == AttributeType::kEnum || attribute->type == AttributeType::kBoolean;
    if (!is_day && !is_few) return false;
    has_day |= is_day;
  }
  return has_day;
}

bool HasOneItemOnly(const EntityKey& key) {
  return key.index == nullptr && !key.entity.key.partition.has_references() &&
         (!key.entity.key.sort || !key.entity.key.sort->has_references());
}

void CheckPartition(const EntityKey& key, Findings& findings) {
  constexpr std::string_view kWhy =
      "A partition takes at most about 1,000 writes and 3,000 reads a second, whatever the table as a whole can.";
  if (HasOneItemOnly(key)) return;
  if (const std::optional<std::size_t> count = CountOf(key.text, key.entity); count && *count <= kFewPartitions) {
    findings.Warning(
        "hot-partition", key.place,
        {.what = fmt::format("all items of '{}' are in {} of {}", key.entity.name,
                             *count == 1 ? "one partition" : fmt::format("{} partitions", *count),
                             NameOf(key.table, key.index)),
         .why = std::string(kWhy),
         .fix = "Fine for a few thousand items that are seldom written. Otherwise add an attribute that spreads them, "
                "such as an owner or the day ({createdAt:date}), and query each of those partitions."});
  } else if (IsByDay(key.text, key.entity)) {
    findings.Note("hot-partition", key.place,
                  {.what = fmt::format("all items of '{}' of one day are in one partition of {}", key.entity.name,
                                       NameOf(key.table, key.index)),
                   .why = fmt::format("Today's is the one that is written. {}", kWhy),
                   .fix = "Fine below that. Otherwise add an attribute that spreads a day's items."});
  }
}

}  // namespace

void CheckPartitions(const Design& design, Findings& findings) {
  ForEachKeyTemplate(design, [&](const EntityKey& key) {
    const bool is_local = key.index != nullptr && key.index->local;
    if (!key.is_sort && !is_local) CheckPartition(key, findings);
  });
}

}  // namespace taula::design
