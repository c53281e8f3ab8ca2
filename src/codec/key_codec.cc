#include "codec/key_codec.h"

#include <cstring>

#include "base/bytes.h"
#include "value/number.h"

namespace taula::codec {
namespace {

// Persisted: do not change.
constexpr std::string_view kEscapedZero{"\x00\xff", 2};
constexpr std::string_view kPartEnd{"\x00\x01", 2};

// What most keys need, so that they grow in one allocation.
constexpr std::size_t kUsualKeyBytes = 96;

constexpr std::uint64_t kHashes = std::uint64_t{1} << 32;

std::string SpacePrefix(SpaceId space) {
  std::string prefix;
  prefix.reserve(kUsualKeyBytes);
  prefix.push_back(kDataKind);
  base::AppendBigEndianU32(prefix, space);
  return prefix;
}

// The first hash of a segment: its share of all hashes, rounded up, so that
// any number of segments cover each hash once.
std::uint64_t SegmentBegin(std::uint32_t segment, std::uint32_t total) {
  return (kHashes * segment + total - 1) / total;
}

}  // namespace

void AppendKeyPartPrefix(std::string& out, std::string_view bytes) {
  while (true) {
    const std::size_t zero = bytes.find('\0');
    out.append(bytes.substr(0, zero));
    if (zero == std::string_view::npos) return;
    out.append(kEscapedZero);
    bytes.remove_prefix(zero + 1);
  }
}

void AppendKeyPart(std::string& out, ValueView value) {
  if (value.type() == Type::kNumber) {
    out.append(value.ordered_number());
    return;
  }
  AppendKeyPartPrefix(out, value.bytes());
  out.append(kPartEnd);
}

std::size_t KeyPartBytes(std::string_view key, Type type) {
  if (type == Type::kNumber) return value::Number::OrderedLength(key);
  std::size_t zero = key.find('\0');
  while (zero != std::string_view::npos && !key.substr(zero).starts_with(kPartEnd)) {
    zero = key.find('\0', zero + kEscapedZero.size());
  }
  return zero == std::string_view::npos ? key.size() : zero + kPartEnd.size();
}

std::string KeyPartText(std::string_view part, Type type) {
  if (type == Type::kNumber) return value::Number::FromOrdered(part).Text();
  if (part.ends_with(kPartEnd)) part.remove_suffix(kPartEnd.size());
  std::string text;
  while (true) {
    const std::size_t escaped = part.find(kEscapedZero);
    text.append(part.substr(0, escaped));
    if (escaped == std::string_view::npos) return text;
    text.push_back('\0');
    part.remove_prefix(escaped + kEscapedZero.size());
  }
}

std::uint32_t PartitionHash(std::string_view parts) {
  // FNV-1a, then the finaliser of MurmurHash3: the one is simple, the other
  // spreads what it leaves close together. Persisted: do not change.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : parts) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
  hash ^= hash >> 33;
  return static_cast<std::uint32_t>(hash >> 32);
}

KeyBuilder::KeyBuilder(SpaceId space) : key_(SpacePrefix(space)) {
  // The hash is known only once all of the partition's parts are.
  key_.append(4, '\0');
}

void KeyBuilder::EndPartition() {
  const std::uint32_t hash = __builtin_bswap32(PartitionHash(std::string_view(key_).substr(kPartitionPrefixBytes)));
  std::memcpy(key_.data() + kSpacePrefixBytes, &hash, sizeof hash);
}

base::KeyRange SpaceRange(SpaceId space) {
  std::string begin = SpacePrefix(space);
  std::string end = PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

base::KeyRange SegmentRange(SpaceId space, std::uint32_t segment, std::uint32_t total) {
  base::KeyRange range = SpaceRange(space);
  const std::uint64_t begin = SegmentBegin(segment, total);
  const std::uint64_t end = SegmentBegin(segment + 1, total);
  if (end < kHashes) {
    range.end = range.begin;
    base::AppendBigEndianU32(range.end, static_cast<std::uint32_t>(end));
  }
  if (begin > 0) base::AppendBigEndianU32(range.begin, static_cast<std::uint32_t>(begin));
  return range;
}

std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<std::uint8_t>(end.back()) + 1);
  return end;
}

}  // namespace taula::codec
