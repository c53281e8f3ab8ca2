#include "design/item_layout.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "value/encoding.h"

namespace taula::design {
namespace {

bool StartsWith(const char* at, const char* end, std::string_view entry) {
  return *at == entry.front() && static_cast<std::size_t>(end - at) >= entry.size() &&
         std::memcmp(at, entry.data(), entry.size()) == 0;
}

// Most names differ in their first character.
int Compare(std::string_view a, std::string_view b) {
  if (!a.empty() && !b.empty() && a.front() != b.front()) {
    return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
  }
  return a.compare(b);
}

}  // namespace

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
  std::vector<NamedSlot>& slots = levels_[level].slots;
  const auto at = std::ranges::lower_bound(slots, name, {}, &NamedSlot::name);
  if (at != slots.end() && at->name() == name) return at->slot;
  NamedSlot added{.entry = {}, .name_size = name.size(), .slot = static_cast<Slot>(slots_.size())};
  value::AppendName(added.entry, name);
  slots.insert(at, added);
  slots_.push_back({.name = std::string(name), .level = level});
  return added.slot;
}

std::optional<ValueView> ItemLayout::Find(ValueView item, Slot slot) const {
  const SlotInfo& info = slots_[slot];
  if (info.level == kTop) return item.Find(info.name);
  const std::optional<ValueView> map = item.Find(slots_[levels_[info.level].map].name);
  if (!map || map->type() != Type::kMap) return std::nullopt;
  return map->Find(info.name);
}

ItemEdit::ItemEdit(const ItemLayout& layout, ValueView item)
    : layout_(layout), item_(item), states_(layout.slots_.size()) {
  Read(layout_.levels_[ItemLayout::kTop], item_.map());
}

// Both are in order of their names.
void ItemEdit::Read(const ItemLayout::Level& level, MapView map) {
  const char* at = map.content().data();
  const char* const end = at + map.content().size();
  for (const ItemLayout::NamedSlot& wanted : level.slots) {
    State& state = states_[wanted.slot];
    while (at != end) {
      if (StartsWith(at, end, wanted.entry)) {
        state.value = at + wanted.entry.size();
        break;
      }
      const char* name = at;
      const std::uint32_t length = base::ReadVarint(name);
      if (Compare({name, length}, wanted.name()) > 0) break;
      at = value::SkipValue(name + length);
    }
    state.place = at;
    if (state.value == nullptr) continue;
    at = value::SkipValue(state.value);
    const std::uint32_t content = layout_.slots_[wanted.slot].content;
    if (content != ItemLayout::kTop && ValueView(state.value).type() == Type::kMap) {
      Read(layout_.levels_[content], ValueView(state.value).map());
    }
  }
}

bool ItemEdit::CanHold(Slot slot) const {
  const std::uint32_t level = layout_.slots_[slot].level;
  if (level == ItemLayout::kTop) return true;
  const std::optional<ValueView> map = Given(layout_.levels_[level].map);
  return !map || map->type() == Type::kMap;
}

void ItemEdit::Set(Slot slot, ValueView value) {
  BeginMade(slot);
  made_.append(value.encoded());
  EndMade(slot);
}

void ItemEdit::SetString(Slot slot, std::string_view text) {
  BeginMade(slot);
  value::AppendString(made_, text);
  EndMade(slot);
}

void ItemEdit::Remove(Slot slot) {
  if (Find(slot)) Mark(slot, kRemoved);
}

void ItemEdit::BeginMade(Slot slot) {
  constexpr std::size_t kMadeBytesUsually = 256;
  if (made_.empty()) made_.reserve(kMadeBytesUsually);
  Mark(slot, static_cast<std::uint32_t>(kFirstMade + made_.size()));
}

void ItemEdit::EndMade(Slot slot) {
  State& state = states_[slot];
  state.made_size = static_cast<std::uint32_t>(made_.size() - (state.change - kFirstMade));
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
  for (const ItemLayout::NamedSlot& named : level.slots) {
    const State& state = states_[named.slot];
    if (state.change == kAsGiven) continue;
    // In a map that is made anew there is no place yet.
    if (state.place != nullptr) {
      out.append(copied, static_cast<std::size_t>(state.place - copied));
      copied = state.value != nullptr ? value::SkipValue(state.value) : state.place;
    }
    if (state.change == kRemoved) continue;
    out.append(named.entry);
    AppendValue(out, named.slot);
  }
  out.append(copied, static_cast<std::size_t>(content.data() + content.size() - copied));
  value::EndContainer(out, begin);
}

void ItemEdit::AppendValue(std::string& out, Slot slot) const {
  const State& state = states_[slot];
  if (state.change == kInside) {
    const auto content = state.value == nullptr ? std::string_view() : ValueView(state.value).map().content();
    return AppendLevel(out, layout_.levels_[layout_.slots_[slot].content], content);
  }
  out.append(made_, state.change - kFirstMade, state.made_size);
}

}  // namespace taula::design
