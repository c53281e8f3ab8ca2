// Entities whose items can have one and the same key.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "design/check/families.h"
#include "design/check/portable_form.h"
#include "design/key_language.h"

namespace taula::design {
namespace {

// Most keys are told apart by their first letters, and that is quick to see.
bool BeginAlike(const Template& a, const Template& b) {
  const auto beginning = [](const Template& text) -> std::string_view {
    const bool has_one = !text.parts().empty() && !text.parts().front().is_reference();
    return has_one ? std::string_view(text.parts().front().literal) : std::string_view();
  };
  const std::size_t size = std::min(beginning(a).size(), beginning(b).size());
  return beginning(a).substr(0, size) == beginning(b).substr(0, size);
}

bool BeginAlike(const Entity& a, const Entity& b) {
  if (!BeginAlike(a.key.partition, b.key.partition)) return false;
  return !a.key.sort || !b.key.sort || BeginAlike(*a.key.sort, *b.key.sort);
}

bool CanMeet(const Template& a, const Entity& of_a, const Template& b, const Entity& of_b, KeyLanguage::Text strings) {
  const std::string separators = SeparatorsOf(a) + SeparatorsOf(b);
  return KeyLanguage::Of(a, of_a, strings, separators).Intersects(KeyLanguage::Of(b, of_b, strings, separators));
}

bool CanMeet(const Entity& a, const Entity& b, KeyLanguage::Text strings) {
  if (!CanMeet(a.key.partition, a, b.key.partition, b, strings)) return false;
  return !a.key.sort || !b.key.sort || CanMeet(*a.key.sort, a, *b.key.sort, b, strings);
}

bool LooksAlike(const Entity& a, const Entity& b) {
  if (!a.key.partition.Overlaps(b.key.partition)) return false;
  return !a.key.sort || !b.key.sort || a.key.sort->Overlaps(*b.key.sort);
}

bool HaveDifferentTypes(const Entity& a, const Entity& b) {
  for (const auto& [name, value] : a.type) {
    for (const auto& [other_name, other_value] : b.type) {
      if (name == other_name && !(value == other_value)) return true;
    }
  }
  return false;
}

std::string KeyOf(const Entity& entity) {
  std::string key = "\"" + entity.key.partition.text() + "\"";
  if (entity.key.sort) key += ", \"" + entity.key.sort->text() + "\"";
  return key;
}

// A beginning that neither of the keys has.
std::string NewBeginning(const Entity& first, const Entity& second) {
  for (const Entity* entity : {&second, &first}) {
    std::string word = KeyWord(entity->name) + "#";
    if (!KeyOf(first).contains(word) && !KeyOf(second).contains(word)) return word;
  }
  return KeyWord(second.name) + "_" + KeyWord(first.name) + "#";
}

void CheckPair(const Entity& first, const Entity& second, Findings& findings) {
  if (!BeginAlike(first, second)) return;
  const Place place = second.key.sort ? second.key.sort_place : second.key.partition_place;
  const std::string keys = fmt::format("{} and {}", KeyOf(first), KeyOf(second));
  if (CanMeet(first, second, KeyLanguage::Text::kOrdinary)) {
    findings.Error("key-collision", place,
                   {.what = fmt::format("items of '{}' and '{}' can have the same key", first.name, second.name),
                    .why = fmt::format("{} can come to one text; then writing one item replaces the other.", keys),
                    .fix = fmt::format("Begin the {} of one of them with a word of its own, such as \"{}\".",
                                       second.key.sort ? "sort key" : "partition key", NewBeginning(first, second))});
  } else if (CanMeet(first, second, KeyLanguage::Text::kAny)) {
    findings.Warning(
        "key-collision", place,
        {.what = fmt::format("items of '{}' and '{}' can have the same key if an attribute holds a separator",
                             first.name, second.name),
         .why = fmt::format("{} come to one text for some values with punctuation in them.", keys),
         .fix = "Give the attributes types that cannot hold it, such as ulid, uuid or enum, or let the keys begin "
                "with different words."});
  } else if (LooksAlike(first, second) && !HaveDifferentTypes(first, second)) {
    findings.Warning(
        "key-collision", place,
        {.what = fmt::format("a key of '{}' also looks like one of '{}'", first.name, second.name),
         .why = fmt::format("An item's entity is recognised by its key. {} differ only by the types of what stands "
                            "in them.",
                            keys),
         .fix = "Let the keys begin with different words, or mark the entities with a 'type' each."});
  }
}

}  // namespace

void CheckCollisions(const Design& design, Findings& findings) {
  for (std::size_t i = 0; i < design.entities.size(); ++i) {
    for (std::size_t j = i + 1; j < design.entities.size(); ++j) {
      const Entity& first = design.entities[i];
      const Entity& second = design.entities[j];
      if (first.table == second.table) CheckPair(first, second, findings);
    }
  }
}

}  // namespace taula::design
