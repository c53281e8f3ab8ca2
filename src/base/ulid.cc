#include "base/ulid.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "base/random_id.h"

namespace taula::base {
namespace {

using Wide = unsigned __int128;

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr int kRandomBits = 80;
constexpr std::int64_t kTimeMax = (std::int64_t{1} << 48) - 1;

constexpr auto kIsDigit = [] {
  std::array<bool, 256> is_digit{};
  for (const char c : kAlphabet) is_digit[static_cast<unsigned char>(c)] = true;
  return is_digit;
}();

class Sequence {
 public:
  Wide Next(std::int64_t ms) {
    const std::lock_guard lock(mutex_);
    if (ms == last_ms_) {
      ++last_;
    } else {
      last_ms_ = ms;
      // The highest bit stays free, so that counting on never reaches the time.
      const Wide random = (Wide{Random64()} << 64 | Random64()) & ((Wide{1} << (kRandomBits - 1)) - 1);
      last_ = Wide{static_cast<std::uint64_t>(ms)} << kRandomBits | random;
    }
    return last_;
  }

 private:
  std::mutex mutex_;
  std::int64_t last_ms_ = -1;
  Wide last_ = 0;
};

}  // namespace

std::string Ulid(std::int64_t now_ms) {
  static Sequence sequence;
  Wide number = sequence.Next(std::clamp<std::int64_t>(now_ms, 0, kTimeMax));
  std::string text(kUlidChars, '0');
  for (std::size_t i = kUlidChars; i-- > 0;) {
    text[i] = kAlphabet[static_cast<std::size_t>(number & 31)];
    number >>= 5;
  }
  return text;
}

bool IsUlid(std::string_view text) {
  // The first character holds only three bits.
  if (text.size() != kUlidChars || text[0] > '7') return false;
  return std::ranges::all_of(text, [](char c) { return kIsDigit[static_cast<unsigned char>(c)]; });
}

}  // namespace taula::base
