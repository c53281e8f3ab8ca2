// What is wrong with an attribute value whose JSON is of the right type.
//
// Amazon reports these later than JSON of the wrong type, at a moment and in a
// form that depend on the operation; so a reader hands them back and reads on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taula/value.h"
#include "value/number_error.h"

namespace taula::codec {

struct ValueFault {
  enum class Kind {
    kContent,             // a bad number, an empty set, …
    kDatatypes,           // no type or several; sent bare where others get an envelope
    kNesting,             // too many levels
    kEmptyAttributeName,  // of the item itself; some operations look for it first
  };
  Kind kind = Kind::kContent;
  std::string message;
};

// Amazon worded a few of these anew in 2026, operation by operation. The
// parameters of statements have the older words, and numbers as Java reads them.
enum class ValueWording { kCurrent, kOlder, kStatement };

[[nodiscard]] ValueFault NumberFault(value::NumberError error, std::string_view text, ValueWording wording);
[[nodiscard]] ValueFault EmptySetFault(Type type);
// `elements` as they were sent, binaries decoded, of which two are equal.
[[nodiscard]] ValueFault DuplicatesFault(Type type, const std::vector<std::string_view>& elements,
                                         ValueWording wording);
[[nodiscard]] ValueFault NullNotTrueFault();
[[nodiscard]] ValueFault NoDatatypeFault();
[[nodiscard]] ValueFault SeveralDatatypesFault();
[[nodiscard]] ValueFault NestingFault();
// Inside of an item, or of one of its maps.
[[nodiscard]] ValueFault EmptyNameFault(bool of_item);
[[nodiscard]] ValueFault LongNameFault();

}  // namespace taula::codec
