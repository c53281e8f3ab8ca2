// Keys in the store: order-preserving, self-delimiting (docs/formats.md).
// Persisted: do not change.
//
//   item key  := 'D' space:u32be hash:u32be part* part*
//                        (the partition key's parts, then the sort key's)
//   index key := 'D' space:u32be hash:u32be (index partition parts) (index sort parts)
//                                           (the item's own partition and sort parts)
//   view key  := 'O' space:u32be order (the key's parts, in the view's order)
//                        (engine/ordered_views.h)
//   part      := N: the ordered number
//              | S, B: the bytes with 00 written as 00 FF, closed by 00 01
//
// `space` is the number of a table or of one of its indexes; it is never used
// again. `hash` is of the partition key's parts: it spreads partitions evenly
// over the key space, so that a scan divides into any number of segments
// without state, and each partition's items stay together, in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/key_range.h"
#include "taula/value.h"

namespace taula::codec {

using SpaceId = std::uint32_t;

inline constexpr char kDataKind = 'D';
inline constexpr char kOrderedKind = 'O';
inline constexpr std::size_t kSpacePrefixBytes = 1 + 4;
inline constexpr std::size_t kPartitionPrefixBytes = kSpacePrefixBytes + 4;

// Appends one key attribute (S, N or B).
void AppendKeyPart(std::string& out, ValueView value);
// For a begins_with on S or B: the part without its closing bytes.
void AppendKeyPartPrefix(std::string& out, std::string_view bytes);
// How many bytes the part that `key` begins with takes, by the type of its
// attribute. The key was made by this codec.
[[nodiscard]] std::size_t KeyPartBytes(std::string_view key, Type type);

// What a part holds: the bytes of a string or a binary, a number as DynamoDB
// writes it.
[[nodiscard]] std::string KeyPartText(std::string_view part, Type type);

// The 32 bits by which partitions spread; `parts` are encoded key parts.
[[nodiscard]] std::uint32_t PartitionHash(std::string_view parts);

// Builds an item's or an index entry's key: the partition's parts first.
//
//   KeyBuilder key(space);
//   key.Partition(pk);          // once for each attribute of the partition key
//   key.EndPartition();
//   key.Part(sk);               // and so on for whatever follows
class KeyBuilder {
 public:
  explicit KeyBuilder(SpaceId space);
  void Partition(ValueView value) { AppendKeyPart(key_, value); }
  void EndPartition();
  void Part(ValueView value) { AppendKeyPart(key_, value); }
  void PartPrefix(std::string_view bytes) { AppendKeyPartPrefix(key_, bytes); }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

// All keys of a space.
[[nodiscard]] base::KeyRange SpaceRange(SpaceId space);
// The keys of one of `total` equal segments of a space.
[[nodiscard]] base::KeyRange SegmentRange(SpaceId space, std::uint32_t segment, std::uint32_t total);
// The smallest key that is larger than every key with this prefix; empty when
// there is none.
[[nodiscard]] std::string PrefixEnd(std::string_view prefix);

}  // namespace taula::codec
