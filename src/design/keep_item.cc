#include "design/keep_item.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/random_id.h"
#include "base/timestamp.h"
#include "base/ulid.h"
#include "design/attribute_check.h"
#include "design/entity_view.h"
#include "design/problems.h"
#include "design/render_key.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

using Slot = ItemLayout::Slot;

Value TimeValue(TimeFormat format, std::int64_t now_ms) {
  switch (format) {
    case TimeFormat::kSeconds:
      return {base::IsoTimestampSeconds(now_ms)};
    case TimeFormat::kEpoch:
      return {now_ms / 1000};
    case TimeFormat::kMilliseconds:
      break;
  }
  return {base::IsoTimestamp(now_ms)};
}

Value NewId(const Attribute& attribute, std::int64_t now_ms) {
  return {attribute.prefix + (attribute.type == AttributeType::kUuid ? base::UuidV4() : base::Ulid(now_ms))};
}

// A map with the defaults of its fields; nothing when it has all of them.
std::optional<Value> WithFieldDefaults(const Attribute& attribute, ValueView map) {
  if (map.type() != Type::kMap) return std::nullopt;
  std::string bytes;
  value::MapBuilder builder(bytes);
  for (const auto& [name, value] : map.map()) builder.Add(name, value);
  bool is_changed = false;
  for (const Attribute& field : attribute.fields) {
    const std::optional<ValueView> given = map.Find(field.name);
    const std::optional<Value> filled = given ? WithFieldDefaults(field, *given) : field.default_value;
    if (!filled) continue;
    builder.Add(field.name, filled->view());  // the last one of a name stays
    is_changed = true;
  }
  if (!is_changed) return std::nullopt;
  builder.Finish();
  return Value::FromEncoded(std::move(bytes));
}

// Whether a text in a key may be wrong at all.
bool NeedsCheck(const Attribute& shape) {
  const bool is_free = shape.type == AttributeType::kString || shape.type == AttributeType::kAny;
  return !is_free || shape.min_length || shape.max_length;
}

// One item on its way through the rules.
class Pass {
 public:
  Pass(const CompiledEntity& entity, const catalog::ItemChange& change, const KeyMatch& key)
      : entity_(entity), change_(change), key_(key), item_(entity.layout, change.after), view_(entity, item_, key) {}

  void Run() {
    MarkType();
    for (const std::size_t attribute : entity_.filled) Fill(entity_.attributes[attribute]);
    if (has_checks()) Check();
    DeriveKeys();
  }

  [[nodiscard]] const Problems& problems() const { return problems_; }
  [[nodiscard]] const ItemEdit& item() const { return item_; }

 private:
  [[nodiscard]] bool has_checks() const { return entity_.checks != Checks::kOff; }
  // A put makes the whole item; an update only changes one that is there.
  [[nodiscard]] bool is_whole() const { return !change_.before || !change_.is_update; }

  // An update answers only for what it touches: an item that was wrong before
  // can be changed elsewhere.
  [[nodiscard]] bool IsUntouched(Slot slot) const { return !is_whole() && Before(slot) == item_.Find(slot); }
  [[nodiscard]] bool IsUntouched(const CompiledAttribute& attribute) const {
    // Keys do not change, and neither does what stands only there.
    return attribute.slot ? IsUntouched(*attribute.slot) : !is_whole();
  }

  [[nodiscard]] std::optional<ValueView> Before(Slot slot) const {
    return change_.before ? entity_.layout.Find(*change_.before, slot) : std::nullopt;
  }

  // Most items have several times of one format.
  void SetNow(Slot slot, TimeFormat format) {
    if (format == TimeFormat::kEpoch) return item_.Set(slot, TimeValue(format, change_.now_ms).view());
    if (format != now_format_) {
      now_ = format == TimeFormat::kSeconds ? base::WriteIsoTimestampSeconds(now_room_, change_.now_ms)
                                            : base::WriteIsoTimestamp(now_room_, change_.now_ms);
      now_format_ = format;
    }
    item_.SetString(slot, now_);
  }

  // Values that contradict were found before, when the entity was looked for.
  void MarkType() {
    for (const TypeMark& mark : entity_.type) {
      if (!item_.Find(mark.slot)) item_.Set(mark.slot, mark.value.view());
    }
  }

  void Fill(const CompiledAttribute& attribute) {
    const Attribute& shape = attribute.shape;
    const Slot slot = *attribute.slot;
    if (attribute.is_readable_in_key || !item_.CanHold(slot)) return;
    const std::optional<ValueView> given = item_.Find(slot);
    if (shape.set == SetWhen::kOnWrite) {
      const bool is_left_alone = change_.is_update && given && given == Before(slot);
      if (!given || is_left_alone) SetNow(slot, shape.format);
      return;
    }
    if (!is_whole()) return;
    if (given) {
      if (attribute.has_field_defaults) FillFields(attribute, *given);
      return;
    }
    const bool is_kept = shape.set == SetWhen::kOnCreate || shape.generated;
    if (const std::optional<ValueView> old = is_kept ? Before(slot) : std::nullopt) {
      item_.Set(slot, *old);
    } else if (shape.set != SetWhen::kNever) {
      SetNow(slot, shape.format);
    } else if (const std::optional<Value> value = NewValue(shape, change_.now_ms)) {
      item_.Set(slot, value->view());
      if (attribute.has_field_defaults) FillFields(attribute, value->view());
    }
  }

