#include "storage/rocksdb/checksum.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace taula::storage {
namespace {

std::string RandomBytes(std::mt19937& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

// As the definition has it, a bit at a time.
std::uint32_t SumOf(std::string_view bytes) {
  std::uint32_t sum = 0xffffffff;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~sum;
}

// The examples of RFC 3720, which iSCSI is tested with.
TEST(Checksum, GivesTheSumsOfTheStandard) {
  std::string ascending(32, '\0');
  for (std::size_t i = 0; i < ascending.size(); ++i) ascending[i] = static_cast<char>(i);
  EXPECT_EQ(ExtendChecksum(0, std::string(32, '\0')), 0x8a9136aa);
  EXPECT_EQ(ExtendChecksum(0, std::string(32, '\xff')), 0x62a8ab43);
  EXPECT_EQ(ExtendChecksum(0, ascending), 0x46dd794e);
  EXPECT_EQ(ExtendChecksumByTable(0, ascending), 0x46dd794e);
}

TEST(Checksum, InstructionAndTableAgreeWithTheDefinition) {
  std::mt19937 random(1);
  for (std::size_t count = 0; count < 300; ++count) {
    const std::string bytes = RandomBytes(random, count);
    EXPECT_EQ(ExtendChecksum(0, bytes), SumOf(bytes)) << count;
    EXPECT_EQ(ExtendChecksumByTable(0, bytes), SumOf(bytes)) << count;
  }
}

TEST(Checksum, GoesOnFromASum) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const std::string first = RandomBytes(random, random() % 100);
    const std::string second = RandomBytes(random, random() % 100);
    EXPECT_EQ(ExtendChecksum(ExtendChecksum(0, first), second), SumOf(first + second));
    EXPECT_EQ(ExtendChecksumByTable(ExtendChecksumByTable(0, first), second), SumOf(first + second));
  }
}

TEST(Checksum, CombinesSumsOfAnyLengths) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const std::string first = RandomBytes(random, random() % 5000);
    const std::string second = RandomBytes(random, i == 0 ? 0 : random() % 5000);
    const std::uint32_t both = ExtendChecksum(ExtendChecksum(0, first), second);
    EXPECT_EQ(CombineChecksums(ExtendChecksum(0, first), ExtendChecksum(0, second), second.size()), both);
  }
}

}  // namespace
}  // namespace taula::storage
