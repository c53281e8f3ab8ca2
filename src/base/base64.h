// Base64 as the wire has it: the standard alphabet, always padded (RFC 4648).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace taula::base {

[[nodiscard]] constexpr std::size_t Base64EncodedSize(std::size_t bytes) { return (bytes + 2) / 3 * 4; }
// Writes Base64EncodedSize characters, and returns what follows them.
char* WriteBase64(char* out, std::string_view bytes);
void AppendBase64(std::string& out, std::string_view bytes);

// How many bytes a text stands for, whose length is a multiple of four.
[[nodiscard]] std::size_t Base64DecodedSize(std::string_view text);

// Appends the bytes that the text stands for. False, with nothing appended,
// when the text is not what AppendBase64 writes: a length that is no multiple
// of four, a foreign character, or bits set behind the last byte.
[[nodiscard]] bool AppendBase64Decoded(std::string& out, std::string_view text);

}  // namespace taula::base