  void FillFields(const CompiledAttribute& attribute, ValueView map) {
    if (const std::optional<Value> filled = WithFieldDefaults(attribute.shape, map)) {
      item_.Set(*attribute.slot, filled->view());
    }
  }

  void Check() {
    for (const auto& [name, slot] : entity_.maps) {
      const std::optional<ValueView> map = item_.Given(slot);
      if (!map || IsUntouched(slot)) continue;
      if (map->type() != Type::kMap) problems_.Add(fmt::format("{} must be a map, not {}", name, Quoted(*map)));
    }
    for (const CompiledAttribute& attribute : entity_.attributes) CheckAttribute(attribute);
    for (std::size_t i = 0; i < entity_.references.size(); ++i) CheckAgreement(i);
  }

  void CheckAttribute(const CompiledAttribute& attribute) {
    const Attribute& shape = attribute.shape;
    const std::optional<ValueView> stored = attribute.slot ? item_.Find(*attribute.slot) : std::nullopt;
    if ((!stored && attribute.may_be_absent) || IsUntouched(attribute)) return;
    const AttributePath map{.name = shape.map};
    const AttributePath path{.name = shape.name, .parent = shape.map.empty() ? nullptr : &map};
    if (stored) {
      // Times and ids that were made just now are right.
      const bool is_made = item_.IsMade(*attribute.slot) && (shape.set != SetWhen::kNever || shape.generated);
      if (!is_made) CheckValue(shape, *stored, path, problems_, is_whole() ? std::nullopt : Before(*attribute.slot));
    } else if (attribute.reference || !attribute.slot) {
      CheckInKeys(attribute, path);
    } else if (shape.required) {
      problems_.Add(path.Text() + " is required");
    }
    if (shape.immutable && attribute.slot && !attribute.reference) CheckUnchanged(attribute, path);
  }

  // One that is not stored.
  void CheckInKeys(const CompiledAttribute& attribute, const AttributePath& path) {
    const auto index = static_cast<std::size_t>(&attribute - entity_.attributes.data());
    if (const std::optional<std::string_view> text = view_.TextInKeys(index)) {
      if (attribute.is_readable_in_key && NeedsCheck(attribute.shape)) CheckText(attribute.shape, *text, path);
    } else if (attribute.shape.required) {
      problems_.Add(path.Text() + " is required");
    }
  }

  // A value that stands only in the key.
  void CheckText(const Attribute& shape, std::string_view text, const AttributePath& path) {
    const std::optional<Value> value = ValueOf(shape, text);
    CheckValue(shape, value ? value->view() : Value(text).view(), path, problems_);
  }

  void CheckUnchanged(const CompiledAttribute& attribute, const AttributePath& path) {
    const std::optional<ValueView> old = Before(*attribute.slot);
    if (!old) return;
    const std::optional<ValueView> now = item_.Find(*attribute.slot);
    if (now == old) return;
    if (attribute.shape.secret) {
      problems_.Add(path.Text() + " may not change");
    } else if (now) {
      problems_.Add(fmt::format("{} may not change from {} to {}", path.Text(), Quoted(*old), Quoted(*now)));
    } else {
      problems_.Add(fmt::format("{} may not be removed; it is {}", path.Text(), Quoted(*old)));
    }
  }

  // What is stored and also stands in the key must be the same.
  void CheckAgreement(std::size_t reference) {
    const KeyReference& in_key = entity_.references[reference];
    const std::optional<ValueView> stored = view_.Stored(in_key.attribute);
    if (!stored || IsUntouched(entity_.attributes[in_key.attribute])) return;
    NumberText room;
    const std::optional<std::string_view> text = TextOf(*stored, room);
    const std::string_view wanted = key_.text(reference);
    if (in_key.transform == Transform::kNone && text == wanted) return;
    const std::optional<std::string> transformed =
        text ? Apply(in_key.transform, in_key.width, *text) : std::optional<std::string>();
    if (transformed == wanted) return;
    problems_.Add(fmt::format("{} is {}, but {} says {}", entity_.attributes[in_key.attribute].shape.name,
                              Quoted(*stored), in_key.key, Quoted(wanted)));
  }

  void DeriveKeys() {
    std::uint64_t derived = 0;
    for (const DerivedIndex& index : entity_.indexes) {
      if (!RenderIndex(index)) continue;
      for (std::size_t i = 0; i < index.keys.size(); ++i) {
        PlaceKey(index.keys[i], texts_[i]);
        derived |= index.keys[i].bit;
      }
    }
    for (const DerivedIndex& index : entity_.indexes) {
      for (const DerivedKey& key : index.keys) {
        if ((derived & key.bit) == 0) RemoveKey(index, key);
      }
    }
  }

