// Fault profiles as people write them (docs/faults.md): a file in YAML or JSON,
// or single settings on the command line.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/fault_profile.h"

namespace taula::cli {

// The error names what is wrong, with its line.
[[nodiscard]] std::expected<api::FaultProfile, std::string> ParseFaults(std::string_view text);

// Adds "throttle=0.05 operations=PutItem,UpdateItem tables=orders", or
// "index-lag=200ms", to a profile.
[[nodiscard]] std::expected<void, std::string> AddFault(api::FaultProfile& profile, std::string_view settings);

// A file, and what is added to it; the path may be empty.
[[nodiscard]] std::expected<api::FaultProfile, std::string> ReadFaults(const std::string& path,
                                                                       const std::vector<std::string>& added);

// The profile as JSON, which ParseFaults takes.
[[nodiscard]] std::string FaultsJson(const api::FaultProfile& profile);

}  // namespace taula::cli
