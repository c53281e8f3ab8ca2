#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "design/closest_name.h"
#include "design/load_parts.h"
#include "design/members.h"

namespace taula::design {
namespace {

std::vector<std::string_view> AttributeNames(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const Attribute& attribute : entity.attributes) names.push_back(attribute.name);
  return names;
}

// The attributes with top: true.
std::vector<std::string> ReadTop(const YamlNode& attributes, Complaints& complaints) {
  std::vector<std::string> top;
  for (const YamlMember& member : attributes.map) {
    const YamlNode* node = member.value.Find("top");
    if (node == nullptr) continue;
    const std::optional<bool> truth = AsBoolean(*node);
    if (!truth) complaints.Error("wrong-type", node->place, "'top' must be true or false");
    if (truth.value_or(false)) top.push_back(member.name);
  }
  return top;
}

EntityDefaults ReadDefaults(const YamlNode& node, Complaints& complaints) {
  EntityDefaults defaults;
  const MapReader reader(node, "'defaults'", kDefaultsMembers, complaints);
  defaults.map = reader.Text("map");
  if (const YamlNode* attributes = reader.Find("attributes")) {
    defaults.attributes = ReadAttributes(*attributes, "'attributes'", complaints);
    defaults.top = ReadTop(*attributes, complaints);
  }
  return defaults;
}

// One entity and what it is read from.
class EntityReader {
 public:
  EntityReader(const YamlMember& member, const Design& design, const EntityDefaults& defaults, Complaints& complaints)
      : design_(design),
        defaults_(defaults),
        complaints_(complaints),
        reader_(member.value, fmt::format("entity '{}'", member.name), kEntityMembers, complaints),
        entity_{.name = member.name, .place = member.place} {}

  Entity Read() {
    entity_.description = reader_.Text("description");
    entity_.checks = ReadChecks(reader_, design_.checks);
    // An empty map says: not in the default one.
    entity_.map = reader_.FindMember("map") != nullptr ? reader_.Text("map") : defaults_.map;
    ReadOwnAttributes();
    AddDefaultAttributes();
    ReadType();
    if (const Table* table = FindTable()) {
      ReadPrimaryKey(*table);
      ReadIndexKeys(*table);
    }
    ReadUnique();
    ReadSoftDelete();
    ReadGrowth();
    return std::move(entity_);
  }

 private:
  const Table* FindTable() {
    const YamlNode* node = reader_.Find("table");
    if (node == nullptr) {
      if (design_.tables.size() == 1) {
        entity_.table = design_.tables.front().id;
      } else if (!design_.tables.empty()) {
        static_cast<void>(reader_.Require("table"));
      }
    } else {
      entity_.table = reader_.Text("table");
    }
    const Table* table = design_.FindTable(entity_.table);
    if (node != nullptr && table == nullptr) {
      std::vector<std::string_view> known;
      for (const Table& each : design_.tables) known.push_back(each.id);
      complaints_.UnknownName(node->place, "the design", "table", entity_.table, known);
    }
    return table;
  }

  void ReadOwnAttributes() {
    const YamlNode* node = reader_.Find("attributes");
    if (node == nullptr) return;
    entity_.attributes = ReadAttributes(*node, fmt::format("'attributes' of {}", reader_.owner()), complaints_);
    const std::vector<std::string> top = ReadTop(*node, complaints_);
    for (Attribute& attribute : entity_.attributes) PutInMap(attribute, top);
  }

  void AddDefaultAttributes() {
    const YamlNode* own = reader_.Find("attributes");
    for (const Attribute& attribute : defaults_.attributes) {
      if (own != nullptr && own->Find(attribute.name) != nullptr) continue;
      entity_.attributes.push_back(attribute);
      PutInMap(entity_.attributes.back(), defaults_.top);
    }
  }

  void PutInMap(Attribute& attribute, const std::vector<std::string>& top) const {
    const bool is_top = std::ranges::find(top, attribute.name) != top.end();
    attribute.map = is_top || !attribute.stored ? std::string() : entity_.map;
  }

  void ReadType() {
    const YamlNode* node = reader_.Find("type");
    if (node == nullptr) return;
    const MapReader type(*node, "'type'", complaints_);
    for (const YamlMember* member : type.members()) {
      if (member->value.kind != YamlNode::Kind::kScalar) {
        complaints_.Error("wrong-type", member->value.place, "an attribute of 'type' has a fixed text or number");
      } else {
        entity_.type.emplace_back(member->name, ReadLiteral(member->value));
      }
    }
  }

