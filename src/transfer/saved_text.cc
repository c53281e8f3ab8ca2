#include "transfer/saved_text.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "buckets/bucket.h"
#include "buckets/descriptor.h"

namespace taula::transfer {

using buckets::Descriptor;
using buckets::Outcome;

Outcome<void> SaveText(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  const Descriptor file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) return buckets::SystemFailure(errno, fresh);
  if (auto written = buckets::WriteAll(file, text, fresh); !written) return written;
  if (auto synced = buckets::Sync(file, fresh); !synced) return synced;
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return buckets::SystemFailure(errno, path);
  return {};
}

Outcome<std::optional<std::string>> LoadText(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  if (!file.is_open()) return buckets::SystemFailure(errno, path);
  std::string text;
  std::array<char, 4096> piece{};
  while (true) {
    const ssize_t bytes = read(file.number(), piece.data(), piece.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return buckets::SystemFailure(errno, path);
    if (bytes == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  }
}

}  // namespace taula::transfer
