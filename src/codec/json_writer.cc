#include "codec/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/base64.h"
#include "value/number.h"

namespace taula::codec {
namespace {

bool NeedsEscape(char c) { return static_cast<std::uint8_t>(c) < 0x20 || c == '"' || c == '\\'; }

// Whether any of eight bytes needs escaping. May also say so of a byte that
// follows one that does, never the other way.
bool AnyNeedsEscape(const char* at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x8080808080808080;
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  const auto has_zero = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes; };
  const std::uint64_t control = (word - kOnes * 0x20) & ~word;
  return ((control | has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\')) & kHighs) != 0;
}

const char* SkipClean(const char* at, const char* end) {
  while (end - at >= 8 && !AnyNeedsEscape(at)) at += 8;
  while (at != end && !NeedsEscape(*at)) ++at;
  return at;
}

void AppendEscaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default: {
      constexpr std::string_view kHex = "0123456789ABCDEF";
      out.append("\\u00");
      out.push_back(kHex[static_cast<std::uint8_t>(c) >> 4]);
      out.push_back(kHex[c & 15]);
    }
  }
}

// Numbers are text on the wire, and never need escaping.
void AppendNumberJson(std::string& out, std::string_view ordered) {
  out.push_back('"');
  value::AppendTextFromOrdered(out, ordered);
  out.push_back('"');
}

void AppendBinaryJson(std::string& out, std::string_view bytes) {
  out.push_back('"');
  base::AppendBase64(out, bytes);
  out.push_back('"');
}

void AppendSetJson(std::string& out, SetView set, void (*append_element)(std::string&, std::string_view)) {
  char before = '[';
  for (const std::string_view element : set) {
    out.push_back(before);
    append_element(out, element);
    before = ',';
  }
  if (before == '[') out.push_back('[');
  out.push_back(']');
}

void AppendListJson(std::string& out, ListView list) {
  char before = '[';
  for (const ValueView element : list) {
    out.push_back(before);
    AppendValueJson(out, element);
    before = ',';
  }
  if (before == '[') out.push_back('[');
  out.push_back(']');
}

}  // namespace

void AppendStringJson(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  out.push_back('"');
  while (true) {
    const char* const clean_end = SkipClean(at, end);
    out.append(at, clean_end);
    if (clean_end == end) break;
    AppendEscaped(out, *clean_end);
    at = clean_end + 1;
  }
  out.push_back('"');
}

void AppendValueJson(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::kNull:
      out.append(R"({"NULL":true)");
      break;
    case Type::kBool:
      out.append(value.boolean() ? R"({"BOOL":true)" : R"({"BOOL":false)");
      break;
    case Type::kNumber:
      out.append(R"({"N":)");
      AppendNumberJson(out, value.ordered_number());
      break;
    case Type::kString:
      out.append(R"({"S":)");
      AppendStringJson(out, value.bytes());
      break;
    case Type::kBinary:
      out.append(R"({"B":)");
      AppendBinaryJson(out, value.bytes());
      break;
    case Type::kStringSet:
      out.append(R"({"SS":)");
      AppendSetJson(out, value.set(), AppendStringJson);
      break;
    case Type::kNumberSet:
      out.append(R"({"NS":)");
      AppendSetJson(out, value.set(), AppendNumberJson);
      break;
    case Type::kBinarySet:
      out.append(R"({"BS":)");
      AppendSetJson(out, value.set(), AppendBinaryJson);
      break;
    case Type::kList:
      out.append(R"({"L":)");
      AppendListJson(out, value.list());
      break;
    case Type::kMap:
      out.append(R"({"M":)");
      AppendItemJson(out, value.map());
      break;
  }
  out.push_back('}');
}

void AppendItemJson(std::string& out, MapView attributes) {
  char before = '{';
  for (const auto& [name, value] : attributes) {
    out.push_back(before);
    AppendStringJson(out, name);
    out.push_back(':');
    AppendValueJson(out, value);
    before = ',';
  }
  if (before == '{') out.push_back('{');
  out.push_back('}');
}

void JsonWriter::Begin(char bracket) {
  Separate();
  out_.push_back(bracket);
  needs_comma_ = false;
}

void JsonWriter::End(char bracket) {
  out_.push_back(bracket);
  needs_comma_ = true;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  Separate();
  AppendStringJson(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
  return *this;
}

void JsonWriter::String(std::string_view text) {
  Separate();
  AppendStringJson(out_, text);
}

void JsonWriter::Integer(std::int64_t number) {
  Separate();
  std::array<char, 20> buffer;
  const auto [end, error] = std::to_chars(buffer.begin(), buffer.end(), number);
  out_.append(buffer.data(), end);
}

void JsonWriter::Boolean(bool truth) {
  Separate();
  out_.append(truth ? "true" : "false");
}

void JsonWriter::Double(double number) {
  Separate();
  std::array<char, 40> buffer;
  const double magnitude = std::fabs(number);
  const bool plain = number == 0 || (magnitude >= 1e-3 && magnitude < 1e7);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, error] = std::to_chars(buffer.begin(), buffer.end(), number, format);
  std::string_view text(buffer.data(), end);
  const std::string_view significand = text.substr(0, text.find('e'));
  out_.append(significand);
  if (!significand.contains('.')) out_.append(".0");
  if (plain) return;
  // From 1.5e+09 to 1.5E9.
  std::string_view exponent = text.substr(significand.size() + 1);
  out_.push_back('E');
  if (exponent.front() == '-') out_.push_back('-');
  exponent.remove_prefix(exponent[1] == '0' ? 2 : 1);
  out_.append(exponent);
}

void JsonWriter::Binary(std::string_view bytes) {
  Separate();
  AppendBinaryJson(out_, bytes);
}

void JsonWriter::Value(ValueView value) {
  Separate();
  AppendValueJson(out_, value);
}

void JsonWriter::Item(MapView attributes) {
  Separate();
  AppendItemJson(out_, attributes);
}

}  // namespace taula::codec
