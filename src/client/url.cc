#include "client/url.h"

#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <utility>

namespace taula::client {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

bool ReadPort(std::string_view text, std::uint16_t& port) {
  const char* const end = text.data() + text.size();
  const auto [parsed_end, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && parsed_end == end && port != 0;
}

bool IsIpv6(const std::string& host) { return host.find(':') != std::string::npos; }

// "host", "host:port", "[address]:port".
bool ReadAuthority(std::string_view text, Url& url) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return false;
    url.host = text.substr(1, bracket - 1);
    boost::system::error_code error;
    if (!boost::asio::ip::make_address(url.host, error).is_v6() || error) return false;
    port = text.substr(bracket + 1);
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    url.host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (url.host.empty()) return false;
  return port.empty() || (port.starts_with(':') && ReadPort(port.substr(1), url.port));
}

// Nothing that would end a line of a request, and no space.
bool IsPrintable(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c > '~') return false;
  }
  return true;
}

}  // namespace

std::string Url::Authority() const {
  const std::string name = IsIpv6(host) ? "[" + host + "]" : host;
  return port == (tls ? kHttpsPort : kHttpPort) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::Origin() const { return (tls ? "https://" : "http://") + Authority(); }

std::string Url::Target() const { return query.empty() ? path : path + "?" + query; }

bool Url::IsLoopback() const {
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

std::expected<Url, std::string> ParseUrl(std::string_view text) {
  const auto fail = [&](std::string_view why) {
    return std::unexpected(fmt::format("'{}' is not the address of a server: {}", text, why));
  };
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.tls = true;
    url.port = kHttpsPort;
  } else if (!rest.starts_with("http://")) {
    return fail("it begins neither with http:// nor with https://");
  }
  rest.remove_prefix(url.tls ? 8 : 7);
  if (!IsPrintable(rest)) return fail("it holds a space or a character that an address cannot have");
  rest = rest.substr(0, rest.find('#'));
  const std::size_t authority_end = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, authority_end);
  if (authority.find('@') != std::string_view::npos) return fail("a user's name does not belong in it");
  if (!ReadAuthority(authority, url)) return fail("its host or port makes no sense");
  rest.remove_prefix(authority_end);
  const std::size_t question = std::min(rest.find('?'), rest.size());
  if (question > 0) url.path = rest.substr(0, question);
  if (question < rest.size()) url.query = rest.substr(question + 1);
  return url;
}

std::string StreamsEndpoint(std::string_view endpoint) {
  constexpr std::string_view kOfTables = "https://dynamodb.";
  if (!endpoint.starts_with(kOfTables) || !endpoint.contains(".amazonaws.com")) return std::string(endpoint);
  return std::string("https://streams.dynamodb.").append(endpoint.substr(kOfTables.size()));
}

}  // namespace taula::client
