// Who a request is from, found where Amazon's own tools look: the environment
// and the files in ~/.aws.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "client/sigv4.h"
#include "client/url.h"

namespace taula::client {

// The value of a variable; nothing when it is not set or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;
[[nodiscard]] Environment ProcessEnvironment();

// AWS_ACCESS_KEY_ID and its companions, else the profile AWS_PROFILE (or
// "default") of ~/.aws/credentials and ~/.aws/config. A server on this machine
// gets made-up ones when there are none. The error is a sentence or two.
[[nodiscard]] std::expected<Credentials, std::string> FindCredentials(const Url& server,
                                                                      const Environment& environment);

// The first that says one: `given`, the server's name where it is Amazon's,
// AWS_REGION, AWS_DEFAULT_REGION, the profile; us-east-1 otherwise.
[[nodiscard]] std::string FindRegion(std::string_view given, const Url& server, const Environment& environment);

}  // namespace taula::client
