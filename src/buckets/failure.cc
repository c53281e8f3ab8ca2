#include "buckets/failure.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace taula::buckets {
namespace {

std::string_view CodeOf(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return kStorageFull;
    case ENOENT:
      return kNoSuchKey;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
    case ENOTDIR:
    case EISDIR:
      return kAccessDenied;
    default:
      return kStorageError;
  }
}

}  // namespace

std::unexpected<Failure> FailWith(std::string_view code, std::string message) {
  return std::unexpected(Failure{std::string(code), std::move(message)});
}

std::unexpected<Failure> SystemFailure(int error, std::string_view what) {
  return FailWith(CodeOf(error), fmt::format("{}: {}", what, std::generic_category().message(error)));
}

}  // namespace taula::buckets
