// CRC-32C, which guards every record of the log, by the processor's own
// instruction where it has one. Debian builds RocksDB for processors without it,
// and then a third of what a write adds to the log's time is this sum; so the
// program brings the three functions that RocksDB keeps in a file of their own
// (util/crc32c.cc), and the linker does not look for them in its library. With the
// shared library RocksDB's own are used. Both give the same sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace taula::storage {

// How sums are made here: "sse4.2", "armv8-crc" or "table". Whoever opens a store
// asks, by which this file is part of every program that has one.
[[nodiscard]] std::string_view ChecksumMethod();

// The sum of what `crc` is the sum of, with `bytes` behind it.
[[nodiscard]] std::uint32_t ExtendChecksum(std::uint32_t crc, std::string_view bytes);
// The same in portable code.
[[nodiscard]] std::uint32_t ExtendChecksumByTable(std::uint32_t crc, std::string_view bytes);

// The sum of two runs of bytes, one behind the other, from the sums of both.
[[nodiscard]] std::uint32_t CombineChecksums(std::uint32_t first, std::uint32_t second, std::size_t second_bytes);

}  // namespace taula::storage
