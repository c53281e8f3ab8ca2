// One entity of a design, made ready for its items: where its attributes stand,
// which keys are made of them, what has to be filled in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/attribute_text.h"
#include "design/item_layout.h"
#include "design/model.h"
#include "taula/value.h"

namespace taula::design {

// The value at "city" or "address.city" in a map.
[[nodiscard]] std::optional<ValueView> FindField(ValueView map, std::string_view path);

// The attributes of a table's primary key.
struct KeyNames {
  explicit KeyNames(const Table& table) : partition(table.partition), sort(table.sort) {}
  [[nodiscard]] bool Has(std::string_view name) const { return name == partition.name || (sort && name == sort->name); }

  KeyPart partition;
  std::optional<KeyPart> sort;
};

// The primary key of an item as text; nothing where the item has none. Looks
// into the item.
class KeyTexts {
 public:
  KeyTexts(const KeyNames& names, ValueView item);
  KeyTexts(const KeyTexts&) = delete;
  KeyTexts& operator=(const KeyTexts&) = delete;

  [[nodiscard]] std::optional<std::string_view> partition() const { return partition_; }
  [[nodiscard]] std::optional<std::string_view> sort() const { return sort_; }

 private:
  NumberText partition_room_;
  NumberText sort_room_;
  std::optional<std::string_view> partition_;
  std::optional<std::string_view> sort_;
};

// What the references in the templates of a primary key stand for in one key,
// the partition key's first. Looks into the key's texts.
class KeyMatch {
 public:
  void Clear() {
    more_.clear();
    size_ = 0;
  }
  void Add(std::string_view text) {
    if (size_ < few_.size()) {
      few_[size_] = text;
    } else {
      more_.push_back(text);
    }
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view text(std::size_t reference) const {
    return reference < few_.size() ? few_[reference] : more_[reference - few_.size()];
  }

 private:
  // As many as a sensible key has, for which nothing is allocated.
  std::array<std::string_view, 6> few_;
  std::vector<std::string_view> more_;
  std::size_t size_ = 0;
};

struct CompiledAttribute {
  Attribute shape;
  // The attribute that it is a field of, at some depth, where a template has
  // "{address.city}". Such a one has no slot of its own.
  std::optional<std::size_t> holder;
  std::optional<ItemLayout::Slot> slot;  // nothing: it stands only in keys
  std::optional<std::size_t> reference;  // in the primary key, the first one to it
  bool is_readable_in_key = false;       // and nothing is lost there
  bool has_field_defaults = false;       // in the fields of a map
  bool may_be_absent = false;            // and nothing has to be looked at then
};

struct CompiledTemplate {
  Template text;
  std::vector<std::size_t> attributes;  // one for each part; of no meaning for literals
};

// A reference in a primary key and the attribute that it is to.
struct KeyReference {
  std::size_t attribute = 0;
  Transform transform = Transform::kNone;
  unsigned width = 0;
  std::string_view key;  // the key attribute's name, in KeyNames
};

struct DerivedKey {
  ItemLayout::Slot slot = 0;
  std::string name;
  Type type = Type::kString;
  std::optional<CompiledTemplate> text;  // nothing: the entity is not in the index
  std::uint64_t bit = 0;                 // its own; the same where two indexes share the attribute
};

struct DerivedIndex {
  std::string name;
  std::vector<DerivedKey> keys;  // those that are not the entity's own attributes
};

struct TypeMark {
  ItemLayout::Slot slot = 0;
  std::string name;
  Value value;
};

struct UniqueRule {
  struct Member {
    std::size_t attribute = 0;
    // Values are compared after it: kLower where a key has "{email:lower}".
    Transform transform = Transform::kNone;
  };
  std::vector<Member> members;
};

class CompiledEntity {
 public:
  CompiledEntity(const Design& of_design, const Table& table, const Entity& entity);
  CompiledEntity(const CompiledEntity&) = delete;
  CompiledEntity& operator=(const CompiledEntity&) = delete;

  // Whether the key's templates fit; `match` is what their references stand for,
  // or empty.
  [[nodiscard]] bool Match(const KeyTexts& key, KeyMatch& match) const;

  // Whether the item has a `type` attribute with another value.
  [[nodiscard]] const TypeMark* Contradicted(ValueView item) const;

  // "Item does not fit entity Batch of design kefir".
  [[nodiscard]] std::string DoesNotFit() const;

  [[nodiscard]] std::optional<std::size_t> FindAttribute(std::string_view attribute) const;

  // Where in its holder an attribute is, "city" for "address.city".
  [[nodiscard]] std::string_view PathInHolder(const CompiledAttribute& attribute) const;

  std::string design;
  std::string name;
  Checks checks = Checks::kEnforce;
  KeyNames key_names;
  ItemLayout layout;
  std::vector<CompiledAttribute> attributes;
  std::vector<std::pair<std::string, ItemLayout::Slot>> maps;  // that attributes are kept in
  CompiledTemplate partition;
  std::optional<CompiledTemplate> sort;
  std::vector<KeyReference> references;  // as in KeyMatch
  std::vector<std::size_t> filled;       // attributes that the database sets
  std::vector<DerivedIndex> indexes;
  std::vector<TypeMark> type;
  std::vector<UniqueRule> unique;
  std::size_t literal_size = 0;  // of the key's templates: the more, the fewer keys fit

 private:
  [[nodiscard]] bool IsConsistent(const KeyMatch& match) const;
  void AddAttribute(const Attribute& shape);
  void AddReferred(const std::string& reference);
  [[nodiscard]] CompiledTemplate Compile(const Template& text);
  void AddReferences(const CompiledTemplate& text, std::string_view key);
  void AddIndex(const Index& index, const IndexKey* templates);
  void AddDerivedKey(DerivedIndex& index, const KeyPart& part, const IndexKey* templates,
                     const std::optional<Template>* text);
  void ForgetAbsentKeysThatAreDerived();
  void AddUnique(const std::vector<std::string>& names, const Entity& entity);
};

}  // namespace taula::design
