#include "expression/compare.h"

namespace taula::expression {
namespace {

bool ListContains(ListView list, ValueView part) {
  for (const ValueView element : list) {
    if (element == part) return true;
  }
  return false;
}

}  // namespace

bool Contains(ValueView container, ValueView part) {
  const Type type = part.type();
  switch (container.type()) {
    case Type::kString:
    case Type::kBinary:
      return type == container.type() && container.bytes().find(part.bytes()) != std::string_view::npos;
    case Type::kStringSet:
      return type == Type::kString && container.set().Contains(part.bytes());
    case Type::kBinarySet:
      return type == Type::kBinary && container.set().Contains(part.bytes());
    case Type::kNumberSet:
      return type == Type::kNumber && container.set().Contains(part.ordered_number());
    case Type::kList:
      return ListContains(container.list(), part);
    case Type::kNull:
    case Type::kBool:
    case Type::kNumber:
    case Type::kMap:
      break;
  }
  return false;
}

}  // namespace taula::expression
