// The address of a server: http://localhost:8000, https://example.com/path.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace taula::client {

struct Url {
  bool tls = false;
  std::string host;  // an IPv6 address without its brackets
  std::uint16_t port = 80;
  std::string path = "/";
  std::string query;  // without the question mark, encoded as it was given

  // "localhost:8000", and without the port where it is the scheme's own: what
  // the Host field of a request says.
  [[nodiscard]] std::string Authority() const;
  // "http://localhost:8000": how people know the server.
  [[nodiscard]] std::string Origin() const;
  // "/path?query"
  [[nodiscard]] std::string Target() const;
  // The host is this machine, by a name or address that can mean no other.
  [[nodiscard]] bool IsLoopback() const;
};

// The error is a sentence.
[[nodiscard]] std::expected<Url, std::string> ParseUrl(std::string_view text);

// Where the streams of a server are: in Amazon's service at another host, with
// everybody else at the same one.
[[nodiscard]] std::string StreamsEndpoint(std::string_view endpoint);

}  // namespace taula::client
