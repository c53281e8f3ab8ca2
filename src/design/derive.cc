#include "design/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "design/attribute_text.h"
#include "design/claims.h"
#include "design/compiled_entity.h"
#include "design/entity_view.h"
#include "design/item_layout.h"
#include "design/keep_item.h"
#include "design/problems.h"
#include "design/render_key.h"
#include "design/rules.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

bool IsSecret(const Attribute& attribute) { return attribute.secret || attribute.type == AttributeType::kBcrypt; }

bool IsOnlyInIndexKeys(const CompiledAttribute& attribute) {
  return !attribute.slot && !attribute.holder && !attribute.reference;
}

// The values that a caller gave for an entity's attributes, and those that were
// made for the ones in its key.
class GivenAttributes {
 public:
  GivenAttributes(const CompiledEntity& entity, ValueView attributes) : entity_(entity), given_(attributes) {
    for (const CompiledAttribute& attribute : entity.attributes) {
      const bool is_field = attribute.holder && values_[*attribute.holder];
      values_.push_back(is_field ? FieldOf(attribute) : FindGiven(attribute.shape));
    }
  }

  // The key of a new item may be made of a new id or the time.
  void FillKey(std::int64_t now_ms) {
    for (const KeyReference& reference : entity_.references) {
      std::optional<Value>& value = values_[reference.attribute];
      if (!value) value = NewValue(entity_.attributes[reference.attribute].shape, now_ms);
    }
  }

  void AddKey(value::MapBuilder& map, Problems& problems) const {
    AddKeyPart(map, entity_.key_names.partition, entity_.partition, problems);
    if (entity_.sort) AddKeyPart(map, *entity_.key_names.sort, *entity_.sort, problems);
  }

  // Everything but the primary key.
  void AddContent(value::MapBuilder& map, std::string& bytes) const {
    for (const auto& [name, value] : given_.map()) {
      const bool is_known = entity_.FindAttribute(name) || std::ranges::find(entity_.maps, name, [](const auto& each) {
                                                             return std::string_view(each.first);
                                                           }) != entity_.maps.end();
      if (!is_known) map.Add(name, value);
    }
    AddStored(map, {});
    for (const auto& [name, slot] : entity_.maps) {
      map.Name(name);
      AddMap(name, bytes);
    }
    AddIndexKeysThatHoldValues(map);
  }

 private:
  [[nodiscard]] std::optional<Value> FindGiven(const Attribute& shape) const {
    std::optional<ValueView> found = given_.Find(shape.name);
    if (!found && !shape.map.empty()) {
      const std::optional<ValueView> map = given_.Find(shape.map);
      if (map && map->type() == Type::kMap) found = map->Find(shape.name);
    }
    return found ? std::optional<Value>(*found) : std::nullopt;
  }

