// The log: one line an event on stderr, as text or as JSON.
//
// Before StartLog, events from kWarning up are written as text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace taula::base {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError, kOff };
enum class LogFormat : std::uint8_t { kText, kJson };

void StartLog(LogLevel level, LogFormat format);

// For guarding work that only a log line needs.
[[nodiscard]] bool LogEnabled(LogLevel level);

void LogLine(LogLevel level, std::string_view message);

template <typename... Arguments>
void Log(LogLevel level, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (LogEnabled(level)) LogLine(level, fmt::format(format, std::forward<Arguments>(arguments)...));
}

// The line without its end, as it would be written at that time.
[[nodiscard]] std::string FormatLogLine(LogFormat format, LogLevel level, std::int64_t time_ms,
                                        std::string_view message);

// "debug", "info", "warning", "error", "off".
[[nodiscard]] std::string_view LogLevelName(LogLevel level);
[[nodiscard]] std::optional<LogLevel> ParseLogLevel(std::string_view name);

}  // namespace taula::base
