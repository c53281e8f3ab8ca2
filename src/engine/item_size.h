// The size limit of items that are put.
#pragma once

#include "base/limits.h"
#include "taula/error.h"
#include "taula/value.h"
#include "value/size.h"

namespace taula::engine {

[[nodiscard]] inline Result<void> CheckItemSize(const Item& item) {
  if (value::ItemSize(item.attributes()) <= base::kItemBytesMax) return {};
  return ValidationError("Item size has exceeded the maximum allowed size");
}

}  // namespace taula::engine
