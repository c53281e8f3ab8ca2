#include "value/size.h"

#include <algorithm>

#include "value/number.h"

namespace taula::value {
namespace {

constexpr std::size_t kContainerSize = 3;
constexpr std::size_t kElementSize = 1;

std::size_t SetSize(SetView set, bool numbers) {
  std::size_t size = 0;
  for (const std::string_view element : set) size += numbers ? OrderedItemSize(element) : element.size();
  return size;
}

std::size_t ListSize(ListView list) {
  std::size_t size = kContainerSize;
  for (const ValueView element : list) size += kElementSize + ValueSize(element);
  return size;
}

std::size_t MapSize(MapView map) {
  std::size_t size = kContainerSize;
  for (const auto& [name, value] : map) size += kElementSize + name.size() + ValueSize(value);
  return size;
}

}  // namespace

std::size_t ValueSize(ValueView value) {
  switch (value.type()) {
    case Type::kNull:
    case Type::kBool:
      return 1;
    case Type::kNumber:
      return OrderedItemSize(value.ordered_number());
    case Type::kString:
    case Type::kBinary:
      return value.bytes().size();
    case Type::kStringSet:
    case Type::kBinarySet:
      return SetSize(value.set(), false);
    case Type::kNumberSet:
      return SetSize(value.set(), true);
    case Type::kList:
      return ListSize(value.list());
    case Type::kMap:
      return MapSize(value.map());
  }
  return 0;
}

std::size_t ItemSize(MapView attributes) {
  std::size_t size = 0;
  for (const auto& [name, value] : attributes) size += name.size() + ValueSize(value);
  return size;
}

std::size_t NestingDepth(ValueView value) {
  std::size_t depth = 0;
  if (value.type() == Type::kList) {
    for (const ValueView element : value.list()) depth = std::max(depth, 1 + NestingDepth(element));
  } else if (value.type() == Type::kMap) {
    for (const auto& [name, attribute] : value.map()) depth = std::max(depth, 1 + NestingDepth(attribute));
  }
  return depth;
}

}  // namespace taula::value
