#include "design/time_text.h"

#include "base/timestamp.h"

namespace taula::design {

Value TimeValue(std::int64_t ms, TimeFormat format) {
  constexpr std::int64_t kMsPerSecond = 1000;
  switch (format) {
    case TimeFormat::kEpoch:
      return ms / kMsPerSecond;
    case TimeFormat::kSeconds:
      return base::IsoTimestampSeconds(ms);
    case TimeFormat::kMilliseconds:
      break;
  }
  return base::IsoTimestamp(ms);
}

std::optional<std::int64_t> ParseTime(std::string_view text) {
  if (const auto ms = base::ParseIsoTimestamp(text)) return ms;
  if (const auto ms = base::ParseIsoTimestampSeconds(text)) return ms;
  return base::ParseIsoDate(text);
}

}  // namespace taula::design
