// The command line of DynamoDB Local, for those who bring their scripts along.
#pragma once

#include <string>
#include <vector>

namespace taula::cli {

// Turns DynamoDB Local's options, which have one dash and may come without a
// command, into those of `taula serve`; leaves everything else as it is.
[[nodiscard]] std::vector<std::string> TranslateDynamoDbLocal(std::vector<std::string> arguments);

}  // namespace taula::cli
