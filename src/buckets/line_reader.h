// The lines of a file of any size, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "buckets/byte_source.h"
#include "buckets/failure.h"

namespace taula::buckets {

// No item of 400 KB becomes a line longer than this, whatever of it is escaped.
inline constexpr std::size_t kLineBytesMax = std::size_t{8} << 20;

class LineReader {
 public:
  explicit LineReader(std::unique_ptr<ByteSource> source);

  // The next line without its end ("\n" or "\r\n"), good until the next call;
  // nothing at the end of the file. A line that is too long fails with
  // kMalformed.
  [[nodiscard]] Outcome<std::optional<std::string_view>> Next();

  // What the last line ended with: "\n", "\r\n", or nothing at the end of the file.
  [[nodiscard]] std::string_view line_end() const { return line_end_; }
  // How many lines there have been, and where the next one begins.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  [[nodiscard]] std::uint64_t position() const { return bytes_read_ - (end_ - begin_); }

  // Uncompressed, with the ends of lines.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  [[nodiscard]] Outcome<void> Fill();
  [[nodiscard]] std::string_view Take(std::string_view line, std::string_view end);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t lines_ = 0;
  std::string_view line_end_;
};

}  // namespace taula::buckets