  // Writes the texts of all keys of the index; false when the item is not in it.
  bool RenderIndex(const DerivedIndex& index) {
    constexpr std::size_t kKeyBytesUsually = 80;
    bool is_complete = true;
    for (std::size_t i = 0; i < index.keys.size(); ++i) {
      const DerivedKey& key = index.keys[i];
      if (!key.text) return false;
      texts_[i].reserve(kKeyBytesUsually);
      const RenderedKey rendered = RenderKey(
          *key.text, [&](std::size_t attribute, NumberText& room) { return view_.Text(attribute, room); }, texts_[i]);
      if (rendered.missing || texts_[i].empty()) is_complete = false;
      if (rendered.missing && has_checks()) CheckMissing(key, *rendered.missing);
      if (rendered.unreadable && has_checks() && !IsUntouched(AttributeOf(key, *rendered.unreadable))) {
        problems_.Add(UnreadableClause(*key.text, *rendered.unreadable, key.name));
      }
    }
    return is_complete;
  }

  // An attribute may be absent, but not there and of no use.
  void CheckMissing(const DerivedKey& key, std::size_t part) {
    const std::optional<ValueView> stored = view_.Stored(key.text->attributes[part]);
    const CompiledAttribute& attribute = AttributeOf(key, part);
    if (!stored || IsUntouched(attribute)) return;
    problems_.Add(fmt::format("{} must not be {}: {} is made of it, as {}", attribute.shape.name, Quoted(*stored),
                              key.name, key.text->text.text()));
  }

  [[nodiscard]] const CompiledAttribute& AttributeOf(const DerivedKey& key, std::size_t part) const {
    return entity_.attributes[key.text->attributes[part]];
  }

  void PlaceKey(const DerivedKey& key, std::string_view text) {
    const std::optional<ValueView> given = item_.Find(key.slot);
    if (key.type == Type::kString) {
      if (given && given->type() == Type::kString && given->bytes() == text) return;
      if (given) CheckGivenKey(key, *given, Quoted(text));
      item_.SetString(key.slot, text);
      return;
    }
    const std::optional<Value> value = KeyValueOf(key.type, text);
    if (!value) return RemoveKeyOfWrongType(key, text);
    if (given && *given == value->view()) return;
    if (given) CheckGivenKey(key, *given, Quoted(value->view()));
    item_.Set(key.slot, value->view());
  }

  void RemoveKeyOfWrongType(const DerivedKey& key, std::string_view text) {
    // Such a key is one attribute and nothing else.
    if (has_checks() && !IsUntouched(AttributeOf(key, 0))) {
      problems_.Add(fmt::format("{} must be a number, not {}", key.name, Quoted(text)));
    }
    item_.Remove(key.slot);
  }

  // A key that the client gave, other than one that it only left or sent back as
  // it was.
  void CheckGivenKey(const DerivedKey& key, ValueView given, std::string_view derived) {
    if (!has_checks() || Before(key.slot) == given) return;
    problems_.Add(fmt::format("{} must be {}, which the design derives, not {}", key.name, derived, Quoted(given)));
  }

  void RemoveKey(const DerivedIndex& index, const DerivedKey& key) {
    const std::optional<ValueView> given = item_.Find(key.slot);
    if (!given) return;
    if (has_checks() && Before(key.slot) != given) {
      problems_.Add(fmt::format("{} must not be given, but is {}: the item is not in index {}", key.name,
                                Quoted(*given), index.name));
    }
    item_.Remove(key.slot);
  }

  const CompiledEntity& entity_;
  const catalog::ItemChange& change_;
  const KeyMatch& key_;
  ItemEdit item_;
  EntityView view_;
  Problems problems_;
  std::array<std::string, 2> texts_;  // of the keys of one index
  base::IsoTimestampText now_room_;
  std::string_view now_;  // in now_format_
  std::optional<TimeFormat> now_format_;
};

}  // namespace

Result<std::optional<Item>> KeepItem(const CompiledEntity& entity, const catalog::ItemChange& change,
                                     const KeyMatch& key, WarningLog& warnings) {
  Pass pass(entity, change, key);
  pass.Run();
  if (!pass.problems().empty()) {
    const Result<void> reported = Report(entity.checks, pass.problems().Message(entity.DoesNotFit()), warnings);
    if (!reported) return std::unexpected(reported.error());
  }
  if (!pass.item().is_changed()) return std::nullopt;
  return pass.item().Changed();
}

Result<void> Report(Checks checks, std::string message, WarningLog& warnings) {
  if (checks == Checks::kEnforce) return ValidationError(std::move(message));
  if (checks == Checks::kWarn) warnings.Write(message);
  return {};
}

std::optional<Value> NewValue(const Attribute& attribute, std::int64_t now_ms) {
  if (attribute.set != SetWhen::kNever) return TimeValue(attribute.format, now_ms);
  if (attribute.generated) return NewId(attribute, now_ms);
  return attribute.default_value;
}

}  // namespace taula::design
