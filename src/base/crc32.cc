#include "base/crc32.h"

#include <zlib.h>

namespace taula::base {

std::uint32_t Crc32(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace taula::base
