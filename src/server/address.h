// An IP address that a server listens on or that a client has.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

namespace taula::server {

class Address {
 public:
  // Of a text such as "127.0.0.1", "::1", "fe80::1%eth0" or "localhost".
  [[nodiscard]] static std::optional<Address> Parse(const std::string& text);

  // As system calls give it.
  explicit Address(const sockaddr_storage& raw) : storage_(raw) {}

  [[nodiscard]] bool is_v6() const { return storage_.ss_family == AF_INET6; }
  // Reached from this machine alone.
  [[nodiscard]] bool is_loopback() const;
  // All that this machine has.
  [[nodiscard]] bool is_unspecified() const;
  [[nodiscard]] std::string text() const;

  [[nodiscard]] Address WithPort(std::uint16_t port) const;

  // For system calls.
  [[nodiscard]] int family() const { return storage_.ss_family; }
  [[nodiscard]] const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  [[nodiscard]] socklen_t raw_size() const { return is_v6() ? sizeof(sockaddr_in6) : sizeof(sockaddr_in); }

 private:
  Address() = default;
  [[nodiscard]] sockaddr_in v4() const;
  [[nodiscard]] sockaddr_in6 v6() const;

  sockaddr_storage storage_{};
};

}  // namespace taula::server
