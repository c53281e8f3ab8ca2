#include "taula/value.h"

#include <array>
#include <cstring>

#include "value/encoding.h"
#include "value/map_builder.h"
#include "value/number.h"

namespace taula {
namespace {

using base::ReadU32;
using base::ReadVarint;

constexpr std::array<char, value::kContainerHeaderBytes> kEmptyMap = {static_cast<char>(Type::kMap)};

std::string_view ReadCounted(const char* at) {
  const std::uint32_t length = ReadVarint(at);
  return {at, length};
}

template <typename View>
std::size_t CountElements(const View& view) {
  std::size_t count = 0;
  for (auto at = view.begin(); at != view.end(); ++at) ++count;
  return count;
}

std::string_view ContentOf(const char* container) { return {container + 5, ReadU32(container + 1)}; }

std::string EncodeMap(std::initializer_list<std::pair<std::string_view, Value>> attributes) {
  std::string bytes;
  value::MapBuilder map(bytes);
  for (const auto& [name, attribute] : attributes) map.Add(name, attribute.view());
  map.Finish();
  return bytes;
}

}  // namespace

std::string_view ValueView::encoded() const { return {begin_, value::SkipValue(begin_)}; }

bool ValueView::boolean() const { return begin_[1] != 0; }

std::string_view ValueView::bytes() const { return ReadCounted(begin_ + 1); }

std::string_view ValueView::ordered_number() const { return {begin_ + 1, value::SkipValue(begin_)}; }

std::string ValueView::number_text() const {
  std::string text;
  value::AppendTextFromOrdered(text, ordered_number());
  return text;
}

SetView ValueView::set() const { return SetView(ContentOf(begin_)); }

ListView ValueView::list() const { return ListView(ContentOf(begin_)); }

MapView ValueView::map() const { return MapView(ContentOf(begin_)); }

std::optional<ValueView> ValueView::Find(std::string_view name) const { return map().Find(name); }

std::string_view SetView::Iterator::operator*() const { return ReadCounted(at_); }

SetView::Iterator& SetView::Iterator::operator++() {
  const std::uint32_t length = ReadVarint(at_);
  at_ += length;
  return *this;
}

std::size_t SetView::size() const { return CountElements(*this); }

bool SetView::Contains(std::string_view element) const {
  for (const std::string_view candidate : *this) {
    if (candidate >= element) return candidate == element;
  }
  return false;
}

ListView::Iterator& ListView::Iterator::operator++() {
  at_ = value::SkipValue(at_);
  return *this;
}

std::size_t ListView::size() const { return CountElements(*this); }

std::optional<ValueView> ListView::At(std::size_t index) const {
  for (const ValueView element : *this) {
    if (index-- == 0) return element;
  }
  return std::nullopt;
}

MapView::Entry MapView::Iterator::operator*() const {
  const std::string_view name = ReadCounted(at_);
  return {name, ValueView(name.data() + name.size())};
}

MapView::Iterator& MapView::Iterator::operator++() {
  const std::string_view name = ReadCounted(at_);
  at_ = value::SkipValue(name.data() + name.size());
  return *this;
}

std::size_t MapView::size() const { return CountElements(*this); }

std::optional<ValueView> MapView::Find(std::string_view name) const {
  const char* at = content_.data();
  const char* const end = at + content_.size();
  // The empty name comes before all others.
  const int first = name.empty() ? -1 : static_cast<std::uint8_t>(name.front());
  while (at != end) {
    const std::uint32_t length = ReadVarint(at);
    const int entry_first = length == 0 ? -1 : static_cast<std::uint8_t>(*at);
    // Names are in order: most are told apart by their first byte.
    if (entry_first > first) break;
    if (entry_first == first && length == name.size() && std::memcmp(at, name.data(), length) == 0) {
      return ValueView(at + length);
    }
    at = value::SkipValue(at + length);
  }
  return std::nullopt;
}

Value::Value() { value::AppendNull(bytes_); }

Value::Value(std::string_view text) { value::AppendString(bytes_, text); }

Value::Value(std::int64_t number) {
  bytes_.push_back(static_cast<char>(Type::kNumber));
  value::Number(number).AppendOrdered(bytes_);
}

Value::Value(bool truth) { value::AppendBool(bytes_, truth); }

Value Value::Binary(std::string_view bytes) {
  std::string encoded;
  value::AppendBinary(encoded, bytes);
  return FromEncoded(std::move(encoded));
}

std::optional<Value> Value::Number(std::string_view text) {
  std::string encoded(1, static_cast<char>(Type::kNumber));
  if (!value::AppendOrderedFromText(encoded, text)) return std::nullopt;
  return FromEncoded(std::move(encoded));
}

Value Value::StringSet(std::vector<std::string> elements) {
  std::string encoded;
  value::AppendSet(encoded, Type::kStringSet, std::move(elements));
  return FromEncoded(std::move(encoded));
}

Value Value::BinarySet(std::vector<std::string> elements) {
  std::string encoded;
  value::AppendSet(encoded, Type::kBinarySet, std::move(elements));
  return FromEncoded(std::move(encoded));
}

std::optional<Value> Value::NumberSet(std::span<const std::string> texts) {
  std::vector<std::string> elements;
  elements.reserve(texts.size());
  for (const std::string& text : texts) {
    if (!value::AppendOrderedFromText(elements.emplace_back(), text)) return std::nullopt;
  }
  std::string encoded;
  value::AppendSet(encoded, Type::kNumberSet, std::move(elements));
  return FromEncoded(std::move(encoded));
}

Value Value::List(std::span<const Value> elements) {
  std::string encoded;
  const std::size_t begin = value::BeginContainer(encoded, Type::kList);
  for (const Value& element : elements) encoded.append(element.encoded());
  value::EndContainer(encoded, begin);
  return FromEncoded(std::move(encoded));
}

Value Value::List(std::initializer_list<Value> elements) { return List(std::span(elements.begin(), elements.size())); }

Value Value::Map(std::initializer_list<std::pair<std::string_view, Value>> attributes) {
  return FromEncoded(EncodeMap(attributes));
}

Value Value::FromEncoded(std::string encoded) { return Value(EncodedTag{}, std::move(encoded)); }

Item::Item() : bytes_(kEmptyMap.data(), kEmptyMap.size()) {}

Item::Item(std::initializer_list<std::pair<std::string_view, Value>> attributes) : bytes_(EncodeMap(attributes)) {}

Item Item::FromEncoded(std::string encoded) {
  Item item;
  item.bytes_ = std::move(encoded);
  return item;
}

Item& Item::Set(std::string_view name, const Value& value) {
  std::string changed;
  changed.reserve(bytes_.size() + name.size() + value.encoded().size() + 5);
  value::MapBuilder map(changed);
  bool placed = false;
  for (const auto& [other, attribute] : attributes()) {
    if (!placed && name <= other) {
      map.Add(name, value.view());
      placed = true;
    }
    if (other != name) map.Add(other, attribute);
  }
  if (!placed) map.Add(name, value.view());
  map.Finish();
  bytes_ = std::move(changed);
  return *this;
}

}  // namespace taula
