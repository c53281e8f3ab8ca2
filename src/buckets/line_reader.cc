#include "buckets/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace taula::buckets {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kPieceBytes) {}

// Moves what is left to the front, and reads behind it.
Outcome<void> LineReader::Fill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kLineBytesMax) {
      return FailWith(kMalformed, fmt::format("A line is longer than {} bytes", kLineBytesMax));
    }
    buffer_.resize(2 * buffer_.size());
  }
  const Outcome<std::size_t> bytes = source_->Read(std::span(buffer_).subspan(end_));
  if (!bytes) return std::unexpected(bytes.error());
  at_end_ = *bytes == 0;
  end_ += *bytes;
  bytes_read_ += *bytes;
  return {};
}

std::string_view LineReader::Take(std::string_view line, std::string_view end) {
  ++lines_;
  begin_ += line.size() + end.size();
  line_end_ = end;
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
    line_end_ = end.empty() ? "\r" : "\r\n";
  }
  return line;
}

Outcome<std::optional<std::string_view>> LineReader::Next() {
  std::size_t looked_at = 0;
  while (true) {
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    const void* const found = std::memchr(rest.data() + looked_at, '\n', rest.size() - looked_at);
    if (found != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - rest.data());
      return Take(rest.substr(0, length), "\n");
    }
    if (at_end_) {
      if (rest.empty()) return std::nullopt;
      return Take(rest, "");
    }
    looked_at = rest.size();
    if (auto filled = Fill(); !filled) return std::unexpected(filled.error());
  }
}

}  // namespace taula::buckets
