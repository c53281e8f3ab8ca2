#include "value/written_scale.h"

#include <charconv>
#include <limits>

namespace taula::value {
namespace {

bool Fits(std::int64_t number) {
  return number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

std::optional<std::int32_t> WrittenScale(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with("+-")) return std::nullopt;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const char* const end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, exponent);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  }
  const std::string_view significand = text.substr(0, e);
  const std::size_t point = significand.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : significand.size() - point - 1;
  const std::int64_t scale = static_cast<std::int64_t>(decimals) - exponent;
  if (!Fits(exponent) || !Fits(scale)) return std::nullopt;
  return static_cast<std::int32_t>(scale);
}

}  // namespace taula::value