  [[nodiscard]] std::optional<Value> FieldOf(const CompiledAttribute& attribute) const {
    const std::optional<ValueView> found =
        FindField(values_[*attribute.holder]->view(), entity_.PathInHolder(attribute));
    return found ? std::optional<Value>(*found) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string_view> Text(std::size_t attribute, NumberText& room) const {
    const std::optional<Value>& value = values_[attribute];
    return value ? TextOf(value->view(), room) : std::nullopt;
  }

  [[nodiscard]] RenderedKey Render(const CompiledTemplate& text, std::string& out) const {
    return RenderKey(
        text, [this](std::size_t attribute, NumberText& room) { return Text(attribute, room); }, out);
  }

  void AddKeyPart(value::MapBuilder& map, const KeyPart& part, const CompiledTemplate& text, Problems& problems) const {
    std::string key;
    const RenderedKey rendered = Render(text, key);
    if (rendered.missing) return AddMissing(part, text, *rendered.missing, problems);
    if (rendered.unreadable) return problems.Add(UnreadableClause(text, *rendered.unreadable, part.name));
    if (const std::optional<Value> value = KeyValueOf(part.type, key)) return map.Add(part.name, value->view());
    problems.Add(fmt::format("{} must be a number, not {}", part.name, Quoted(key)));
  }

  void AddMissing(const KeyPart& part, const CompiledTemplate& text, std::size_t missing, Problems& problems) const {
    const std::size_t attribute = text.attributes[missing];
    const std::string& name = entity_.attributes[attribute].shape.name;
    if (const std::optional<Value>& value = values_[attribute]) {
      problems.Add(fmt::format("{} must not be {}: {} is made of it, as {}", name, Quoted(value->view()), part.name,
                               text.text.text()));
    } else {
      problems.Add(name + " is required");
    }
  }

  void AddStored(value::MapBuilder& map, std::string_view inside) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const CompiledAttribute& attribute = entity_.attributes[i];
      if (values_[i] && attribute.slot && attribute.shape.map == inside) {
        map.Add(attribute.shape.name, values_[i]->view());
      }
    }
  }

  void AddMap(std::string_view name, std::string& bytes) const {
    value::MapBuilder map(bytes);
    const std::optional<ValueView> given = given_.Find(name);
    if (given && given->type() == Type::kMap) {
      for (const auto& [field, value] : given->map()) map.Add(field, value);
    }
    AddStored(map, name);
    map.Finish();
  }

  // Of attributes that stand nowhere else.
  void AddIndexKeysThatHoldValues(value::MapBuilder& map) const {
    for (const DerivedIndex& index : entity_.indexes) {
      for (const DerivedKey& key : index.keys) {
        const bool holds_values = key.text && std::ranges::any_of(key.text->text.parts(), [&](const auto& part) {
                                    const auto attribute = entity_.FindAttribute(part.reference);
                                    return attribute && IsOnlyInIndexKeys(entity_.attributes[*attribute]);
                                  });
        std::string text;
        if (!holds_values || Render(*key.text, text).missing) continue;
        if (const std::optional<Value> value = KeyValueOf(key.type, text)) map.Add(key.name, value->view());
      }
    }
  }

  const CompiledEntity& entity_;
  ValueView given_;
  std::vector<std::optional<Value>> values_;  // one for each attribute
};

// A map without the fields that are secret, at any depth.
Value WithoutSecrets(const Attribute& attribute, ValueView value) {
  if (value.type() != Type::kMap) return Value(value);
  std::string bytes;
  value::MapBuilder map(bytes);
  for (const auto& [name, field_value] : value.map()) {
    const auto field = std::ranges::find(attribute.fields, name, &Attribute::name);
    if (field == attribute.fields.end()) {
      map.Add(name, field_value);
    } else if (!IsSecret(*field)) {
      map.Add(name, WithoutSecrets(*field, field_value).view());
    }
  }
  map.Finish();
  return Value::FromEncoded(std::move(bytes));
}

// What an answer shows of an item.
class Answer {
 public:
  Answer(const CompiledEntity& entity, ValueView item) : entity_(entity), item_(item), map_(bytes_) {}

  Item Make() {
    for (const auto& [name, slot] : entity_.maps) {
      const std::optional<ValueView> inside = item_.Find(name);
      if (inside && inside->type() == Type::kMap) AddAll(inside->map(), name);
    }
    AddAll(item_.map(), {});
    AddFromKeys();
    map_.Finish();
    return Item::FromEncoded(std::move(bytes_));
  }

 private:
  void AddAll(MapView map, std::string_view inside) {
    for (const auto& [name, value] : map) {
      const std::optional<std::size_t> found = entity_.FindAttribute(name);
      const Attribute* const shape = found ? &entity_.attributes[*found].shape : nullptr;
      if (shape != nullptr && shape->stored && shape->map == inside) {
        if (!IsSecret(*shape)) map_.Add(name, WithoutSecrets(*shape, value).view());
      } else if (!inside.empty() || !IsHidden(name)) {
        map_.Add(name, value);
      }
    }
  }

  // Keys, marks and the map: what an item has beside its attributes.
  [[nodiscard]] bool IsHidden(std::string_view name) const {
    const auto is_name = [&](const auto& each) { return each.name == name; };
    return entity_.key_names.Has(name) || std::ranges::any_of(entity_.type, is_name) ||
           std::ranges::any_of(entity_.maps, [&](const auto& each) { return each.first == name; }) ||
           std::ranges::any_of(entity_.indexes,
                               [&](const auto& index) { return std::ranges::any_of(index.keys, is_name); });
  }