  // A template whose references are attributes of the entity.
  Template ReadKeyTemplate(const YamlMember& member) {
    Template read = ReadTemplate(member.value, fmt::format("'{}'", member.name), complaints_);
    for (const Template::Part& part : read.parts()) {
      if (!part.is_reference()) continue;
      const std::string_view attribute = std::string_view(part.reference).substr(0, part.reference.find('.'));
      if (entity_.Find(attribute) != nullptr) continue;
      complaints_.Error("unknown-reference", member.value.place,
                        fmt::format("{{{}}} is no attribute of entity '{}'", part.reference, entity_.name),
                        SuggestName(attribute, AttributeNames(entity_)));
    }
    return read;
  }

  void ReadPrimaryKey(const Table& table) {
    const YamlNode* node = reader_.Require("key");
    if (node == nullptr) return;
    std::vector<std::string_view> names = {table.partition.name};
    if (table.sort) names.push_back(table.sort->name);
    const MapReader key(*node, fmt::format("'key' of {}", reader_.owner()), names, complaints_);
    if (key.Require(table.partition.name) != nullptr) {
      const YamlMember* member = key.FindMember(table.partition.name);
      entity_.key.partition = ReadKeyTemplate(*member);
      entity_.key.partition_place = member->value.place;
    }
    if (table.sort && key.Require(table.sort->name) != nullptr) {
      const YamlMember* member = key.FindMember(table.sort->name);
      entity_.key.sort = ReadKeyTemplate(*member);
      entity_.key.sort_place = member->value.place;
    }
    for (Attribute& attribute : entity_.attributes) {
      const bool in_key = entity_.key.partition.Refers(attribute.name) ||
                          (entity_.key.sort && entity_.key.sort->Refers(attribute.name));
      if (in_key) RefuseOptional(attribute);
      attribute.required |= in_key;
      attribute.immutable |= in_key;
    }
  }

  void RefuseOptional(const Attribute& attribute) {
    const YamlNode* own = reader_.Find("attributes");
    const YamlNode* written = own == nullptr ? nullptr : own->Find(attribute.name);
    const YamlNode* required = written == nullptr ? nullptr : written->Find("required");
    if (required == nullptr || AsBoolean(*required).value_or(true)) return;
    complaints_.Error(
        "optional-in-key", required->place,
        fmt::format("'{}' is in the key of '{}', so no item can be without it", attribute.name, entity_.name),
        "Leave out required: false, or take the attribute out of the key.");
  }

  // Whether an item has the attribute without a template: it is the table's, or
  // one that the entity keeps at the top.
  [[nodiscard]] bool HasItself(const Table& table, std::string_view name) const {
    if (name == table.partition.name || (table.sort && name == table.sort->name)) return true;
    const Attribute* attribute = entity_.Find(name);
    const bool is_type =
        std::ranges::find(entity_.type, name, &std::pair<std::string, Value>::first) != entity_.type.end();
    return is_type || (attribute != nullptr && attribute->stored && attribute->map.empty());
  }

  void ReadIndexKeys(const Table& table) {
    std::vector<std::string_view> names;
    for (const Index& index : table.indexes) names.push_back(index.name);
    const YamlNode* node = reader_.Find("indexes");
    if (node != nullptr) {
      const MapReader indexes(*node, fmt::format("'indexes' of {}", reader_.owner()), names, complaints_);
      for (const YamlMember* member : indexes.members()) {
        if (const Index* index = table.FindIndex(member->name)) ReadIndexKey(table, *index, *member);
      }
    }
    for (const Index& index : table.indexes) {
      if (entity_.FindIndex(index.name) != nullptr || !HasItself(table, index.partition.name)) continue;
      if (index.sort && !HasItself(table, index.sort->name)) continue;
      entity_.indexes.push_back(
          {.index = index.name, .place = entity_.place, .partition_place = entity_.place, .sort_place = entity_.place});
    }
  }

  void ReadIndexKey(const Table& table, const Index& index, const YamlMember& member) {
    IndexKey key{
        .index = index.name, .place = member.place, .partition_place = member.place, .sort_place = member.place};
    std::vector<std::string_view> names = {index.partition.name};
    if (index.sort) names.push_back(index.sort->name);
    const MapReader reader(member.value, fmt::format("index '{}' of {}", index.name, reader_.owner()), names,
                           complaints_);
    ReadIndexTemplate(table, reader, index.partition.name, key.partition, key.partition_place);
    if (index.sort) ReadIndexTemplate(table, reader, index.sort->name, key.sort, key.sort_place);
    entity_.indexes.push_back(std::move(key));
  }

