#include "design/page_token.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "value/encoding.h"
#include "value/map_builder.h"

namespace taula::design {
namespace {

// The key attributes of the table and the index, each once.
std::vector<const KeyPart*> KeyParts(const Table& table, const Index* index) {
  std::vector<const KeyPart*> parts = {&table.partition};
  const auto add = [&](const KeyPart& part) {
    const bool known = std::ranges::any_of(parts, [&](const KeyPart* each) { return each->name == part.name; });
    if (!known) parts.push_back(&part);
  };
  if (table.sort) add(*table.sort);
  if (index != nullptr) {
    add(index->partition);
    if (index->sort) add(*index->sort);
  }
  return parts;
}

template <typename Integer>
void AppendBytes(std::string& out, Integer integer) {
  char bytes[sizeof(integer)];
  std::memcpy(bytes, &integer, sizeof(integer));
  out.append(bytes, sizeof(integer));
}

template <typename Integer>
bool TakeBytes(std::string_view& in, Integer& integer) {
  if (in.size() < sizeof(integer)) return false;
  std::memcpy(&integer, in.data(), sizeof(integer));
  in.remove_prefix(sizeof(integer));
  return true;
}

std::uint64_t Mixed(std::uint64_t hash, std::string_view text) {
  constexpr std::uint64_t kPrime = 0x100000001b3;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return (hash ^ 0xFFU) * kPrime;  // so that "ab", "c" is not "a", "bc"
}

}  // namespace

std::string PageToken::Encode() const {
  std::string bytes;
  AppendBytes(bytes, fingerprint);
  AppendBytes(bytes, now_ms);
  bytes.append(key.encoded());
  std::string text;
  base::AppendBase64(text, bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.resize(text.find_last_not_of('=') + 1);
  return text;
}

std::optional<PageToken> PageToken::Decode(std::string_view text) {
  std::string padded(text);
  std::ranges::replace(padded, '-', '+');
  std::ranges::replace(padded, '_', '/');
  padded.append((4 - padded.size() % 4) % 4, '=');
  std::string bytes;
  if (!base::AppendBase64Decoded(bytes, padded)) return std::nullopt;
  std::string_view rest = bytes;
  PageToken token;
  if (!TakeBytes(rest, token.fingerprint) || !TakeBytes(rest, token.now_ms)) return std::nullopt;
  if (!value::IsWellFormedValue(rest) || static_cast<Type>(rest.front()) != Type::kMap) return std::nullopt;
  token.key = Item::FromEncoded(std::string(rest));
  return token;
}

std::uint64_t Fingerprint(std::string_view table, std::string_view operation, std::string_view partition) {
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325;
  return Mixed(Mixed(Mixed(kBasis, table), operation), partition);
}

bool IsStartKey(const Table& table, const Index* index, const Item& key) {
  const std::vector<const KeyPart*> parts = KeyParts(table, index);
  return key.attributes().size() == parts.size() && std::ranges::all_of(parts, [&](const KeyPart* part) {
           const auto value = key.Find(part->name);
           return value && value->type() == part->type;
         });
}

Item StartKeyOf(const Table& table, const Index* index, ValueView item) {
  std::string bytes;
  value::MapBuilder map(bytes);
  for (const KeyPart* const part : KeyParts(table, index)) {
    if (const auto value = item.Find(part->name)) map.Add(part->name, *value);
  }
  map.Finish();
  return Item::FromEncoded(std::move(bytes));
}

}  // namespace taula::design
