// The attributes of an item that someone cares about: found in one walk over
// it, and changed in one walk too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taula/value.h"

namespace taula::design {

// A number for each attribute of interest, at the top of an item or inside a
// map at its top.
class ItemLayout {
 public:
  using Slot = std::uint32_t;

  // The same number for the same attribute. An empty map is the top.
  Slot Add(std::string_view map, std::string_view name);

  // The attribute in an item, without reading the others.
  [[nodiscard]] std::optional<ValueView> Find(ValueView item, Slot slot) const;

 private:
  friend class ItemEdit;

  static constexpr std::uint32_t kTop = 0;

  struct SlotInfo {
    std::string name;
    std::uint32_t level;        // that it stands in
    std::uint32_t content = 0;  // the level that its value is; kTop when it is none
  };
  struct NamedSlot {
    std::string entry;  // what an item has before the value: the name behind its length
    std::size_t name_size;
    Slot slot;

    [[nodiscard]] std::string_view name() const { return std::string_view(entry).substr(entry.size() - name_size); }
  };
  // The top, or a map.
  struct Level {
    Slot map = 0;                  // the slot that it is the value of
    std::vector<NamedSlot> slots;  // by name
  };

  Slot AddTo(std::uint32_t level, std::string_view name);

  std::vector<SlotInfo> slots_;
  std::vector<Level> levels_ = std::vector<Level>(1);
};

// One item, read by a layout, and the changes to it. The layout and the item
// must live as long.
class ItemEdit {
 public:
  using Slot = ItemLayout::Slot;

  ItemEdit(const ItemLayout& layout, ValueView item);

  // As it is now, changes included. Good until the next change.
  [[nodiscard]] std::optional<ValueView> Find(Slot slot) const {
    const std::uint32_t change = states_[slot].change;
    if (change >= kFirstMade) return ValueView(made_.data() + (change - kFirstMade));
    if (change == kRemoved) return std::nullopt;
    return Given(slot);
  }
  // As it was in the item.
  [[nodiscard]] std::optional<ValueView> Given(Slot slot) const {
    const char* const value = states_[slot].value;
    if (value == nullptr) return std::nullopt;
    return ValueView(value);
  }
  // Whether it is a value that was set.
  [[nodiscard]] bool IsMade(Slot slot) const { return states_[slot].change >= kFirstMade; }

  // Whether there is room for it: it is at the top, or its map is a map or
  // absent.
  [[nodiscard]] bool CanHold(Slot slot) const;
  // Needs CanHold. A map that is absent is made.
  void Set(Slot slot, ValueView value);
  void SetString(Slot slot, std::string_view text);
  void Remove(Slot slot);

  [[nodiscard]] bool is_changed() const { return is_changed_; }
  [[nodiscard]] Item Changed() const;

 private:
  static constexpr std::uint32_t kAsGiven = 0;
  static constexpr std::uint32_t kRemoved = 1;
  static constexpr std::uint32_t kInside = 2;     // the value is a level in which something changed
  static constexpr std::uint32_t kFirstMade = 3;  // and more: where in made_ it is

  struct State {
    const char* value = nullptr;  // in the item; nothing when it is absent
    const char* place = nullptr;  // where its name stands, or would
    std::uint32_t change = kAsGiven;
    std::uint32_t made_size = 0;
  };

  void Read(const ItemLayout::Level& level, MapView map);
  void Mark(Slot slot, std::uint32_t change);
  // Around the appending to made_.
  void BeginMade(Slot slot);
  void EndMade(Slot slot);
  void AppendLevel(std::string& out, const ItemLayout::Level& level, std::string_view content) const;
  void AppendValue(std::string& out, Slot slot) const;

  const ItemLayout& layout_;
  ValueView item_;
  std::vector<State> states_;  // one for each slot
  std::string made_;           // the new values, one after the other
  bool is_changed_ = false;
};

}  // namespace taula::design
