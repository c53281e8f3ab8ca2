// Items that outgrow their limit, and attributes with awkward names or rules.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/limits.h"
#include "design/check/families.h"
#include "expression/reserved_words.h"

namespace taula::design {
namespace {

// What is assumed of an element or a text whose size nothing limits.
constexpr std::int64_t kUnlimitedBytes = 100;

std::int64_t ElementBytes(const Attribute& attribute);

bool IsSet(AttributeType type) {
  return type == AttributeType::kStringSet || type == AttributeType::kNumberSet || type == AttributeType::kBinarySet;
}

std::optional<std::int64_t> GrowthOf(const Entity& entity, std::string_view attribute) {
  const auto found = std::ranges::find(entity.growth, attribute, &Growth::attribute);
  return found == entity.growth.end() ? std::nullopt : std::optional(found->items);
}

std::int64_t FieldsBytes(const std::vector<Attribute>& fields) {
  std::int64_t bytes = 0;
  for (const Attribute& field : fields) bytes += static_cast<std::int64_t>(field.name.size()) + ElementBytes(field);
  return bytes;
}

// A byte a character; more in other scripts.
std::int64_t ElementBytes(const Attribute& attribute) {
  if (attribute.max_length) return static_cast<std::int64_t>(*attribute.max_length);
  if (!attribute.fields.empty()) return FieldsBytes(attribute.fields);
  return kUnlimitedBytes;
}

std::int64_t AttributeBytes(const Entity& entity, const Attribute& attribute) {
  const std::optional<std::int64_t> items = GrowthOf(entity, attribute.name);
  if (!items) return ElementBytes(attribute);
  return *items * (attribute.elements.empty() ? kUnlimitedBytes : ElementBytes(attribute.elements.front()));
}

void CheckSize(const Entity& entity, Findings& findings) {
  std::int64_t bytes = 0;
  const Attribute* largest = nullptr;
  std::int64_t largest_bytes = 0;
  for (const Attribute& attribute : entity.attributes) {
    const std::int64_t each = AttributeBytes(entity, attribute);
    bytes += each + static_cast<std::int64_t>(attribute.name.size());
    if (each > largest_bytes) {
      largest_bytes = each;
      largest = &attribute;
    }
    const bool can_grow = attribute.type == AttributeType::kList || IsSet(attribute.type);
    if (!can_grow || GrowthOf(entity, attribute.name)) continue;
    findings.Warning("item-too-large", attribute.place,
                     {.what = fmt::format("'{}' of '{}' can grow without end", attribute.name, entity.name),
                      .why = "An item has at most 400 KB, and every change of it is paid for by its whole size.",
                      .fix = fmt::format("Say how large it gets, growth: {{ attribute: {}, items: 100 }}, or make its "
                                         "elements items of their own.",
                                         attribute.name)});
  }
  if (largest == nullptr || bytes <= static_cast<std::int64_t>(base::kItemBytesMax)) return;
  findings.Warning(
      "item-too-large", largest->place,
      {.what = fmt::format("a '{}' can have {} KB, most of it in '{}'", entity.name, bytes / 1024, largest->name),
       .why = "An item has at most 400 KB; a write of a larger one is refused.",
       .fix = "Limit it (max-length, growth), make items of its parts, or keep it elsewhere and store "
              "where."});
}

void CheckUnique(const Entity& entity, Findings& findings) {
  for (std::size_t i = 0; i < entity.unique.size(); ++i) {
    for (const std::string& name : entity.unique[i]) {
      const Attribute* attribute = entity.Find(name);
      if (attribute == nullptr || attribute->required || attribute->generated || attribute->default_value) continue;
      findings.Note("optional-unique", entity.unique_places[i],
                    {.what = fmt::format("any number of '{}' may have no '{}'", entity.name, name),
                     .why = "A unique rule holds for items that have all of its attributes.",
                     .fix = fmt::format("Add required: true to '{}', if every item has it.", name)});
    }
  }
}

void CheckReservedWords(const Design& design, Findings& findings) {
  std::vector<std::string> words;
  const Attribute* first = nullptr;
  for (const Entity& entity : design.entities) {
    for (const Attribute& attribute : entity.attributes) {
      const bool is_new = std::ranges::find(words, attribute.name) == words.end();
      // Inside of a map it needs a placeholder just as well.
      if (!is_new || !expression::IsReservedWord(attribute.name)) continue;
      if (first == nullptr || attribute.place < first->place) first = &attribute;
      words.push_back(attribute.name);
    }
  }
  if (first == nullptr) return;
  findings.Note("reserved-word", first->place,
                {.what = fmt::format("{} {} of DynamoDB", Listed(words),
                                     words.size() == 1 ? "is a reserved word" : "are reserved words"),
                 .why = fmt::format("An expression that you send yourself needs a placeholder for {}, such as #{}. The "
                                    "operations of a design take care of that.",
                                    words.size() == 1 ? "it" : "them", words.front()),
                 .fix = "Nothing to mend; another name would spare you the placeholder."});
}

}  // namespace

void CheckItems(const Design& design, Findings& findings) {
  for (const Entity& entity : design.entities) {
    CheckSize(entity, findings);
    CheckUnique(entity, findings);
  }
  CheckReservedWords(design, findings);
}

}  // namespace taula::design
