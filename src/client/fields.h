// The fields of an HTTP header, in their order.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace taula::client {

using Fields = std::vector<std::pair<std::string, std::string>>;

}  // namespace taula::client
