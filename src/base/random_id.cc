#include "base/random_id.h"

#include <sys/random.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstring>

namespace taula::base {
namespace {

// xoshiro256++ by Blackman and Vigna (public domain).
class Generator {
 public:
  Generator() {
    if (getrandom(state_.data(), sizeof(state_), 0) != static_cast<ssize_t>(sizeof(state_))) SeedFromClock();
    // All zeros is the one state it never leaves.
    state_[0] |= 1;
  }

  std::uint64_t Next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  // For kernels that refuse getrandom inside a sandbox.
  void SeedFromClock() {
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    state_ = {now, reinterpret_cast<std::uintptr_t>(this), ~now, 0x9e3779b97f4a7c15};
    for (int i = 0; i < 16; ++i) Next();
  }

  std::array<std::uint64_t, 4> state_{};
};

// Two characters for every ten bits.
constexpr auto kBase32Pairs = [] {
  constexpr std::string_view kBase32 = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  std::array<char, 2048> pairs{};
  for (std::size_t i = 0; i < 1024; ++i) {
    pairs[2 * i] = kBase32[i / 32];
    pairs[2 * i + 1] = kBase32[i % 32];
  }
  return pairs;
}();

}  // namespace

std::uint64_t Random64() {
  thread_local Generator generator;
  return generator.Next();
}

void WriteRequestId(char* out) {
  // The second half of every id that Amazon's service hands out.
  static constexpr char kTail[] = "VV4KQNSO5AEMVJF66Q9ASUAAJG";
  constexpr std::size_t kTailChars = sizeof(kTail) - 1;
  constexpr std::size_t kRandomChars = kRequestIdChars - kTailChars;
  constexpr std::size_t kPairsPerDraw = 64 / 10;
  static_assert(kRandomChars % 2 == 0);

  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kRandomChars / 2; ++i) {
    if (i % kPairsPerDraw == 0) bits = Random64();
    std::memcpy(out + 2 * i, &kBase32Pairs[2 * (bits & 1023)], 2);
    bits >>= 10;
  }
  std::memcpy(out + kRandomChars, kTail, kTailChars);
}

std::string RequestId() {
  std::string id(kRequestIdChars, '\0');
  WriteRequestId(id.data());
  return id;
}

std::string UuidV4() {
  static constexpr char kHex[] = "0123456789abcdef";
  std::uint64_t halves[2] = {Random64(), Random64()};
  halves[0] = (halves[0] & ~std::uint64_t{0xf000}) | 0x4000;
  halves[1] = (halves[1] & ~(std::uint64_t{0xc} << 60)) | (std::uint64_t{0x8} << 60);
  std::string uuid;
  uuid.reserve(36);
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) uuid.push_back('-');
    uuid.push_back(kHex[(halves[digit / 16] >> (60 - 4 * (digit % 16))) & 15]);
  }
  return uuid;
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (is_hyphen ? c != '-' : !is_digit) return false;
  }
  return true;
}

}  // namespace taula::base
