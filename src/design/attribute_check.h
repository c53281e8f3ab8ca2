// Whether a value is what its attribute says: type, form, range, fields and
// elements.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "design/model.h"
#include "design/problems.h"
#include "taula/value.h"

namespace taula::design {

// Where a value stands, for messages only: "data.tags[3]" is made when there is
// something to say.
struct AttributePath {
  std::string_view name;                  // empty: an element of a list
  const AttributePath* parent = nullptr;  // of a field or an element
  std::size_t index = 0;

  [[nodiscard]] std::string Text() const;
};

// Adds what is wrong with the value, in clauses that begin with its path. The
// values of secret attributes are never told. What is as it was `before` is not
// looked at, fields and elements included.
void CheckValue(const Attribute& attribute, ValueView value, const AttributePath& path, Problems& problems,
                std::optional<ValueView> before = std::nullopt);

// "a@example.com": one '@', something before it, a domain with a dot behind it,
// no spaces. Far from what RFC 5322 allows, and what people have.
[[nodiscard]] bool IsEmail(std::string_view text);

// "$2b$10$" and 53 characters; the cost may be 04 to 31.
[[nodiscard]] bool IsBcryptHash(std::string_view text);

}  // namespace taula::design
