#include "storage/memory/tree.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

namespace taula::storage {

TreeEntry::TreeEntry(std::string_view key, std::string_view value)
    : key_bytes_(static_cast<std::uint32_t>(key.size())), value_bytes_(static_cast<std::uint32_t>(value.size())) {
  char* const at = reinterpret_cast<char*>(this + 1);
  std::copy(key.begin(), key.end(), at);
  std::copy(value.begin(), value.end(), at + key.size());
}

EntryRef::EntryRef(std::string_view key, std::string_view value)
    : entry_(new (::operator new(sizeof(TreeEntry) + key.size() + value.size())) TreeEntry(key, value)) {}

EntryRef::~EntryRef() {
  if (entry_ != nullptr && entry_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    entry_->~TreeEntry();  // NOLINT(clang-analyzer-cplusplus.NewDelete): the analyzer does not follow the count
    ::operator delete(entry_);
  }
}

namespace {

constexpr std::uint32_t kFanout = 32;

// The first eight bytes as a number that orders as they do: most comparisons
// end here, without a visit to the entry.
std::uint64_t Hint(std::string_view key) {
  std::uint64_t hint = 0;
  std::memcpy(&hint, key.data(), std::min<std::size_t>(key.size(), 8));
  return __builtin_bswap64(hint);
}

}  // namespace

// In a leaf, the entries. In an inner node, keys[i] has no value and is not
// larger than any key below children[i] and larger than any below
// children[i - 1]; keys[0] is not set and stands for the smallest of all.
struct Tree::Node {
  explicit Node(bool is_leaf) : leaf(is_leaf) {}

