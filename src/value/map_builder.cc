#include "value/map_builder.h"

#include <algorithm>
#include <compare>

#include "value/encoding.h"

namespace taula::value {

MapBuilder::MapBuilder(std::string& out) : out_(out), begin_(BeginContainer(out, Type::kMap)) {}

void MapBuilder::Name(std::string_view name) {
  const bool first = last_name_ == 0;
  if (!first && name <= std::string_view(out_).substr(last_name_, last_name_length_)) in_order_ = false;
  AppendName(out_, name);
  ++names_;
  last_name_ = out_.size() - name.size();
  last_name_length_ = name.size();
}

void MapBuilder::Add(std::string_view name, ValueView value) {
  Name(name);
  out_.append(value.encoded());
}

void MapBuilder::Finish() {
  if (!in_order_) Reorder();
  EndContainer(out_, begin_);
}

void MapBuilder::Reorder() {
  struct Entry {
    std::string_view name;
    std::string_view bytes;  // of the name's length, the name and the value
  };
  const std::string unordered = out_.substr(begin_);
  std::vector<Entry> entries;
  entries.reserve(names_);
  for (const char* at = unordered.data(); at != unordered.data() + unordered.size();) {
    const char* const entry = at;
    const std::uint32_t name_length = base::ReadVarint(at);
    const std::string_view name(at, name_length);
    at = SkipValue(at + name_length);
    entries.push_back({name, {entry, at}});
  }
  // Where they stand tells which of two came first, so that no stable sort is needed, which takes memory.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const std::strong_ordering by_name = a.name <=> b.name;
    return by_name != 0 ? by_name < 0 : a.bytes.data() < b.bytes.data();
  });
  out_.resize(begin_);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool replaced = i + 1 < entries.size() && entries[i + 1].name == entries[i].name;
    if (!replaced) out_.append(entries[i].bytes);
  }
}

void AppendSet(std::string& out, Type type, std::vector<std::string> elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  const std::size_t begin = BeginContainer(out, type);
  for (const std::string& element : elements) AppendSetElement(out, element);
  EndContainer(out, begin);
}

}  // namespace taula::value