  void AddFromKeys() {
    const KeyTexts texts(entity_.key_names, item_);
    KeyMatch key;
    static_cast<void>(entity_.Match(texts, key));  // a part of an item may have no key
    const ItemEdit edit(entity_.layout, item_);
    const EntityView view(entity_, edit, key);
    for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
      const CompiledAttribute& attribute = entity_.attributes[i];
      if (IsSecret(attribute.shape) || attribute.holder || (attribute.slot && edit.Given(*attribute.slot))) continue;
      if (const std::optional<std::string_view> text = view.TextInKeys(i)) {
        map_.Add(attribute.shape.name, ValueOf(attribute.shape, *text).value_or(Value(*text)).view());
      }
    }
  }

  const CompiledEntity& entity_;
  ValueView item_;
  std::string bytes_;
  value::MapBuilder map_;
};

}  // namespace

Deriver::Deriver(const Design& design) {
  for (const Table& table : design.tables) tables_.emplace_back(table.id, MakeRules(design, table));
}

Deriver::Named Deriver::Entity(std::string_view name) const {
  for (const auto& [table, rules] : tables_) {
    if (const CompiledEntity* const found = rules->FindEntity(name)) return {*rules, *found};
  }
  std::abort();
}

Result<Item> Deriver::KeyOf(std::string_view entity, ValueView attributes) const {
  const CompiledEntity& compiled = Entity(entity).entity;
  std::string bytes;
  value::MapBuilder map(bytes);
  Problems problems;
  GivenAttributes(compiled, attributes).AddKey(map, problems);
  if (!problems.empty()) return ValidationError(problems.Message(compiled.DoesNotFit()));
  map.Finish();
  return Item::FromEncoded(std::move(bytes));
}

Result<Item> Deriver::ItemOf(std::string_view entity, ValueView attributes, std::optional<ValueView> before,
                             std::int64_t now_ms) const {
  const auto [rules, compiled] = Entity(entity);
  GivenAttributes given(compiled, attributes);
  given.FillKey(now_ms);
  std::string bytes;
  value::MapBuilder map(bytes);
  Problems problems;
  given.AddContent(map, bytes);
  given.AddKey(map, problems);
  if (!problems.empty()) return ValidationError(problems.Message(compiled.DoesNotFit()));
  map.Finish();
  Item item = Item::FromEncoded(std::move(bytes));
  Result<std::optional<Item>> kept =
      rules.KeepAs(compiled, {.before = before, .after = item.view(), .is_update = false, .now_ms = now_ms});
  if (!kept) return std::unexpected(std::move(kept.error()));
  return *kept ? std::move(**kept) : std::move(item);
}

Result<Item> Deriver::Updated(std::string_view entity, ValueView before, ValueView after, std::int64_t now_ms) const {
  const auto [rules, compiled] = Entity(entity);
  if (before == after) return Item(after);
  Result<std::optional<Item>> kept =
      rules.KeepAs(compiled, {.before = before, .after = after, .is_update = true, .now_ms = now_ms});
  if (!kept) return std::unexpected(std::move(kept.error()));
  return *kept ? std::move(**kept) : Item(after);
}

std::vector<catalog::Claim> Deriver::ClaimsOf(std::string_view entity, ValueView item) const {
  const CompiledEntity& compiled = Entity(entity).entity;
  const KeyTexts texts(compiled.key_names, item);
  KeyMatch key;
  static_cast<void>(compiled.Match(texts, key));
  return design::ClaimsOf(compiled, item, key);
}

std::optional<std::string_view> Deriver::EntityOf(std::string_view table, ValueView item) const {
  const auto found = std::ranges::find(tables_, table, [](const auto& each) { return std::string_view(each.first); });
  if (found == tables_.end()) return std::nullopt;
  const CompiledEntity* const entity = found->second->EntityOf(item);
  if (entity == nullptr) return std::nullopt;
  return entity->name;
}

Item Deriver::AttributesOf(std::string_view entity, ValueView item) const {
  return Answer(Entity(entity).entity, item).Make();
}

std::optional<ValueView> Deriver::Find(std::string_view entity, std::string_view attribute, ValueView item) const {
  const CompiledEntity& compiled = Entity(entity).entity;
  const std::optional<std::size_t> found = compiled.FindAttribute(attribute);
  if (!found || !compiled.attributes[*found].slot) return std::nullopt;
  return compiled.layout.Find(item, *compiled.attributes[*found].slot);
}

}  // namespace taula::design
