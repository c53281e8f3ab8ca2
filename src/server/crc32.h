// The checksum that DynamoDB sends with every response (x-amz-crc32).
#pragma once

#include <cstdint>
#include <string_view>

namespace taula::server {

// CRC-32 as zlib, gzip and PNG have it.
[[nodiscard]] std::uint32_t Crc32(std::string_view bytes);

}  // namespace taula::server
