#include "value/size.h"

#include <algorithm>

#include "base/bytes.h"
#include "value/number.h"

namespace taula::value {
namespace {

constexpr std::size_t kContainerSize = 3;
constexpr std::size_t kElementSize = 1;

// Each of these tells the size of what begins at `at` and moves `at` behind it:
// every write takes the size of whole items, so their bytes are walked once
// instead of iterated, which would look for the end of each value again.

std::size_t TakeValue(const char*& at);

std::size_t TakeCounted(const char*& at) {
  const std::uint32_t length = base::ReadVarint(at);
  at += length;
  return length;
}

std::size_t TakeNumber(const char*& at) {
  const std::string_view ordered(at, Number::OrderedLength({at, kOrderedBytesMax}));
  at += ordered.size();
  return OrderedItemSize(ordered);
}

// Behind a container's length, where its content begins.
const char* TakeLength(const char*& at) {
  const std::uint32_t length = base::ReadU32(at);
  at += sizeof length;
  return at + length;
}

std::size_t TakeSet(const char*& at, bool numbers) {
  const char* const end = TakeLength(at);
  std::size_t size = 0;
  while (at != end) {
    const std::size_t length = TakeCounted(at);
    size += numbers ? OrderedItemSize({at - length, length}) : length;
  }
  return size;
}

std::size_t TakeList(const char*& at) {
  const char* const end = TakeLength(at);
  std::size_t size = kContainerSize;
  while (at != end) size += kElementSize + TakeValue(at);
  return size;
}

// Names and values up to `end`, and a fee for each pair of them.
std::size_t TakeAttributes(const char*& at, const char* end, std::size_t fee) {
  std::size_t size = 0;
  while (at != end) {
    size += fee + TakeCounted(at);
    size += TakeValue(at);
  }
  return size;
}

std::size_t TakeMap(const char*& at) {
  const char* const end = TakeLength(at);
  return kContainerSize + TakeAttributes(at, end, kElementSize);
}

std::size_t TakeValue(const char*& at) {
  const Type type = static_cast<Type>(*at++);
  switch (type) {
    case Type::kNull:
      return 1;
    case Type::kBool:
      ++at;
      return 1;
    case Type::kNumber:
      return TakeNumber(at);
    case Type::kString:
    case Type::kBinary:
      return TakeCounted(at);
    case Type::kStringSet:
    case Type::kBinarySet:
    case Type::kNumberSet:
      return TakeSet(at, type == Type::kNumberSet);
    case Type::kList:
      return TakeList(at);
    case Type::kMap:
      return TakeMap(at);
  }
  return 0;
}

}  // namespace

std::size_t ValueSize(ValueView value) {
  const char* at = value.encoded().data();
  return TakeValue(at);
}

std::size_t ItemSize(MapView attributes) {
  const std::string_view content = attributes.content();
  const char* at = content.data();
  return TakeAttributes(at, at + content.size(), 0);
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
