#include "design/password.h"

#include <crypt.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace taula::design {
namespace {

constexpr std::size_t kPasswordBytesMax = 72;
constexpr std::size_t kHashBytes = 60;
constexpr std::size_t kSettingBytes = 29;  // "$2b$10$" and 22 characters of salt
// Valid for every password, and the hash of none: its end is not bcrypt's.
constexpr std::string_view kDummySalt = "abcdefghijklmnopqrstuu";

// crypt_data is 32 kB, too much for a thread's stack.
std::string Crypt(std::string_view password, const std::string& setting) {
  const auto data = std::make_unique<crypt_data>();
  const std::string terminated(password);
  const char* const hash = crypt_r(terminated.c_str(), setting.c_str(), data.get());
  if (hash == nullptr || *hash == '*') return {};
  return hash;
}

bool IsHash(std::string_view hash) { return hash.size() == kHashBytes && hash.starts_with("$2"); }

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace

std::string_view WhyNoNewPassword(std::string_view password) {
  return password.empty() ? "is empty" : WhyNoPassword(password);
}

std::string_view WhyNoPassword(std::string_view password) {
  if (password.size() > kPasswordBytesMax) return "is longer than the 72 bytes that bcrypt looks at";
  if (password.find('\0') != std::string_view::npos) return "holds a NUL character, where bcrypt would stop";
  return {};
}

std::expected<std::string, std::string> HashPassword(std::string_view password, int rounds) {
  if (const std::string_view why = WhyNoNewPassword(password); !why.empty()) {
    return std::unexpected(fmt::format("The password {}.", why));
  }
  const auto cost = static_cast<unsigned long>(std::clamp(rounds, kRoundsMin, kRoundsMax));
  char setting[CRYPT_GENSALT_OUTPUT_SIZE];
  // Without bytes of ours it takes its randomness from the kernel.
  if (crypt_gensalt_rn("$2b$", cost, nullptr, 0, setting, sizeof(setting)) == nullptr) {
    return std::unexpected(std::string("The system has no randomness for a salt."));
  }
  std::string hash = Crypt(password, setting);
  if (!IsHash(hash)) return std::unexpected(std::string("The password cannot be hashed."));
  return hash;
}

bool VerifyPassword(std::string_view password, std::string_view hash, int rounds) {
  if (!WhyNoPassword(password).empty()) return false;
  std::string computed;
  if (IsHash(hash)) computed = Crypt(password, std::string(hash.substr(0, kSettingBytes)));
  if (!computed.empty()) return EqualInConstantTime(computed, hash);
  const std::string dummy = fmt::format("$2b${:02}${}", std::clamp(rounds, kRoundsMin, kRoundsMax), kDummySalt);
  static_cast<void>(Crypt(password, dummy));
  return false;
}

}  // namespace taula::design
