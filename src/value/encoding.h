// The canonical bytes of a value (docs/formats.md). Persisted: do not change.
//
//   value  := tag payload                     tag is the Type, one byte
//   NULL   := (nothing)
//   BOOL   := 0x00 | 0x01
//   N      := ordered number                  self-delimiting, see number.h
//   S, B   := length:varint bytes
//   sets   := length:u32 element*             elements in byte order, each once
//     SS, BS element := length:varint bytes
//     NS element     := length:varint ordered number
//   L      := length:u32 value*
//   M      := length:u32 (name-length:varint name value)*   by name, each once
//
// Containers carry their length in bytes, so that a reader skips what it does
// not need; u32 is little-endian, so that a writer can fill it in afterwards.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "taula/value.h"

namespace taula::value {

inline constexpr std::size_t kContainerHeaderBytes = 1 + 4;

// The first byte behind the value that starts at `at`.
[[nodiscard]] const char* SkipValue(const char* at);
// Whether `bytes` are one canonical value and nothing else. For bytes that
// nobody has vouched for; everything else here believes what it reads.
[[nodiscard]] bool IsWellFormedValue(std::string_view bytes);

void AppendNull(std::string& out);
void AppendBool(std::string& out, bool truth);
void AppendString(std::string& out, std::string_view text);
void AppendBinary(std::string& out, std::string_view bytes);
// `ordered` is a number in its ordered form.
void AppendNumber(std::string& out, std::string_view ordered);

// Starts a container; the position it returns goes to EndContainer when all
// of the content has been appended.
std::size_t BeginContainer(std::string& out, Type type);
void EndContainer(std::string& out, std::size_t begin);

// Inside a set and a map.
void AppendSetElement(std::string& out, std::string_view element);
void AppendName(std::string& out, std::string_view name);

}  // namespace taula::value