  std::atomic<std::uint32_t> references{1};
  const bool leaf;
  std::uint32_t count = 0;
  std::uint64_t hints[kFanout];
  EntryRef keys[kFanout];
};

namespace {

using Node = Tree::Node;

struct Inner : Node {
  Inner() : Node(false) {}
  Node* children[kFanout];
};

Node** Children(Node* node) { return static_cast<Inner*>(node)->children; }
Node* Child(const Node* node, std::uint32_t position) { return static_cast<const Inner*>(node)->children[position]; }

Node* MakeNode(bool leaf) { return leaf ? new Node(true) : new Inner; }

Node* AddReference(Node* node) {
  node->references.fetch_add(1, std::memory_order_relaxed);
  return node;
}

void DropReference(Node* node) {
  if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (node->leaf) {
    delete node;
    return;
  }
  for (std::uint32_t i = 0; i < node->count; ++i) DropReference(Child(node, i));
  delete static_cast<Inner*>(node);
}

// The node at `slot`, replaced by a copy if another tree uses it too.
Node* Own(Node*& slot) {
  // Acquire: whoever dropped the other reference has read the node before.
  if (slot->references.load(std::memory_order_acquire) == 1) return slot;
  Node* const copy = MakeNode(slot->leaf);
  copy->count = slot->count;
  std::copy_n(slot->hints, slot->count, copy->hints);
  std::copy_n(slot->keys, slot->count, copy->keys);
  if (!slot->leaf) {
    for (std::uint32_t i = 0; i < slot->count; ++i) Children(copy)[i] = AddReference(Child(slot, i));
  }
  DropReference(slot);
  return slot = copy;
}

// The position of the first key from `from` on that is not smaller than `key`.
std::uint32_t LowerBound(const Node* node, std::string_view key, std::uint32_t from) {
  const std::uint64_t hint = Hint(key);
  std::uint32_t to = node->count;
  while (from < to) {
    const std::uint32_t middle = (from + to) / 2;
    const std::uint64_t other = node->hints[middle];
    if (other < hint || (other == hint && node->keys[middle]->key() < key)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

bool HoldsAt(const Node* node, std::uint32_t position, std::string_view key) {
  return position < node->count && node->keys[position]->key() == key;
}

// The position of the child below which `key` is or would be.
std::uint32_t ChildFor(const Node* node, std::string_view key) {
  const std::uint32_t position = LowerBound(node, key, 1);
  return HoldsAt(node, position, key) ? position : position - 1;
}

// Makes room at `position` and fills it; the node must not be full.
void InsertAt(Node* node, std::uint32_t position, EntryRef key, Node* child) {
  std::move_backward(node->keys + position, node->keys + node->count, node->keys + node->count + 1);
  std::copy_backward(node->hints + position, node->hints + node->count, node->hints + node->count + 1);
  node->hints[position] = Hint(key->key());
  node->keys[position] = std::move(key);
  if (!node->leaf) {
    Node** const children = Children(node);
    std::copy_backward(children + position, children + node->count, children + node->count + 1);
    children[position] = child;
  }
  ++node->count;
}

EntryRef RemoveAt(Node* node, std::uint32_t position) {
  EntryRef removed = std::move(node->keys[position]);
  std::move(node->keys + position + 1, node->keys + node->count, node->keys + position);
  std::copy(node->hints + position + 1, node->hints + node->count, node->hints + position);
  if (!node->leaf) {
    Node** const children = Children(node);
    std::copy(children + position + 1, children + node->count, children + position);
  }
  --node->count;
  return removed;
}

// Moves what `from` holds from `position` on to the end of `to`.
void MoveTail(Node* from, std::uint32_t position, Node* to) {
  const std::uint32_t moved = from->count - position;
  std::move(from->keys + position, from->keys + from->count, to->keys + to->count);
  std::copy_n(from->hints + position, moved, to->hints + to->count);
  if (!from->leaf) std::copy_n(Children(from) + position, moved, Children(to) + to->count);
  to->count += moved;
  from->count = position;
}

// The shortest key that is larger than `left` and not larger than `right`.
EntryRef Separator(std::string_view left, std::string_view right) {
  const auto differ = std::ranges::mismatch(left, right).in2;
  return {right.substr(0, static_cast<std::size_t>(differ - right.begin()) + 1), {}};
}

struct Split {
  EntryRef separator;
  Node* right;
};

// Inserts into a node that may be full; then it is divided in two.
std::optional<Split> Insert(Node* node, std::uint32_t position, EntryRef key, Node* child) {
  if (node->count < kFanout) {
    InsertAt(node, position, std::move(key), child);
    return std::nullopt;
  }
  Node* const right = MakeNode(node->leaf);
  // Keys that come in order fill their nodes: only the newest moves on.
  const std::uint32_t middle = position == kFanout ? kFanout - 1 : kFanout / 2;
  MoveTail(node, middle, right);
  if (position <= middle) {
    InsertAt(node, position, std::move(key), child);
  } else {
    InsertAt(right, position - middle, std::move(key), child);
  }
  if (!node->leaf) return Split{std::move(right->keys[0]), right};
  return Split{Separator(node->keys[node->count - 1]->key(), right->keys[0]->key()), right};
}

std::optional<Split> PutBelow(Node*& slot, EntryRef& entry) {
  Node* const node = Own(slot);
  const std::string_view key = entry->key();
  if (node->leaf) {
    const std::uint32_t position = LowerBound(node, key, 0);
    if (!HoldsAt(node, position, key)) return Insert(node, position, std::move(entry), nullptr);
    std::swap(node->keys[position], entry);
    return std::nullopt;
  }
  const std::uint32_t position = ChildFor(node, key);
  std::optional<Split> split = PutBelow(Children(node)[position], entry);
  if (!split) return std::nullopt;
  return Insert(node, position + 1, std::move(split->separator), split->right);
}

// Joins the child at `position` with a neighbour when together they are small.
void MergeChild(Node* node, std::uint32_t position) {
  Node** const children = Children(node);
  if (node->count == 1) {
    if (children[0]->count > 0) return;
    DropReference(children[0]);
    node->count = 0;
    return;
  }
  const std::uint32_t left = position == 0 ? 0 : position - 1;
  const std::uint32_t left_count = children[left]->count;
  const std::uint32_t right_count = children[left + 1]->count;
  if (left_count + right_count > kFanout / 2 && left_count > 0 && right_count > 0) return;
  Node* const to = Own(children[left]);
  Node* const from = Own(children[left + 1]);
  EntryRef separator = RemoveAt(node, left + 1);
  if (!from->leaf && from->count > 0) {
    from->hints[0] = Hint(separator->key());
    from->keys[0] = std::move(separator);
  }
  MoveTail(from, 0, to);
  if (!to->leaf && to->count > 0) to->keys[0] = EntryRef();
  DropReference(from);
}

EntryRef EraseBelow(Node*& slot, std::string_view key) {
  Node* const node = Own(slot);
  if (node->leaf) return RemoveAt(node, LowerBound(node, key, 0));
  const std::uint32_t position = ChildFor(node, key);
  EntryRef erased = EraseBelow(Children(node)[position], key);
  MergeChild(node, position);
  return erased;
}

using Visit = base::FunctionRef<bool(const TreeEntry& entry)>;

bool ScanForward(const Node* node, const base::KeyRange& range, Visit visit) {
  const auto past_end = [&](std::uint32_t i) { return !range.end.empty() && node->keys[i]->key() >= range.end; };
  if (node->leaf) {
    for (std::uint32_t i = LowerBound(node, range.begin, 0); i < node->count; ++i) {
      if (past_end(i) || !visit(*node->keys[i].operator->())) return false;
    }
    return true;
  }
  const std::uint32_t first = ChildFor(node, range.begin);
  for (std::uint32_t i = first; i < node->count; ++i) {
    if (i > first && past_end(i)) return false;
    if (!ScanForward(Child(node, i), range, visit)) return false;
  }
  return true;
}

bool ScanBackward(const Node* node, const base::KeyRange& range, Visit visit) {
  if (node->leaf) {
    for (std::uint32_t i = range.end.empty() ? node->count : LowerBound(node, range.end, 0); i-- > 0;) {
      if (node->keys[i]->key() < range.begin || !visit(*node->keys[i].operator->())) return false;
    }
    return true;
  }
  for (std::uint32_t i = range.end.empty() ? node->count - 1 : ChildFor(node, range.end);; --i) {
    if (!ScanBackward(Child(node, i), range, visit)) return false;
    if (i == 0) return true;
    if (node->keys[i]->key() <= range.begin) return false;
  }
}

}  // namespace

Tree::Tree(const Tree& other) : root_(other.root_ == nullptr ? nullptr : AddReference(other.root_)) {}

Tree::~Tree() {
  if (root_ != nullptr) DropReference(root_);
}

EntryRef Tree::Find(std::string_view key) const {
  const Node* node = root_;
  if (node == nullptr) return {};
  while (!node->leaf) node = Child(node, ChildFor(node, key));
  const std::uint32_t position = LowerBound(node, key, 0);
  return HoldsAt(node, position, key) ? node->keys[position] : EntryRef();
}

EntryRef Tree::Put(EntryRef entry) {
  if (root_ == nullptr) root_ = MakeNode(true);
  std::optional<Split> split = PutBelow(root_, entry);
  if (split) {
    Node* const root = MakeNode(false);
    Children(root)[0] = root_;
    root->hints[0] = 0;
    root->count = 1;
    InsertAt(root, 1, std::move(split->separator), split->right);
    root_ = root;
  }
  return entry;  // NOLINT(clang-analyzer-cplusplus.Move): PutBelow has left the replaced one here
}

EntryRef Tree::Erase(std::string_view key) {
  if (!Find(key)) return {};
  EntryRef erased = EraseBelow(root_, key);
  while (!root_->leaf && root_->count == 1) {
    Node* const child = AddReference(Child(root_, 0));
    DropReference(root_);
    root_ = child;
  }
  if (root_->count == 0) {
    DropReference(root_);
    root_ = nullptr;
  }
  return erased;
}

void Tree::Scan(const base::KeyRange& range, bool reverse, Visit visit) const {
  if (root_ == nullptr || (!range.end.empty() && range.begin >= range.end)) return;
  if (reverse) {
    ScanBackward(root_, range, visit);
  } else {
    ScanForward(root_, range, visit);
  }
}

}  // namespace taula::storage
