#include "cli/diagnostics_text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "codec/json_writer.h"

namespace taula::cli {
namespace {

using design::Diagnostic;
using design::Severity;

constexpr std::size_t kColumnsMin = 40;
constexpr std::size_t kColumnsMax = 120;

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

std::string_view ColourOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "\x1b[1;31m";
    case Severity::kWarning:
      return "\x1b[1;33m";
    case Severity::kNote:
      return "\x1b[1;36m";
  }
  return "";
}

std::string Coloured(std::string_view colour, std::string_view text, const TextStyle& style) {
  return style.colours ? fmt::format("{}{}\x1b[0m", colour, text) : std::string(text);
}

std::string_view LineOf(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool BeginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }

// What stands before the caret, as wide as the line above it: tabs stay, and
// every character is one, whatever number of bytes it has.
std::string Before(std::string_view line, int column) {
  std::string before;
  for (const char c : line.substr(0, std::min(line.size(), static_cast<std::size_t>(column - 1)))) {
    if (BeginsCharacter(c)) before.push_back(c == '\t' ? '\t' : ' ');
  }
  return before;
}

// Of a line that no screen holds the part around the column, which becomes that
// part's.
std::string_view Shown(std::string_view line, int& column) {
  constexpr std::size_t kBytesMax = 400;
  constexpr std::size_t kBytesBefore = 60;
  if (line.size() <= kBytesMax) return line;
  const auto at = std::min(static_cast<std::size_t>(column - 1), line.size());
  std::size_t begin = at > kBytesMax - kBytesBefore ? at - kBytesBefore : 0;
  while (begin > 0 && !BeginsCharacter(line[begin])) --begin;
  std::size_t end = std::min(begin + kBytesMax, line.size());
  while (end < line.size() && !BeginsCharacter(line[end])) ++end;
  column -= static_cast<int>(begin);
  return line.substr(begin, end - begin);
}

// An escape in a YAML text can make any character, and a terminal obeys some.
std::string Printable(std::string_view text) {
  std::string printable(text);
  std::ranges::replace_if(
      printable, [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; }, '?');
  return printable;
}

void AppendSource(std::string& out, std::string_view text, const Diagnostic& diagnostic, const TextStyle& style) {
  int column = diagnostic.place.column;
  if (diagnostic.place.line < 1 || column < 1) return;
  const std::string_view whole = LineOf(text, diagnostic.place.line);
  if (whole.empty()) return;
  const std::string_view line = Shown(whole, column);
  out += fmt::format("{:>5} | {}\n", diagnostic.place.line, Printable(line));
  out += fmt::format("      | {}{}\n", Before(line, column), Coloured(ColourOf(diagnostic.severity), "^", style));
}

// "  why: …", wrapped below its first word.
void AppendParagraph(std::string& out, std::string_view label, std::string_view text, const TextStyle& style) {
  if (text.empty()) return;
  constexpr std::size_t kIndent = 7;
  out += fmt::format("  {}:", Coloured("\x1b[1m", label, style));
  std::size_t column = kIndent - 1;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    if (column >= kIndent && column + 1 + word.size() > style.columns) {
      out.append("\n").append(kIndent - 1, ' ');
      column = kIndent - 1;
    }
    out.append(" ").append(word);
    column += 1 + word.size();
  }
  out.push_back('\n');
}

std::string PlaceText(std::string_view file, const design::Place& place) {
  return place.line == 0 ? std::string(file) : fmt::format("{}:{}:{}", file, place.line, place.column);
}

}  // namespace

TextStyle StyleOf(int file_descriptor) {
  TextStyle style;
  winsize size{};
  if (isatty(file_descriptor) == 0) return style;
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.columns = std::clamp<std::size_t>(size.ws_col, kColumnsMin, kColumnsMax);
  }
  const char* no_colour = std::getenv("NO_COLOR");
  style.colours = no_colour == nullptr || *no_colour == '\0';
  return style;
}

std::string DiagnosticsText(std::string_view file, std::string_view text, const design::Diagnostics& diagnostics,
                            const TextStyle& style) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string kind = fmt::format("{}[{}]", NameOf(diagnostic.severity), diagnostic.code);
    out += fmt::format("{}: {}: {}\n", PlaceText(file, diagnostic.place),
                       Coloured(ColourOf(diagnostic.severity), kind, style), Printable(diagnostic.what));
    AppendSource(out, text, diagnostic, style);
    AppendParagraph(out, "why", Printable(diagnostic.why), style);
    AppendParagraph(out, "fix", Printable(diagnostic.fix), style);
  }
  return out;
}

void AppendDiagnosticsJson(std::string& out, std::string_view file, const design::Diagnostics& diagnostics,
                           bool& is_first) {
  for (const Diagnostic& diagnostic : diagnostics) {
    out += is_first ? "\n  " : ",\n  ";
    is_first = false;
    codec::JsonWriter json(out);
    json.BeginObject();
    json.Key("file").String(file);
    json.Key("line").Integer(diagnostic.place.line);
    json.Key("column").Integer(diagnostic.place.column);
    json.Key("severity").String(NameOf(diagnostic.severity));
    json.Key("code").String(diagnostic.code);
    json.Key("what").String(diagnostic.what);
    json.Key("why").String(diagnostic.why);
    json.Key("fix").String(diagnostic.fix);
    json.EndObject();
  }
}

}  // namespace taula::cli
