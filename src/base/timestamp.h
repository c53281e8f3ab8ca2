// Times as ISO 8601 writes them, in UTC and the proleptic Gregorian calendar,
// for the years 0000 to 9999.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::base {

inline constexpr std::size_t kIsoMillisecondsChars = 24;
inline constexpr std::size_t kIsoSecondsChars = 20;
inline constexpr std::size_t kIsoDateChars = 10;

// The first and the last millisecond that can be written. Others are written as
// the nearer one of these.
inline constexpr std::int64_t kIsoMsMin = -62'167'219'200'000;
inline constexpr std::int64_t kIsoMsMax = 253'402'300'799'999;

// Seconds as the API's numbers have them, in milliseconds; those that cannot be
// written become the nearer one of these.
[[nodiscard]] std::int64_t MillisecondsOf(double seconds);

// "2026-11-15T22:09:23.120Z", "2026-11-15T22:09:23Z" and "2026-11-15". The
// parts that are left out are cut off, not rounded.
[[nodiscard]] std::string IsoTimestamp(std::int64_t ms);
[[nodiscard]] std::string IsoTimestampSeconds(std::int64_t ms);
[[nodiscard]] std::string IsoDate(std::int64_t ms);

// The first two where no string is wanted.
using IsoTimestampText = std::array<char, kIsoMillisecondsChars>;
[[nodiscard]] std::string_view WriteIsoTimestamp(IsoTimestampText& text, std::int64_t ms);
[[nodiscard]] std::string_view WriteIsoTimestampSeconds(IsoTimestampText& text, std::int64_t ms);

// The milliseconds since 1970 of exactly such a text, nothing for any other: no
// other zone, no lower case, no 30th of February, no 24:00, no leap second.
[[nodiscard]] std::optional<std::int64_t> ParseIsoTimestamp(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> ParseIsoTimestampSeconds(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> ParseIsoDate(std::string_view text);

}  // namespace taula::base
