#include "server/address.h"

#include <arpa/inet.h>
#include <netdb.h>

#include <cstring>
#include <memory>

namespace taula::server {
namespace {

constexpr std::uint32_t kLoopbackNetwork = 127;  // of 127.0.0.0/8

bool IsLoopback(const in_addr& address) { return ntohl(address.s_addr) >> 24 == kLoopbackNetwork; }

// ::ffff:127.0.0.1 reaches what 127.0.0.1 does.
in_addr MappedV4(const in6_addr& address) {
  in_addr mapped{};
  std::memcpy(&mapped, address.s6_addr + 12, sizeof(mapped));
  return mapped;
}

}  // namespace

// Numbers only: looking a name up could take long, and find several addresses.
std::optional<Address> Address::Parse(const std::string& text) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  hints.ai_socktype = SOCK_STREAM;
  // The texts of one number or two that inet_aton takes are rather mistakes.
  in_addr v4{};
  const bool is_v6 = text.find(':') != std::string::npos;
  const std::string number = text == "localhost" ? "127.0.0.1" : text;
  if (!is_v6 && ::inet_pton(AF_INET, number.c_str(), &v4) != 1) return std::nullopt;
  addrinfo* found = nullptr;
  if (::getaddrinfo(number.c_str(), nullptr, &hints, &found) != 0) return std::nullopt;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  Address address;
  std::memcpy(&address.storage_, found->ai_addr, found->ai_addrlen);
  return address;
}

sockaddr_in Address::v4() const {
  sockaddr_in raw{};
  std::memcpy(&raw, &storage_, sizeof(raw));
  return raw;
}

sockaddr_in6 Address::v6() const {
  sockaddr_in6 raw{};
  std::memcpy(&raw, &storage_, sizeof(raw));
  return raw;
}

bool Address::is_loopback() const {
  if (!is_v6()) return IsLoopback(v4().sin_addr);
  const in6_addr address = v6().sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&address)) return IsLoopback(MappedV4(address));
  return IN6_IS_ADDR_LOOPBACK(&address);
}

bool Address::is_unspecified() const {
  if (!is_v6()) return v4().sin_addr.s_addr == 0;
  const in6_addr address = v6().sin6_addr;
  return IN6_IS_ADDR_UNSPECIFIED(&address);
}

std::string Address::text() const {
  char host[NI_MAXHOST] = "";
  ::getnameinfo(raw(), raw_size(), host, sizeof(host), nullptr, 0, NI_NUMERICHOST);
  return host;
}

Address Address::WithPort(std::uint16_t port) const {
  Address changed;
  if (is_v6()) {
    sockaddr_in6 raw = v6();
    raw.sin6_port = htons(port);
    std::memcpy(&changed.storage_, &raw, sizeof(raw));
  } else {
    sockaddr_in raw = v4();
    raw.sin_port = htons(port);
    std::memcpy(&changed.storage_, &raw, sizeof(raw));
  }
  return changed;
}

}  // namespace taula::server
