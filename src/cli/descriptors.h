// Descriptors: every connection takes one, and so do the files of a store and what
// forks wait on. The process may have so many and no more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace taula::cli {

// Asks for as many as the process may have at all; returns how many that is.
std::uint64_t RaiseDescriptorLimit();

// How many connections may take one, so that enough are left for everything else:
// a store that cannot open a file refuses writes.
[[nodiscard]] std::size_t ConnectionsWithin(std::uint64_t descriptors, std::size_t connections_max);

}  // namespace taula::cli
