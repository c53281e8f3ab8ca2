#include "cli/descriptors.h"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace taula::cli {
namespace {

// A store keeps up to 512 files open, a saved state 64, a fork some dozens.
constexpr std::uint64_t kOtherDescriptors = 1024;

}  // namespace

std::uint64_t RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::numeric_limits<std::uint64_t>::max();
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
}

std::size_t ConnectionsWithin(std::uint64_t descriptors, std::size_t connections_max) {
  const std::uint64_t left = descriptors - std::min(kOtherDescriptors, descriptors / 2);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(left, 1, connections_max));
}

}  // namespace taula::cli
