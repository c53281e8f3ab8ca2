#include "api/page_token.h"

#include <fmt/format.h>

#include <charconv>

namespace taula::api {
namespace {

// Amazon's are at least this long, in steps of 16 digits.
constexpr std::size_t kBytes = 64;

}  // namespace

std::string MakePageToken(std::string_view list, std::string_view id) {
  std::string content = fmt::format("{}:{}", list, id);
  content.resize(kBytes, '\0');
  std::string token;
  for (const char byte : content) token += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return token;
}

std::optional<std::string> ReadPageToken(std::string_view list, std::string_view token) {
  if (token.size() != 2 * kBytes) return std::nullopt;
  std::string content;
  for (std::size_t i = 0; i < token.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = token.data() + i + 2;
    if (const auto read = std::from_chars(token.data() + i, end, byte, 16); read.ptr != end) return std::nullopt;
    content.push_back(static_cast<char>(byte));
  }
  const std::string prefix = fmt::format("{}:", list);
  if (!content.starts_with(prefix)) return std::nullopt;
  return content.substr(prefix.size(), content.find('\0') - prefix.size());
}

}  // namespace taula::api
