// Values as plain JSON, as people write it, numbers with all their digits.
//
// JSON has neither binaries nor sets. For a reader who knows what is meant they
// are Base64 and arrays. For one who does not they say what they are:
//
//   {"$binary":"aGk="}   {"$set":["a","b"]}   {"$set":[{"$binary":"aGk="}]}
//
// and then a map that could be taken for one of these, whose only name begins
// with "$", has one more "$" before that name.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taula/value.h"

namespace taula::codec {

enum class TypeMarks : std::uint8_t { kNone, kWritten };

void AppendPlainJson(std::string& out, ValueView value, TypeMarks marks = TypeMarks::kNone);
// An item stands on its own: it is never taken for a set or a binary.
void AppendPlainItem(std::string& out, MapView attributes);

// What is wrong with a value, and where inside of it.
struct Misfit {
  std::string path;  // "items[2].quantity"
  std::string what;  // "is not a whole number": what follows the path in a sentence
};

[[nodiscard]] std::unexpected<Misfit> Wrong(std::string what);
// The same misfit, seen from around the value it is in.
[[nodiscard]] std::unexpected<Misfit> Inside(std::string step, Misfit misfit);

using JsonMembers = std::vector<std::pair<std::string, Value>>;
[[nodiscard]] std::string EncodedMap(const JsonMembers& members);

// Reads one text after the other, and keeps what is needed for that between
// them; so one for each thread.
class PlainJsonReader {
 public:
  explicit PlainJsonReader(TypeMarks marks = TypeMarks::kNone);
  ~PlainJsonReader();
  PlainJsonReader(const PlainJsonReader&) = delete;
  PlainJsonReader& operator=(const PlainJsonReader&) = delete;

  // A JSON object, in the order of its members.
  [[nodiscard]] std::expected<JsonMembers, Misfit> ReadMembers(std::string_view json);
  // The same as an item; of two members with one name the last one stays.
  [[nodiscard]] std::expected<Item, Misfit> ReadItem(std::string_view json);
  // Any JSON.
  [[nodiscard]] std::expected<Value, Misfit> ReadValue(std::string_view json);

 private:
  class Parser;

  TypeMarks marks_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace taula::codec
