// Reads the errors that servers with DynamoDB's API answer with.
#pragma once

#include <optional>
#include <string_view>

#include "taula/error.h"

namespace taula::client {

// Of an answer with this HTTP status. An exception that has no code of its own
// is a kAccessDeniedException where it is about credentials, otherwise a
// kInternalServerError or a kValidationException by the status, with its name
// in front of the message. Nothing when the body is not an error of DynamoDB's.
[[nodiscard]] std::optional<Error> ReadError(int status, std::string_view body);

}  // namespace taula::client
