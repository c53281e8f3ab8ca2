#include "storage/rocksdb/memtable_tree.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace taula::storage {
namespace {

constexpr std::ptrdiff_t kCacheLineBytes = 64;

// Eight bytes as a number that compares as they do; what is missing counts as zeros.
std::uint64_t PrefixOf(std::string_view bytes, std::uint32_t shared) {
  std::uint64_t prefix = 0;
  if (bytes.size() >= shared + sizeof prefix) {
    std::memcpy(&prefix, bytes.data() + shared, sizeof prefix);
  } else if (bytes.size() > shared) {
    std::memcpy(&prefix, bytes.data() + shared, bytes.size() - shared);
  }
  return __builtin_bswap64(prefix);
}

}  // namespace

MemtableTree::Arrangement MemtableTree::Arrangement::Straight(unsigned count) {
  constexpr std::uint64_t kAll = 0xEDCBA9876543210;
  const std::uint64_t slots = count == kSlots ? kAll : kAll & ((std::uint64_t{1} << (4 * count)) - 1);
  return Arrangement(slots << 4 | count);
}

MemtableTree::Arrangement MemtableTree::Arrangement::WithNextAt(unsigned place) const {
  const std::uint64_t slots = bits_ >> 4;
  const std::uint64_t below = slots & ((std::uint64_t{1} << (4 * place)) - 1);
  const std::uint64_t above = slots >> (4 * place);
  const std::uint64_t next = count();
  const std::uint64_t arranged = below | next << (4 * place) | above << (4 * place) << 4;
  return Arrangement(arranged << 4 | (next + 1));
}

MemtableTree::MemtableTree(const Order& order, std::function<char*(std::size_t bytes)> allocate)
    : order_(order), allocate_(std::move(allocate)), root_(&Make<Leaf>(Bounds{}, std::uint32_t{0})) {}

template <typename SomeNode, typename... Arguments>
SomeNode& MemtableTree::Make(const Arguments&... arguments) {
  return *new (allocate_(sizeof(SomeNode))) SomeNode(arguments...);
}

// ---- What keys share
//
// Keys of one partition are alike for many bytes, and so they would all have the
// same prefixes, and every comparison would have to look at an entry. But the
// deeper a node, the closer its bounds, and what those two keys share all keys
// between them do.

std::uint32_t MemtableTree::SharedWithin(const Bounds& bounds, std::uint32_t before) const {
  if (bounds.low == nullptr || bounds.high == nullptr) return before;
  const std::string_view low = FirstPartOf(bounds.low);
  const std::string_view high = FirstPartOf(bounds.high);
  const auto shared = static_cast<std::uint32_t>(std::ranges::mismatch(low, high).in1 - low.begin());
  // Other prefixes mean a look at all entries, so those that still tell apart stay.
  return shared < before + sizeof(Key::prefix) / 2 ? before : shared;
}

MemtableTree::Key MemtableTree::Moved(const Key& key, const Node& from, const Node& to) const {
  return from.shared == to.shared ? key : Key{PrefixOf(FirstPartOf(key.entry), to.shared), key.entry};
}

