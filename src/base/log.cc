#include "base/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <atomic>
#include <memory>

#include "base/clock.h"
#include "base/timestamp.h"

namespace taula::base {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"debug", "info", "warning", "error", "off"};

std::atomic<LogLevel> log_level = LogLevel::kWarning;
std::atomic<LogFormat> log_format = LogFormat::kText;

// spdlog serialises the writers; the lines are made here, so that they can be
// tested without a terminal.
spdlog::logger& Logger() {
  static const std::unique_ptr<spdlog::logger> logger = [] {
    auto made = std::make_unique<spdlog::logger>("taula", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_formatter(std::make_unique<spdlog::pattern_formatter>("%v"));
    made->set_level(spdlog::level::trace);
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *logger;
}

void AppendEscaped(std::string& out, std::string_view text, bool json) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (json && (c == '"' || c == '\\')) {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out.append("\\n");
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      out.push_back(c);
    }
  }
}

}  // namespace

void StartLog(LogLevel level, LogFormat format) {
  log_level.store(level, std::memory_order_relaxed);
  log_format.store(format, std::memory_order_relaxed);
}

bool LogEnabled(LogLevel level) {
  return level >= log_level.load(std::memory_order_relaxed) && level != LogLevel::kOff;
}

void LogLine(LogLevel level, std::string_view message) {
  if (!LogEnabled(level)) return;
  const LogFormat format = log_format.load(std::memory_order_relaxed);
  Logger().log(spdlog::level::info, FormatLogLine(format, level, Clock::System().NowMs(), message));
}

std::string FormatLogLine(LogFormat format, LogLevel level, std::int64_t time_ms, std::string_view message) {
  const std::string_view name = LogLevelName(level);
  std::string line;
  if (format == LogFormat::kJson) {
    line = fmt::format(R"({{"time":"{}","level":"{}","message":")", IsoTimestamp(time_ms), name);
    AppendEscaped(line, message, true);
    line.append("\"}");
  } else {
    line = fmt::format("{} {:<7} ", IsoTimestamp(time_ms), name);
    AppendEscaped(line, message, false);
  }
  return line;
}

std::string_view LogLevelName(LogLevel level) { return kNames[static_cast<std::size_t>(level)]; }

std::optional<LogLevel> ParseLogLevel(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

}  // namespace taula::base
