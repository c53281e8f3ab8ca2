// The tree of TreeMemtable: ordered pointers to entries, added by one thread
// while others read.
//
// Readers take no locks, because what they look at does not change under them.
// The entries of a node stand where they were put; their order is one word beside
// them, and a new entry counts once that word is replaced. A node that is full is
// replaced by two copies and stays as it was for those who are in it. It then
// misses what is added later, and so do they; but a reader of RocksDB does not see
// entries that are newer than its start anyhow. Replaced nodes take memory until
// all of the tree goes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace taula::storage {

class MemtableTree {
 public:
  // An entry is opaque but for its order; `key` is what entries are looked up by.
  struct Order {
    virtual ~Order() = default;
    [[nodiscard]] virtual std::string_view KeyOf(const char* entry) const = 0;
    // The part of a key that decides first, byte by byte; equal ones need Compare.
    [[nodiscard]] virtual std::string_view FirstPartOf(std::string_view key) const = 0;
    [[nodiscard]] virtual int Compare(const char* entry, std::string_view key) const = 0;
  };

  // `allocate` gives memory, aligned for pointers, that outlives the tree.
  MemtableTree(const Order& order, std::function<char*(std::size_t bytes)> allocate);
  MemtableTree(const MemtableTree&) = delete;
  MemtableTree& operator=(const MemtableTree&) = delete;

  // By one thread at a time. False when an equal entry is there.
  bool Insert(const char* entry);

 private:
  static constexpr unsigned kSlots = 15;

  // Which slots are in use, in order: their number in the lowest four bits, then
  // four bits for each. Slots fill up from the first, so the next free one is
  // their number.
  class Arrangement {
   public:
    Arrangement() = default;
    explicit Arrangement(std::uint64_t bits) : bits_(bits) {}
    // The first `count` slots in their own order.
    static Arrangement Straight(unsigned count);

    [[nodiscard]] unsigned count() const { return bits_ & 15; }
    [[nodiscard]] bool full() const { return count() == kSlots; }
    [[nodiscard]] unsigned SlotAt(unsigned place) const { return (bits_ >> (4 + 4 * place)) & 15; }
    // With the next free slot at this place.
    [[nodiscard]] Arrangement WithNextAt(unsigned place) const;
    [[nodiscard]] std::uint64_t bits() const { return bits_; }

   private:
    std::uint64_t bits_ = 0;
  };

  // Everything in a node, also what is added later, lies between two keys of the
  // nodes above it. Nothing at the ends of the tree.
  struct Bounds {
    const char* low = nullptr;
    const char* high = nullptr;
  };
  struct Node {
    Node(unsigned level_above_leaves, const Bounds& all_within, std::uint32_t shared_bytes)
        : level(level_above_leaves), shared(shared_bytes), bounds(all_within) {}
    [[nodiscard]] Arrangement arrangement() const { return Arrangement(order.load(std::memory_order_acquire)); }
    void Publish(Arrangement changed) { order.store(changed.bits(), std::memory_order_release); }

    std::atomic<std::uint64_t> order = 0;
    const std::uint32_t level;
    // So many bytes begin every key between the bounds, and are left out of the
    // prefixes.
    const std::uint32_t shared;
    const Bounds bounds;
  };
  struct Key {
    std::uint64_t prefix = 0;  // the eight bytes behind those that the node's keys share
    const char* entry = nullptr;
  };
  struct Leaf : Node {
    Leaf(const Bounds& all_within, std::uint32_t shared_bytes) : Node(0, all_within, shared_bytes) {}
    std::atomic<Leaf*> next = nullptr;
    std::atomic<Leaf*> previous = nullptr;
    std::array<Key, kSlots> keys;
  };
  // The first key of each child is at least its own; the first child's own is
  // not looked at.
  struct Inner : Node {
    using Node::Node;
    std::array<Key, kSlots> keys;
    std::array<std::atomic<Node*>, kSlots> children{};
  };
  struct Target {
    std::string_view key;
    std::string_view first_part;
  };

 public:
  // Walks through the entries in both directions. Sees at least what was there
  // when it was last placed by one of the Seek functions.
  class Cursor {
   public:
    explicit Cursor(const MemtableTree& tree) : tree_(&tree) {}

    [[nodiscard]] bool valid() const { return leaf_ != nullptr; }
    [[nodiscard]] const char* entry() const { return leaf_->keys[arrangement_.SlotAt(place_)].entry; }
    void Next();
    void Previous();
    void SeekAtOrAfter(std::string_view key);
    void SeekAtOrBefore(std::string_view key);
    void SeekToFirst();
    void SeekToLast();

   private:
    void EnterFirstOf(const Leaf* leaf);
    void EnterLastOf(const Leaf* leaf);

    const MemtableTree* tree_;
    const Leaf* leaf_ = nullptr;
    Arrangement arrangement_;
    unsigned place_ = 0;
  };

  // About how many entries have keys from `begin` up to `end`.
  [[nodiscard]] std::uint64_t CountBetween(std::string_view begin, std::string_view end) const;

 private:
  [[nodiscard]] Target TargetOf(std::string_view key) const { return {key, order_.FirstPartOf(key)}; }
  [[nodiscard]] std::string_view FirstPartOf(const char* entry) const {
    return order_.FirstPartOf(order_.KeyOf(entry));
  }
  // What a node between these bounds leaves out of its prefixes, when the one
  // that it is a half of left out `before`.
  [[nodiscard]] std::uint32_t SharedWithin(const Bounds& bounds, std::uint32_t before) const;
  // The key of a node, as it is in another.
  [[nodiscard]] Key Moved(const Key& key, const Node& from, const Node& to) const;
  // The first place from `first` on whose key is not before the target.
  template <typename SomeNode, typename IsBefore>
  [[nodiscard]] unsigned Search(const SomeNode& node, Arrangement arrangement, const Target& target, unsigned first,
                                IsBefore is_before) const;
  // How many of a node's keys are below the target, or not above it.
  template <typename SomeNode>
  [[nodiscard]] unsigned CountBelow(const SomeNode& node, Arrangement arrangement, const Target& target) const;
  template <typename SomeNode>
  [[nodiscard]] unsigned CountNotAbove(const SomeNode& node, Arrangement arrangement, const Target& target) const;
  [[nodiscard]] unsigned PlaceOfChild(const Inner& inner, Arrangement arrangement, const Target& target) const;
  // The leaf that is reached from the root by way of the children at
  // choose(inner, arrangement).
  template <typename Choose>
  [[nodiscard]] const Leaf* Descend(Choose choose) const;
  [[nodiscard]] const Leaf* FindLeaf(const Target& target) const;

  // Where a node hangs: a slot of its parent, or the root.
  struct Link {
    Inner* parent = nullptr;
    unsigned place = 0;
  };
  void SplitInner(Inner& full, Link link);
  void SplitLeaf(Leaf& full, Link link, unsigned place, const Key& added);
  void AppendLeaf(Leaf& full, Link link, const char* entry);
  // What `second` begins with is the key it hangs by.
  void AddChild(Link link, Node& first, const char* second_key, Node& second);
  template <typename SomeNode, typename... Arguments>
  SomeNode& Make(const Arguments&... arguments);

  const Order& order_;
  const std::function<char*(std::size_t bytes)> allocate_;
  std::atomic<Node*> root_;
};

}  // namespace taula::storage
