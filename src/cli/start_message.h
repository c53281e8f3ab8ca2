// What `taula serve` says when it is ready.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/serve_options.h"
#include "design/model.h"

namespace taula::cli {

// "http://127.0.0.1:8000", where a client on this machine finds the server.
[[nodiscard]] std::string EndpointUrl(const std::string& listen, std::uint16_t port);

[[nodiscard]] std::string StartMessage(const ServeOptions& options, std::uint16_t port,
                                       const std::vector<const design::Design*>& designs);

}  // namespace taula::cli
