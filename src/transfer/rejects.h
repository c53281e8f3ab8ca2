// What an import could not bring into the table: a JSON object a line, with the
// file, the line and the reason, in a file that is made with the first of them.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "buckets/failure.h"
#include "transfer/output_file.h"

namespace taula::transfer {

struct Reject {
  std::string_view file;
  std::uint64_t line = 0;
  std::string_view why;
  std::string_view item;  // as plain JSON; empty when it is none
  std::string_view text;  // otherwise: what stands there
};

// Calls may come from several threads.
class Rejects {
 public:
  // Without a path they are only counted. There may be some of an earlier run:
  // their number, and how long the file was with them.
  explicit Rejects(std::string path, std::uint64_t count = 0, std::uint64_t bytes = 0)
      : path_(std::move(path)), count_(count), bytes_(bytes) {}

  void Add(const Reject& reject);

  [[nodiscard]] std::uint64_t count() const;
  // "orders.csv:12: …", for the first.
  [[nodiscard]] std::string first() const;
  // Brings all to the disk, and says how long the file is. Fails when they could
  // not be written.
  [[nodiscard]] buckets::Outcome<std::uint64_t> Settle();

 private:
  const std::string path_;
  mutable std::mutex mutex_;
  std::uint64_t count_;
  std::uint64_t bytes_;
  std::string first_;
  std::optional<OutputFile> file_;
  std::optional<buckets::Failure> failure_;
};

}  // namespace taula::transfer
