// Errors in the form the wire has them: an HTTP status and a JSON body.
#pragma once

#include <string>

#include "taula/error.h"

namespace taula::server {

[[nodiscard]] int HttpStatus(ErrorCode code);

// {"__type":"com.amazon.coral.validate#ValidationException","message":"…"}
void AppendErrorBody(const Error& error, std::string& out);

}  // namespace taula::server
