// Passwords kept as bcrypt hashes.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace taula::design {

inline constexpr int kRoundsMin = 4;
inline constexpr int kRoundsMax = 31;

// Why a password cannot be hashed, as the end of a sentence; empty when it can.
// bcrypt looks at 72 bytes and stops at a NUL: what it would ignore is refused.
[[nodiscard]] std::string_view WhyNoPassword(std::string_view password);
// Of one to be kept, which may not be empty either.
[[nodiscard]] std::string_view WhyNoNewPassword(std::string_view password);

// "$2b$10$…", with a salt of its own. Takes its time: 2^rounds steps. The error
// is a sentence.
[[nodiscard]] std::expected<std::string, std::string> HashPassword(std::string_view password, int rounds);

// Whether the hash is that password's. A hash that is empty or unreadable is
// nobody's, and costs as many rounds as one that is readable. The comparison
// takes the same time wherever the difference is.
[[nodiscard]] bool VerifyPassword(std::string_view password, std::string_view hash, int rounds);

}  // namespace taula::design
