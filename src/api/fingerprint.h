// Tells whether two transactions with one token ask for the same.
#pragma once

#include <string>

#include "taula/requests.h"

namespace taula::api {

// A hash over all that the transaction does; what it wants to be told does not
// count, nor the order of placeholders.
[[nodiscard]] std::string Fingerprint(const std::vector<TransactWriteAction>& actions);

}  // namespace taula::api
