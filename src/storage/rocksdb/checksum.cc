#include "storage/rocksdb/checksum.h"

#include <array>
#include <cstring>
#include <string>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

namespace taula::storage {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // of CRC-32C, its bits reversed
constexpr std::uint32_t kOne = 0x80000000;         // the polynomial 1

// What each value of a byte does to the sum when so many bytes follow it.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables kTables = [] {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = sum;
  }
  for (std::size_t behind = 1; behind < tables.size(); ++behind) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[behind - 1][byte];
      tables[behind][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}();

// The product of two polynomials, modulo that of the sum.
constexpr std::uint32_t Multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

// x to the power of 8, 16, 32 …: what one, two, four … bytes of zeros multiply by.
constexpr std::array<std::uint32_t, 64> kPowers = [] {
  std::array<std::uint32_t, 64> powers{};
  powers[0] = kOne >> 8;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = Multiply(powers[i - 1], powers[i - 1]);
  return powers;
}();

std::uint64_t Load64(const char* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

#if defined(__x86_64__)
constexpr std::string_view kInstruction = "sse4.2";

bool HasInstruction() { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) std::uint32_t ExtendByInstruction(std::uint32_t crc, std::string_view bytes) {
  std::uint64_t sum = ~crc;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (; end - at >= 8; at += 8) sum = _mm_crc32_u64(sum, Load64(at));
  auto rest = static_cast<std::uint32_t>(sum);
  for (; at != end; ++at) rest = _mm_crc32_u8(rest, static_cast<unsigned char>(*at));
  return ~rest;
}
#elif defined(__aarch64__)
constexpr std::string_view kInstruction = "armv8-crc";

bool HasInstruction() { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

__attribute__((target("+crc"))) std::uint32_t ExtendByInstruction(std::uint32_t crc, std::string_view bytes) {
  std::uint32_t sum = ~crc;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (; end - at >= 8; at += 8) sum = __crc32cd(sum, Load64(at));
  for (; at != end; ++at) sum = __crc32cb(sum, static_cast<unsigned char>(*at));
  return ~sum;
}
#else
constexpr std::string_view kInstruction;

bool HasInstruction() { return false; }
std::uint32_t ExtendByInstruction(std::uint32_t crc, std::string_view bytes) {
  return ExtendChecksumByTable(crc, bytes);
}
#endif

const bool has_instruction = HasInstruction();

}  // namespace

std::string_view ChecksumMethod() { return has_instruction ? kInstruction : "table"; }

std::uint32_t ExtendChecksumByTable(std::uint32_t crc, std::string_view bytes) {
  std::uint32_t sum = ~crc;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (; end - at >= 8; at += 8) {
    const std::uint64_t eight = Load64(at) ^ sum;
    sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum ^= kTables[7 - i][(eight >> (8 * i)) & 0xff];
  }
  for (; at != end; ++at) sum = (sum >> 8) ^ kTables[0][(sum ^ static_cast<unsigned char>(*at)) & 0xff];
  return ~sum;
}

std::uint32_t ExtendChecksum(std::uint32_t crc, std::string_view bytes) {
  return has_instruction ? ExtendByInstruction(crc, bytes) : ExtendChecksumByTable(crc, bytes);
}

std::uint32_t CombineChecksums(std::uint32_t first, std::uint32_t second, std::size_t second_bytes) {
  std::uint32_t factor = kOne;
  for (std::size_t i = 0; second_bytes != 0; ++i, second_bytes >>= 1) {
    if ((second_bytes & 1) != 0) factor = Multiply(kPowers[i], factor);
  }
  return Multiply(factor, first) ^ second;
}

}  // namespace taula::storage

// NOLINTBEGIN: declared in a header that RocksDB does not install.
namespace rocksdb::crc32c {

uint32_t Extend(uint32_t init_crc, const char* data, size_t n);
uint32_t Crc32cCombine(uint32_t crc1, uint32_t crc2, size_t crc2len);
std::string IsFastCrc32Supported();

uint32_t Extend(uint32_t init_crc, const char* data, size_t n) {
  return taula::storage::ExtendChecksum(init_crc, {data, n});
}

uint32_t Crc32cCombine(uint32_t crc1, uint32_t crc2, size_t crc2len) {
  return taula::storage::CombineChecksums(crc1, crc2, crc2len);
}

std::string IsFastCrc32Supported() { return "by Taula: " + std::string(taula::storage::ChecksumMethod()); }

}  // namespace rocksdb::crc32c
// NOLINTEND
