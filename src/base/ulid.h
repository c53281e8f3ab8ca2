// ULIDs: 26 characters that sort by the millisecond they were made in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace taula::base {

inline constexpr std::size_t kUlidChars = 26;

// Of this time, with 80 random bits; those that follow each other in one
// millisecond grow. From any thread. Not secret (random_id.h).
[[nodiscard]] std::string Ulid(std::int64_t now_ms);

// Whether it is written as one: Crockford's base 32 in upper case, 128 bits.
[[nodiscard]] bool IsUlid(std::string_view text);

}  // namespace taula::base
