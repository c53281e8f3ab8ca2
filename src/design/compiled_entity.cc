#include "design/compiled_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace taula::design {
namespace {

// Whether the attribute can be read from what the transform makes of it.
bool IsReadable(Transform transform) { return transform == Transform::kNone || transform == Transform::kPad; }

bool HasFieldDefaults(const Attribute& attribute) {
  return std::ranges::any_of(attribute.fields, [](const Attribute& field) {
    return field.default_value.has_value() || HasFieldDefaults(field);
  });
}

bool IsFilled(const CompiledAttribute& attribute) {
  const Attribute& shape = attribute.shape;
  return attribute.slot.has_value() &&
         (shape.generated || shape.default_value || shape.set != SetWhen::kNever || attribute.has_field_defaults);
}

std::size_t LiteralSize(const Template& text) {
  std::size_t size = 0;
  for (const Template::Part& part : text.parts()) size += part.literal.size();
  return size;
}

// The transform that makes upper and lower case one, where some key has it.
Transform CaseTransform(const Entity& entity, std::string_view attribute) {
  Transform found = Transform::kNone;
  const auto look = [&](const std::optional<Template>& text) {
    if (!text) return;
    for (const Template::Part& part : text->parts()) {
      const bool folds_case = part.transform == Transform::kLower || part.transform == Transform::kUpper;
      if (part.reference == attribute && folds_case) found = part.transform;
    }
  };
  look(entity.key.partition);
  look(entity.key.sort);
  for (const IndexKey& index : entity.indexes) {
    look(index.partition);
    look(index.sort);
  }
  return found;
}

}  // namespace

std::optional<ValueView> FindField(ValueView map, std::string_view path) {
  std::optional<ValueView> found = map;
  while (found && !path.empty()) {
    if (found->type() != Type::kMap) return std::nullopt;
    const std::size_t dot = std::min(path.find('.'), path.size());
    found = found->Find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return found;
}

KeyTexts::KeyTexts(const KeyNames& names, ValueView item) {
  if (const auto value = item.Find(names.partition.name)) partition_ = TextOf(*value, partition_room_);
  if (!names.sort) return;
  if (const auto value = item.Find(names.sort->name)) sort_ = TextOf(*value, sort_room_);
}

CompiledEntity::CompiledEntity(const Design& of_design, const Table& table, const Entity& entity)
    : design(of_design.name), name(entity.name), checks(entity.checks), key_names(table) {
  for (const auto& [mark, value] : entity.type) type.push_back({layout.Add({}, mark), mark, value});
  for (const Attribute& attribute : entity.attributes) AddAttribute(attribute);
  partition = Compile(entity.key.partition);
  AddReferences(partition, key_names.partition.name);
  literal_size = LiteralSize(entity.key.partition);
  if (entity.key.sort && key_names.sort) {
    sort = Compile(*entity.key.sort);
    AddReferences(*sort, key_names.sort->name);
    literal_size += LiteralSize(*entity.key.sort);
  }
  for (const Index& index : table.indexes) AddIndex(index, entity.FindIndex(index.name));
  ForgetAbsentKeysThatAreDerived();
  for (const std::vector<std::string>& names : entity.unique) AddUnique(names, entity);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    CompiledAttribute& attribute = attributes[i];
    const bool is_key = attribute.shape.map.empty() && key_names.Has(attribute.shape.name);
    if (IsFilled(attribute) && !is_key) filled.push_back(i);
    attribute.may_be_absent =
        attribute.slot && !attribute.reference && !attribute.shape.required && !attribute.shape.immutable;
  }
}

void CompiledEntity::AddAttribute(const Attribute& shape) {
  CompiledAttribute added{.shape = shape};
  if (shape.stored) added.slot = layout.Add(shape.map, shape.name);
  added.has_field_defaults = HasFieldDefaults(shape);
  attributes.push_back(std::move(added));
  if (shape.map.empty() || std::ranges::find(maps, shape.map, &decltype(maps)::value_type::first) != maps.end()) return;
  maps.emplace_back(shape.map, layout.Add({}, shape.map));
}

CompiledTemplate CompiledEntity::Compile(const Template& text) {
  CompiledTemplate compiled{.text = text, .attributes = {}};
  for (const Template::Part& part : text.parts()) {
    if (part.is_reference() && !FindAttribute(part.reference)) AddReferred(part.reference);
    compiled.attributes.push_back(FindAttribute(part.reference).value_or(0));
  }
  return compiled;
}

// A field, or an attribute that was never declared.
void CompiledEntity::AddReferred(const std::string& reference) {
  Attribute referred;
  referred.name = reference;
  referred.type = AttributeType::kAny;
  const std::size_t dot = reference.find('.');
  if (dot == std::string::npos) return AddAttribute(referred);
  const std::string holder = reference.substr(0, dot);
  if (!FindAttribute(holder)) AddReferred(holder);
  attributes.push_back({.shape = std::move(referred), .holder = FindAttribute(holder), .slot = {}, .reference = {}});
}

