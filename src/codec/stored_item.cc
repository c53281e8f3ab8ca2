#include "codec/stored_item.h"

#include "value/encoding.h"
#include "value/size.h"

namespace taula::codec {

void AppendStoredItem(std::string& out, ValueView item) {
  const std::string_view encoded = item.encoded();
  out.reserve(out.size() + kStoredItemHeaderBytes + encoded.size());
  out.push_back(kStoredItemFormat);
  base::AppendU32(out, static_cast<std::uint32_t>(value::ItemSize(item.map())));
  out.append(encoded);
}

bool IsWellFormed(std::string_view stored) {
  if (stored.size() <= kStoredItemHeaderBytes || stored.front() != kStoredItemFormat) return false;
  if (!value::IsWellFormedValue(stored.substr(kStoredItemHeaderBytes))) return false;
  const ValueView item = StoredItemValue(stored);
  return item.type() == Type::kMap && value::ItemSize(item.map()) == StoredItemSize(stored);
}

}  // namespace taula::codec
