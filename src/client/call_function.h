// Whoever carries out an operation of DynamoDB or its streams, both in
// DynamoDB's JSON: a client of a server, or a test.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "taula/error.h"

namespace taula::client {

using CallFunction = std::function<Result<std::string>(std::string_view operation, const std::string& body)>;

}  // namespace taula::client