void CompiledEntity::AddReferences(const CompiledTemplate& text, std::string_view key) {
  for (std::size_t i = 0; i < text.attributes.size(); ++i) {
    const Template::Part& part = text.text.parts()[i];
    if (!part.is_reference()) continue;
    CompiledAttribute& attribute = attributes[text.attributes[i]];
    const bool is_better = !attribute.reference || (!attribute.is_readable_in_key && IsReadable(part.transform));
    if (is_better) {
      attribute.reference = references.size();
      attribute.is_readable_in_key = IsReadable(part.transform);
    }
    references.push_back({text.attributes[i], part.transform, part.width, key});
  }
}

void CompiledEntity::AddIndex(const Index& index, const IndexKey* templates) {
  DerivedIndex added{.name = index.name, .keys = {}};
  AddDerivedKey(added, index.partition, templates, templates == nullptr ? nullptr : &templates->partition);
  if (index.sort) AddDerivedKey(added, *index.sort, templates, templates == nullptr ? nullptr : &templates->sort);
  if (!added.keys.empty()) indexes.push_back(std::move(added));
}

// Nothing is derived for the table's own key and for the entity's own
// attributes.
void CompiledEntity::AddDerivedKey(DerivedIndex& index, const KeyPart& part, const IndexKey* templates,
                                   const std::optional<Template>* text) {
  if (key_names.Has(part.name)) return;
  const bool is_own = std::ranges::find(type, part.name, &TypeMark::name) != type.end() ||
                      std::ranges::any_of(attributes, [&](const CompiledAttribute& attribute) {
                        return attribute.shape.name == part.name && attribute.shape.map.empty() && attribute.slot;
                      });
  const bool has_template = templates != nullptr && text->has_value();
  if (templates != nullptr && !has_template) return;
  if (is_own && (!has_template || (*text)->is_single_reference())) return;
  DerivedKey added{.slot = layout.Add({}, part.name), .name = part.name, .type = part.type, .text = {}};
  if (has_template) added.text = Compile(**text);
  std::uint64_t bits = 0;
  for (const DerivedIndex& other : indexes) {
    for (const DerivedKey& key : other.keys) {
      bits |= key.bit;
      if (key.slot == added.slot) added.bit = key.bit;
    }
  }
  for (const DerivedKey& key : index.keys) bits |= key.bit;
  if (added.bit == 0) added.bit = std::uint64_t{1} << static_cast<unsigned>(std::countr_one(bits));
  index.keys.push_back(std::move(added));
}

// An index that the entity is in may share an attribute with one that it is not
// in.
void CompiledEntity::ForgetAbsentKeysThatAreDerived() {
  std::uint64_t derived = 0;
  for (const DerivedIndex& index : indexes) {
    for (const DerivedKey& key : index.keys) derived |= key.text ? key.bit : 0;
  }
  for (DerivedIndex& index : indexes) {
    std::erase_if(index.keys, [&](const DerivedKey& key) { return !key.text && (key.bit & derived) != 0; });
  }
}

void CompiledEntity::AddUnique(const std::vector<std::string>& names, const Entity& entity) {
  UniqueRule rule;
  for (const std::string& attribute : names) {
    const std::optional<std::size_t> found = FindAttribute(attribute);
    if (!found) return;
    rule.members.push_back({*found, CaseTransform(entity, attribute)});
  }
  if (!rule.members.empty()) unique.push_back(std::move(rule));
}

bool CompiledEntity::Match(const KeyTexts& key, KeyMatch& match) const {
  match.Clear();
  // What begins otherwise is most of what does not fit.
  if (!key.partition() || !key.partition()->starts_with(partition.text.Prefix())) return false;
  if (sort && (!key.sort() || !key.sort()->starts_with(sort->text.Prefix()))) return false;
  const auto add = [&](std::string_view, std::string_view text) { match.Add(text); };
  const bool fits = partition.text.MatchEach(*key.partition(), add) &&
                    (!sort || sort->text.MatchEach(*key.sort(), add)) && IsConsistent(match);
  if (!fits) match.Clear();
  return fits;
}

// An attribute that stands in the key twice must be the same.
bool CompiledEntity::IsConsistent(const KeyMatch& match) const {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::size_t first = *attributes[references[i].attribute].reference;
    if (first != i && references[first].transform == references[i].transform && match.text(first) != match.text(i)) {
      return false;
    }
  }
  return true;
}

const TypeMark* CompiledEntity::Contradicted(ValueView item) const {
  for (const TypeMark& mark : type) {
    const std::optional<ValueView> value = item.Find(mark.name);
    if (value && *value != mark.value.view()) return &mark;
  }
  return nullptr;
}

std::string CompiledEntity::DoesNotFit() const {
  return fmt::format("Item does not fit entity {} of design {}", name, design);
}

std::optional<std::size_t> CompiledEntity::FindAttribute(std::string_view attribute) const {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].shape.name == attribute) return i;
  }
  return std::nullopt;
}

std::string_view CompiledEntity::PathInHolder(const CompiledAttribute& attribute) const {
  return std::string_view(attribute.shape.name).substr(attributes[*attribute.holder].shape.name.size() + 1);
}

}  // namespace taula::design
