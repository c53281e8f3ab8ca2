// The units that CloudWatch knows; metrics/metric.h says which are used here.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "cloudwatch/fault.h"

namespace taula::cloudwatch {

inline constexpr auto kUnits = std::to_array<std::string_view>(
    {"Seconds",          "Microseconds",     "Milliseconds", "Bytes",           "Kilobytes",        "Megabytes",
     "Gigabytes",        "Terabytes",        "Bits",         "Kilobits",        "Megabits",         "Gigabits",
     "Terabits",         "Percent",          "Count",        "Bytes/Second",    "Kilobytes/Second", "Megabytes/Second",
     "Gigabytes/Second", "Terabytes/Second", "Bits/Second",  "Kilobits/Second", "Megabits/Second",  "Gigabits/Second",
     "Terabits/Second",  "Count/Second",     "None"});

[[nodiscard]] inline Outcome<void> CheckUnit(const std::optional<std::string>& unit, std::string_view parameter) {
  if (!unit || std::ranges::find(kUnits, *unit) != kUnits.end()) return {};
  return InvalidValue(
      fmt::format("The parameter {} must be a value in the set [{}].", parameter, fmt::join(kUnits, ", ")));
}

}  // namespace taula::cloudwatch
