#include "design/item_layout.h"

#include <algorithm>

#include "base/bytes.h"
#include "value/encoding.h"

namespace taula::design {

ItemLayout::Slot ItemLayout::Add(std::string_view map, std::string_view name) {
  if (map.empty()) return AddTo(kTop, name);
  const Slot holder = AddTo(kTop, map);
  if (slots_[holder].content == kTop) {
    slots_[holder].content = static_cast<std::uint32_t>(levels_.size());
    levels_.push_back({.map = holder, .slots = {}});
  }
  return AddTo(slots_[holder].content, name);
}

ItemLayout::Slot ItemLayout::AddTo(std::uint32_t level, std::string_view name) {
  std::vector<Slot>& slots = levels_[level].slots;
  const auto by_name = [&](Slot slot) { return std::string_view(slots_[slot].name); };
  const auto at = std::ranges::lower_bound(slots, name, {}, by_name);
  if (at != slots.end() && by_name(*at) == name) return *at;
  const auto added = static_cast<Slot>(slots_.size());
  slots.insert(at, added);
  slots_.push_back({.name = std::string(name), .level = level});
  return added;
}

ItemEdit::ItemEdit(const ItemLayout& layout, ValueView item)
    : layout_(layout), item_(item), states_(layout.slots_.size()) {
  Read(layout_.levels_[ItemLayout::kTop], item_.map());
}

// Both are in order of their names.
void ItemEdit::Read(const ItemLayout::Level& level, MapView map) {
  const char* at = map.content().data();
  const char* const end = at + map.content().size();
  for (const Slot slot : level.slots) {
    const std::string_view wanted = layout_.slots_[slot].name;
    while (at != end) {
      const char* behind_length = at;
      const std::uint32_t length = base::ReadVarint(behind_length);
      const int order = std::string_view(behind_length, length).compare(wanted);
      if (order > 0) break;
      const char* const value = behind_length + length;
      at = value::SkipValue(value);
      if (order < 0) continue;
      states_[slot].given = value;
      const std::uint32_t content = layout_.slots_[slot].content;
      if (content != ItemLayout::kTop && ValueView(value).type() == Type::kMap) {
        Read(layout_.levels_[content], ValueView(value).map());
      }
      break;
    }
  }
}

std::optional<ValueView> ItemEdit::Find(Slot slot) const {
  const std::uint32_t change = states_[slot].change;
  if (change >= kFirstMade) return ValueView(made_.data() + (change - kFirstMade));
  if (change == kRemoved) return std::nullopt;
  return Given(slot);
}

std::optional<ValueView> ItemEdit::Given(Slot slot) const {
  const char* const given = states_[slot].given;
  if (given == nullptr) return std::nullopt;
  return ValueView(given);
}

bool ItemEdit::CanHold(Slot slot) const {
  const std::uint32_t level = layout_.slots_[slot].level;
  if (level == ItemLayout::kTop) return true;
  const std::optional<ValueView> map = Given(layout_.levels_[level].map);
  return !map || map->type() == Type::kMap;
}

void ItemEdit::Set(Slot slot, ValueView value) {
  const std::string_view encoded = value.encoded();
  Mark(slot, static_cast<std::uint32_t>(kFirstMade + made_.size()));
  made_.append(encoded);
}

void ItemEdit::SetString(Slot slot, std::string_view text) {
  Mark(slot, static_cast<std::uint32_t>(kFirstMade + made_.size()));
  value::AppendString(made_, text);
}

void ItemEdit::Remove(Slot slot) {
  if (Find(slot)) Mark(slot, kRemoved);
}

void ItemEdit::Mark(Slot slot, std::uint32_t change) {
  states_[slot].change = change;
  is_changed_ = true;
  const std::uint32_t level = layout_.slots_[slot].level;
  if (level != ItemLayout::kTop) states_[layout_.levels_[level].map].change = kInside;
}

Item ItemEdit::Changed() const {
  const std::string_view content = item_.map().content();
  std::string out;
  out.reserve(content.size() + made_.size() + 256);
  AppendLevel(out, layout_.levels_[ItemLayout::kTop], content);
  return Item::FromEncoded(std::move(out));
}

// Copies what lies between the changes in one piece.
void ItemEdit::AppendLevel(std::string& out, const ItemLayout::Level& level, std::string_view content) const {
  const std::size_t begin = value::BeginContainer(out, Type::kMap);
  const char* copied = content.data();
  const char* at = copied;
  const char* const end = at + content.size();
  for (const Slot slot : level.slots) {
    const State& state = states_[slot];
    if (state.change == kAsGiven) continue;
    const std::string& name = layout_.slots_[slot].name;
    if (state.given != nullptr) {
      // A name's length is a varint in front of it.
      std::size_t length_bytes = 1;
      for (std::size_t rest = name.size(); rest >= 0x80; rest >>= 7) ++length_bytes;
      const char* const entry = state.given - name.size() - length_bytes;
      out.append(copied, entry);
      at = value::SkipValue(state.given);
      copied = at;
    } else {
      while (at != end) {
        const char* behind_length = at;
        const std::uint32_t length = base::ReadVarint(behind_length);
        if (std::string_view(behind_length, length) > name) break;
        at = value::SkipValue(behind_length + length);
      }
      out.append(copied, at);
      copied = at;
    }
    if (state.change == kRemoved) continue;
    value::AppendName(out, name);
    AppendValue(out, slot);
  }
  out.append(copied, end);
  value::EndContainer(out, begin);
}

void ItemEdit::AppendValue(std::string& out, Slot slot) const {
  const State& state = states_[slot];
  if (state.change == kInside) {
    const std::string_view content =
        state.given == nullptr ? std::string_view() : ValueView(state.given).map().content();
    return AppendLevel(out, layout_.levels_[layout_.slots_[slot].content], content);
  }
  out.append(ValueView(made_.data() + (state.change - kFirstMade)).encoded());
}

}  // namespace taula::design