  void ReadIndexTemplate(const Table& table, const MapReader& reader, std::string_view name,
                         std::optional<Template>& read, Place& place) {
    const YamlMember* member = reader.FindMember(name);
    const bool is_key = name == table.partition.name || (table.sort && name == table.sort->name);
    if (member != nullptr && is_key) {
      complaints_.Error("misplaced-member", member->place,
                        fmt::format("'{}' is in the table's key, whose template stands under 'key'", name));
    } else if (member != nullptr) {
      read = ReadKeyTemplate(*member);
      place = member->value.place;
    } else if (!HasItself(table, name)) {
      static_cast<void>(reader.Require(name));
    }
  }

  void RequireAttribute(const PlacedName& name) {
    if (entity_.Find(name.text) != nullptr) return;
    complaints_.UnknownName(name.place, reader_.owner(), "attribute", name.text, AttributeNames(entity_));
  }

  void ReadUnique() {
    const YamlNode* node = reader_.Find("unique");
    if (node == nullptr) return;
    if (node->kind == YamlNode::Kind::kScalar) {
      AddUnique(*node);
    } else if (node->kind == YamlNode::Kind::kList) {
      for (const YamlNode& each : node->list) AddUnique(each);
    } else {
      complaints_.Error("wrong-type", node->place, "'unique' must be a list of attributes, or of lists of attributes");
    }
  }

  void AddUnique(const YamlNode& node) {
    std::vector<std::string> together;
    const auto add = [&](const YamlNode& name) {
      const auto text = ReadText(name, "each of 'unique'", complaints_);
      if (!text) return;
      RequireAttribute({.text = *text, .place = name.place});
      together.push_back(*text);
    };
    if (node.kind == YamlNode::Kind::kList) {
      std::ranges::for_each(node.list, add);
    } else {
      add(node);
    }
    if (together.empty()) return;
    entity_.unique.push_back(std::move(together));
    entity_.unique_places.push_back(node.place);
  }

  void ReadSoftDelete() {
    const YamlNode* node = reader_.Find("soft-delete");
    if (node == nullptr) return;
    entity_.soft_delete = reader_.Text("soft-delete");
    entity_.soft_delete_place = node->place;
    RequireAttribute({.text = entity_.soft_delete, .place = node->place});
    const Attribute* attribute = entity_.Find(entity_.soft_delete);
    if (attribute != nullptr && attribute->type != AttributeType::kTimestamp) {
      complaints_.Error("wrong-type", node->place,
                        fmt::format("'{}' must be a timestamp to say when an item was deleted", attribute->name));
    }
  }

  void ReadGrowth() {
    const YamlNode* node = reader_.Find("growth");
    if (node == nullptr) return;
    if (node->kind == YamlNode::Kind::kList) {
      for (const YamlNode& each : node->list) AddGrowth(each);
    } else {
      AddGrowth(*node);
    }
  }

  void AddGrowth(const YamlNode& node) {
    constexpr std::int64_t kItemsMax = 1'000'000'000;
    const MapReader reader(node, "'growth'", kGrowthMembers, complaints_);
    Growth growth{.attribute = reader.RequireText("attribute"), .place = node.place};
    if (reader.Require("items") != nullptr) growth.items = reader.Integer("items", 0, kItemsMax).value_or(0);
    if (const YamlNode* name = reader.Find("attribute")) {
      RequireAttribute({.text = growth.attribute, .place = name->place});
    }
    entity_.growth.push_back(std::move(growth));
  }

  const Design& design_;
  const EntityDefaults& defaults_;
  Complaints& complaints_;
  MapReader reader_;
  Entity entity_;
};

}  // namespace

Checks ReadChecks(const MapReader& owner, Checks otherwise) {
  constexpr std::array<std::pair<std::string_view, Checks>, 3> kChecks = {
      {{"enforce", Checks::kEnforce}, {"warn", Checks::kWarn}, {"off", Checks::kOff}}};
  return owner.Choice<Checks>("checks", kChecks, otherwise);
}

std::vector<Entity> ReadEntities(const YamlNode& node, const Design& design, const YamlNode* defaults,
                                 Complaints& complaints) {
  const EntityDefaults shared = defaults == nullptr ? EntityDefaults{} : ReadDefaults(*defaults, complaints);
  std::vector<Entity> entities;
  const MapReader reader(node, "'entities'", complaints);
  for (const YamlMember* member : reader.members()) {
    RequireName(member->name, member->place, "an entity", complaints);
    entities.push_back(EntityReader(*member, design, shared, complaints).Read());
  }
  if (reader.is_empty_map()) {
    complaints.Error("missing-member", node.place, "'entities' is empty, and a design needs an entity",
                     "Add one: User: { key: { PK: \"USER#{id}\" }, attributes: { id: ulid } }.");
  }
  return entities;
}

}  // namespace taula::design
