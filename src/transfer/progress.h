// How far a long command is, on one line of a terminal that is written anew a few
// times a second. Where there is no terminal nothing is shown on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taula::transfer {

struct Amount {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::optional<double> part;  // of all there is, 0 to 1; nothing: unknown
};

// "1,234,567"
[[nodiscard]] std::string Grouped(std::uint64_t number);
// "12.3 MB"
[[nodiscard]] std::string BytesText(std::uint64_t bytes);
// "45 s", "3 min 20 s", "2 h 5 min"
[[nodiscard]] std::string DurationText(double seconds);

// " 45 % [#########-----------] 90,000 items  12.3 MB  45,000 items/s  2 s left".
// What was there at the start (of an export that goes on) does not count for
// the speed.
[[nodiscard]] std::string ProgressLine(const Amount& now, const Amount& at_start, double seconds);

// "90,000 items, 12.3 MB, in 2 s (45,000 items/s)"
[[nodiscard]] std::string SummaryText(const Amount& now, const Amount& at_start, double seconds);

class Progress {
 public:
  // On the standard error, if it is a terminal and `quiet` is not wanted.
  explicit Progress(bool quiet = false, const Amount& at_start = {});
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(const Amount& now);
  // Takes the line away, for a message or the end.
  void Clear();
  [[nodiscard]] std::string Summary(const Amount& now) const;

 private:
  [[nodiscard]] double Seconds() const;

  const bool is_shown_;
  const Amount at_start_;
  const std::int64_t started_ms_;
  std::int64_t shown_ms_ = 0;
  bool has_line_ = false;
};

}  // namespace taula::transfer
