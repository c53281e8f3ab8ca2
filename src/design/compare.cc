#include "design/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace taula::design {
namespace {

class EntityComparison {
 public:
  EntityComparison(const Entity& before, const Entity& now, std::vector<std::string>& said)
      : before_(before), now_(now), said_(said) {}

  void Run() {
    CompareKeys();
    CompareIndexKeys();
    for (const Attribute& attribute : before_.attributes) {
      const Attribute* const other = now_.Find(attribute.name);
      if (other == nullptr) {
        Say("no longer has the attribute {}; items keep it until they are written without", attribute.name);
      } else {
        CompareAttribute(attribute, *other);
      }
    }
    for (const Attribute& attribute : now_.attributes) {
      if (attribute.required && before_.Find(attribute.name) == nullptr && !attribute.default_value) {
        Say("requires a new attribute {}; items without it are refused when they are next put, and can still be "
            "updated",
            attribute.name);
      }
    }
    CompareUnique();
  }

 private:
  template <typename... Parts>
  void Say(fmt::format_string<Parts...> format, Parts&&... parts) {
    said_.push_back(fmt::format("entity {} {}", now_.name, fmt::format(format, std::forward<Parts>(parts)...)));
  }

  static std::string Text(const std::optional<Template>& text) { return text ? text->text() : "none"; }

  void CompareKeys() {
    const bool same_sort = Text(before_.key.sort) == Text(now_.key.sort);
    if (before_.table != now_.table) {
      Say("moved from table {} to {}; its items are still in the old one", before_.table, now_.table);
    } else if (before_.key.partition != now_.key.partition || !same_sort) {
      Say("has another key, {} and {} instead of {} and {}; items under the old key are no longer known as its own",
          now_.key.partition.text(), Text(now_.key.sort), before_.key.partition.text(), Text(before_.key.sort));
    }
  }

  void CompareIndexKeys() {
    for (const IndexKey& key : now_.indexes) {
      const IndexKey* const other = before_.FindIndex(key.index);
      const bool same =
          other != nullptr && Text(other->partition) == Text(key.partition) && Text(other->sort) == Text(key.sort);
      if (same) continue;
      Say("has {} in index {}: {} and {}; items get them when they are next written",
          other == nullptr ? "keys" : "other keys", key.index, Text(key.partition), Text(key.sort));
    }
    for (const IndexKey& key : before_.indexes) {
      if (now_.FindIndex(key.index) == nullptr) {
        Say("is no longer in index {}; items leave it when they are next written", key.index);
      }
    }
  }

  void CompareAttribute(const Attribute& before, const Attribute& now) {
    if (before.type != now.type)
      Say("has another type for {}; items with a value of the old one are refused when they are next put, or updated "
          "there",
          now.name);
    if (before.map != now.map)
      Say("keeps {} in another place; items have it in the old one until they are next written", now.name);
    if (now.required && !before.required)
      Say("requires {} now; items without it are refused when they are next put, and can still be updated", now.name);
    std::vector<std::string> gone;
    for (const Value& value : before.values) {
      if (std::ranges::find(now.values, value) != now.values.end()) continue;
      gone.push_back(value.type() == Type::kString ? std::string(value.view().bytes()) : value.view().number_text());
    }
    if (!gone.empty() && before.type == now.type) {
      Say("no longer allows {} to be {}", now.name, fmt::join(gone, " or "));
    }
  }

  void CompareUnique() {
    for (const std::vector<std::string>& unique : now_.unique) {
      if (std::ranges::find(before_.unique, unique) == before_.unique.end()) {
        Say("has unique {} now; all items were looked through for it", fmt::join(unique, ", "));
      }
    }
    for (const std::vector<std::string>& unique : before_.unique) {
      if (std::ranges::find(now_.unique, unique) == now_.unique.end()) {
        Say("may have the same {} more than once now", fmt::join(unique, ", "));
      }
    }
  }

  const Entity& before_;
  const Entity& now_;
  std::vector<std::string>& said_;
};

}  // namespace

std::vector<std::string> CompareDesigns(const Design& before, const Design& now) {
  std::vector<std::string> said;
  for (const Entity& entity : before.entities) {
    const Entity* const other = now.FindEntity(entity.name);
    if (other == nullptr) {
      said.push_back(fmt::format("entity {} is gone; its items belong to none now", entity.name));
    } else {
      EntityComparison(entity, *other, said).Run();
    }
  }
  return said;
}

}  // namespace taula::design