// Most keys differ in their prefixes, which lie in the node. Those that do not are
// mostly versions of one key, of which the newest comes first; and it is the newest
// that is added and looked for. So of the entries, which lie anywhere in memory, one
// look at the first decides, and the others are searched only if it does not.
template <typename SomeNode, typename IsBefore>
unsigned MemtableTree::Search(const SomeNode& node, Arrangement arrangement, const Target& target, unsigned first,
                              IsBefore is_before) const {
  const std::uint64_t prefix = PrefixOf(target.first_part, node.shared);
  const auto prefix_at = [&](unsigned place) { return node.keys[arrangement.SlotAt(place)].prefix; };
  const auto is_before_at = [&](unsigned place) {
    return is_before(order_.Compare(node.keys[arrangement.SlotAt(place)].entry, target.key));
  };
  unsigned low = first;
  unsigned high = arrangement.count();
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (prefix_at(middle) < prefix) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const auto is_alike_at = [&](unsigned place) { return place < arrangement.count() && prefix_at(place) == prefix; };
  if (!is_alike_at(low) || !is_before_at(low)) return low;
  for (high = ++low; is_alike_at(high);) ++high;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (is_before_at(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <typename SomeNode>
unsigned MemtableTree::CountBelow(const SomeNode& node, Arrangement arrangement, const Target& target) const {
  return Search(node, arrangement, target, 0, [](int order) { return order < 0; });
}

template <typename SomeNode>
unsigned MemtableTree::CountNotAbove(const SomeNode& node, Arrangement arrangement, const Target& target) const {
  return Search(node, arrangement, target, 0, [](int order) { return order <= 0; });
}

unsigned MemtableTree::PlaceOfChild(const Inner& inner, Arrangement arrangement, const Target& target) const {
  return Search(inner, arrangement, target, 1, [](int order) { return order <= 0; }) - 1;
}

// A child that is replaced by two is replaced by the first of them only after the
// node shows the second. So whoever gets the first while he knows nothing of the
// second sees, on a second look, that the node has changed.
template <typename Choose>
const MemtableTree::Leaf* MemtableTree::Descend(Choose choose) const {
  const Node* node = root_.load(std::memory_order_acquire);
  while (node->level > 0) {
    const auto& inner = static_cast<const Inner&>(*node);
    const Arrangement arrangement = inner.arrangement();
    const unsigned slot = arrangement.SlotAt(choose(inner, arrangement));
    const Node* const child = inner.children[slot].load(std::memory_order_acquire);
    if (inner.order.load(std::memory_order_relaxed) == arrangement.bits()) node = child;
  }
  return static_cast<const Leaf*>(node);
}

const MemtableTree::Leaf* MemtableTree::FindLeaf(const Target& target) const {
  return Descend([&](const Inner& inner, Arrangement arrangement) { return PlaceOfChild(inner, arrangement, target); });
}

// ---- Inserting

bool MemtableTree::Insert(const char* entry) {
  const Target target = TargetOf(order_.KeyOf(entry));
  Link link;
  Node* node = root_.load(std::memory_order_relaxed);
  // Full nodes are split on the way down, so that there is room in a parent
  // whenever a child needs it.
  while (node->level > 0) {
    auto& inner = static_cast<Inner&>(*node);
    if (!inner.arrangement().full()) {
      link.parent = &inner;
    } else {
      SplitInner(inner, link);
      if (link.parent == nullptr) link.parent = static_cast<Inner*>(root_.load(std::memory_order_relaxed));
    }
    const Arrangement arrangement = link.parent->arrangement();
    link.place = PlaceOfChild(*link.parent, arrangement, target);
    node = link.parent->children[arrangement.SlotAt(link.place)].load(std::memory_order_relaxed);
  }

  auto& leaf = static_cast<Leaf&>(*node);
  const Arrangement arrangement = leaf.arrangement();
  bool is_there = false;
  const unsigned place = Search(leaf, arrangement, target, 0, [&](int order) {
    is_there = is_there || order == 0;
    return order < 0;
  });
  if (is_there) return false;
  const Key added{PrefixOf(target.first_part, leaf.shared), entry};
  if (!arrangement.full()) {
    leaf.keys[arrangement.count()] = added;
    leaf.Publish(arrangement.WithNextAt(place));
  } else if (place == kSlots && leaf.next.load(std::memory_order_relaxed) == nullptr) {
    AppendLeaf(leaf, link, entry);
  } else {
    SplitLeaf(leaf, link, place, added);
  }
  return true;
}

// Puts `first` and `second` where one node was. In this order: until the second
// is there, who looks for its keys finds them in the old node; and until the
// first is there, the others.
void MemtableTree::AddChild(Link link, Node& first, const char* second_key, Node& second) {
  if (link.parent == nullptr) {
    auto& root = Make<Inner>(first.level + 1, Bounds{}, std::uint32_t{0});
    root.children[0].store(&first, std::memory_order_relaxed);
    root.children[1].store(&second, std::memory_order_relaxed);
    root.keys[1] = {PrefixOf(FirstPartOf(second_key), root.shared), second_key};
    root.Publish(Arrangement::Straight(2));
    root_.store(&root, std::memory_order_release);
    return;
  }
  Inner& parent = *link.parent;
  const Arrangement arrangement = parent.arrangement();
  parent.keys[arrangement.count()] = {PrefixOf(FirstPartOf(second_key), parent.shared), second_key};
  parent.children[arrangement.count()].store(&second, std::memory_order_relaxed);
  parent.Publish(arrangement.WithNextAt(link.place + 1));
  parent.children[arrangement.SlotAt(link.place)].store(&first, std::memory_order_release);
}

void MemtableTree::SplitInner(Inner& full, Link link) {
  constexpr unsigned kFirst = (kSlots + 1) / 2;
  const Arrangement arrangement = full.arrangement();
  const char* const middle = full.keys[arrangement.SlotAt(kFirst)].entry;
  const Bounds below{full.bounds.low, middle};
  const Bounds above{middle, full.bounds.high};
  auto& first = Make<Inner>(full.level, below, SharedWithin(below, full.shared));
  auto& second = Make<Inner>(full.level, above, SharedWithin(above, full.shared));
  for (unsigned place = 0; place < kSlots; ++place) {
    Inner& half = place < kFirst ? first : second;
    const unsigned to = place < kFirst ? place : place - kFirst;
    const unsigned from = arrangement.SlotAt(place);
    // The first child's own key is not looked at, and there may be none.
    if (place > 0) half.keys[to] = Moved(full.keys[from], full, half);
    half.children[to].store(full.children[from].load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  first.Publish(Arrangement::Straight(kFirst));
  second.Publish(Arrangement::Straight(kSlots - kFirst));
  AddChild(link, first, middle, second);
}

void MemtableTree::SplitLeaf(Leaf& full, Link link, unsigned place, const Key& added) {
  constexpr unsigned kFirst = (kSlots + 1) / 2;
  const Arrangement arrangement = full.arrangement();
  const auto key_at = [&](unsigned i) -> const Key& {
    return i == place ? added : full.keys[arrangement.SlotAt(i < place ? i : i - 1)];
  };
  const char* const middle = key_at(kFirst).entry;
  const Bounds below{full.bounds.low, middle};
  const Bounds above{middle, full.bounds.high};
  auto& first = Make<Leaf>(below, SharedWithin(below, full.shared));
  auto& second = Make<Leaf>(above, SharedWithin(above, full.shared));
  for (unsigned i = 0; i <= kSlots; ++i) {
    Leaf& half = i < kFirst ? first : second;
    half.keys[i < kFirst ? i : i - kFirst] = Moved(key_at(i), full, half);
  }
  first.Publish(Arrangement::Straight(kFirst));
  second.Publish(Arrangement::Straight(kSlots + 1 - kFirst));
  Leaf* const previous = full.previous.load(std::memory_order_relaxed);
  Leaf* const next = full.next.load(std::memory_order_relaxed);
  first.previous.store(previous, std::memory_order_relaxed);
  first.next.store(&second, std::memory_order_relaxed);
  second.previous.store(&first, std::memory_order_relaxed);
  second.next.store(next, std::memory_order_relaxed);
  AddChild(link, first, middle, second);
  if (previous != nullptr) previous->next.store(&first, std::memory_order_release);
  if (next != nullptr) next->previous.store(&second, std::memory_order_release);
}

// Entries that come in order leave full leaves behind.
void MemtableTree::AppendLeaf(Leaf& full, Link link, const char* entry) {
  auto& second = Make<Leaf>(Bounds{entry, full.bounds.high}, full.shared);
  second.keys[0] = {PrefixOf(FirstPartOf(entry), second.shared), entry};
  second.Publish(Arrangement::Straight(1));
  second.previous.store(&full, std::memory_order_relaxed);
  AddChild(link, full, entry, second);
  full.next.store(&second, std::memory_order_release);
}

// ---- Reading

void MemtableTree::Cursor::EnterFirstOf(const Leaf* leaf) {
  leaf_ = leaf;
  if (leaf == nullptr) return;
  arrangement_ = leaf->arrangement();
  place_ = 0;
  if (arrangement_.count() == 0) leaf_ = nullptr;
}

void MemtableTree::Cursor::EnterLastOf(const Leaf* leaf) {
  EnterFirstOf(leaf);
  if (leaf_ != nullptr) place_ = arrangement_.count() - 1;
}

// Who goes on to another leaf goes through all of it, and entries lie anywhere in
// memory: they are on their way before they are asked for.
void MemtableTree::Cursor::Next() {
  if (++place_ < arrangement_.count()) return;
  EnterFirstOf(leaf_->next.load(std::memory_order_acquire));
  if (leaf_ == nullptr) return;
  __builtin_prefetch(leaf_->next.load(std::memory_order_relaxed));
  for (unsigned slot = 0; slot < arrangement_.count(); ++slot) {
    __builtin_prefetch(leaf_->keys[slot].entry);
    __builtin_prefetch(leaf_->keys[slot].entry + kCacheLineBytes);
  }
}

void MemtableTree::Cursor::Previous() {
  if (place_-- == 0) EnterLastOf(leaf_->previous.load(std::memory_order_acquire));
}

void MemtableTree::Cursor::SeekAtOrAfter(std::string_view key) {
  const Target target = tree_->TargetOf(key);
  const Leaf* const leaf = tree_->FindLeaf(target);
  EnterFirstOf(leaf);
  if (leaf_ == nullptr) return;
  place_ = tree_->CountBelow(*leaf, arrangement_, target);
  if (place_ < arrangement_.count()) return;
  EnterFirstOf(leaf->next.load(std::memory_order_acquire));
  // What was at the end of the tree may have filled up meanwhile, and the leaf behind
  // it begin with what is still below.
  while (valid() && tree_->order_.Compare(entry(), key) < 0) Next();
}

void MemtableTree::Cursor::SeekAtOrBefore(std::string_view key) {
  const Target target = tree_->TargetOf(key);
  const Leaf* const leaf = tree_->FindLeaf(target);
  EnterFirstOf(leaf);
  if (leaf_ == nullptr) return;
  place_ = tree_->CountNotAbove(*leaf, arrangement_, target);
  if (place_-- == 0) EnterLastOf(leaf->previous.load(std::memory_order_acquire));
}

void MemtableTree::Cursor::SeekToFirst() {
  EnterFirstOf(tree_->Descend([](const Inner&, Arrangement) { return 0U; }));
}

void MemtableTree::Cursor::SeekToLast() {
  EnterLastOf(tree_->Descend([](const Inner&, Arrangement arrangement) { return arrangement.count() - 1; }));
}

std::uint64_t MemtableTree::CountBetween(std::string_view begin, std::string_view end) const {
  const Leaf* leaf = FindLeaf(TargetOf(begin));
  const Leaf* const last = FindLeaf(TargetOf(end));
  std::uint64_t count = 0;
  for (; leaf != nullptr && leaf != last; leaf = leaf->next.load(std::memory_order_acquire)) {
    count += leaf->arrangement().count();
  }
  return count;
}

}  // namespace taula::storage
