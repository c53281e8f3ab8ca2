// Warnings about items, for the log: no more than one a second, with a count of
// those that were left out.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::design {

class WarningLog {
 public:
  void Write(std::string_view message);

  // The line to write at that time of a steady clock, nothing when it has to
  // wait.
  [[nodiscard]] std::optional<std::string> Line(std::string_view message, std::int64_t steady_ms);

 private:
  std::atomic<std::int64_t> next_ms_ = 0;
  std::atomic<std::uint64_t> left_out_ = 0;
};

}  // namespace taula::design
