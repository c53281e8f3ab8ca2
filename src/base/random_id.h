// Random numbers and the ids made of them. Each thread draws from a fast
// generator of its own that the kernel seeded: unlikely to repeat, but not
// secret, so never use one as a password or a token that grants something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace taula::base {

inline constexpr std::size_t kRequestIdChars = 52;

[[nodiscard]] std::uint64_t Random64();

// Writes kRequestIdChars characters in the form of Amazon's request ids: upper
// case base-32, random at the front.
void WriteRequestId(char* out);
[[nodiscard]] std::string RequestId();

// A version 4 UUID in lower case, "9c5b94b1-35ad-49bb-b118-8e8fc24abf80".
[[nodiscard]] std::string UuidV4();

// Whether it is written as a UUID of any version, in either case.
[[nodiscard]] bool IsUuid(std::string_view text);

}  // namespace taula::base
