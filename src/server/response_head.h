// The status line and the header of an answer.
#pragma once

#include <string>
#include <string_view>

#include "server/exchange.h"

namespace taula::server {

// Fills exchange.response_head for the body as it is to be sent.
void WriteResponseHead(Exchange& exchange, std::string_view date);

// A whole answer to what could not even be read as a request.
[[nodiscard]] std::string RefusalResponse(int status, bool http11, std::string_view date);

}  // namespace taula::server
