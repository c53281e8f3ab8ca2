#include "server/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

namespace taula::server {
namespace {

std::unexpected<std::error_code> LastError() { return std::unexpected(std::error_code(errno, std::system_category())); }

bool WouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

bool Set(int handle, int level, int option) {
  const int on = 1;
  return ::setsockopt(handle, level, option, &on, sizeof(on)) == 0;
}

// Nothing is lost or held up on the way to a client on this machine. Where the
// system's way with congestion spreads out in time what is sent (BBR), that would
// cost a twentieth of a small answer. This one is always there, and allowed.
void SendWithoutPacing(int handle) {
  static constexpr std::string_view kPlain = "reno";
  (void)::setsockopt(handle, IPPROTO_TCP, TCP_CONGESTION, kPlain.data(), kPlain.size());
}

template <typename Call>
Socket::Transfer Try(const Call& call) {
  ssize_t count = 0;
  do {
    count = call();
  } while (count < 0 && errno == EINTR);
  return Socket::TransferOf(count < 0 ? -errno : count);
}

}  // namespace

std::size_t TotalBytes(std::span<const iovec> pieces) {
  std::size_t bytes = 0;
  for (const iovec& piece : pieces) bytes += piece.iov_len;
  return bytes;
}

void CopyPieces(std::span<const iovec> pieces, char* target) {
  for (const iovec& piece : pieces) {
    target = std::copy_n(static_cast<const char*>(piece.iov_base), piece.iov_len, target);
  }
}

msghdr HeaderOf(std::span<const iovec> pieces) {
  msghdr header{};
  // The kernel only reads them.
  header.msg_iov = const_cast<iovec*>(pieces.data());
  header.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
  return header;
}

Socket::Transfer Socket::TransferOf(ssize_t result) {
  if (result >= 0) return {Outcome::kDone, static_cast<std::size_t>(result)};
  return {WouldBlock(static_cast<int>(-result)) ? Outcome::kWouldBlock : Outcome::kFailed};
}

std::expected<Socket, std::error_code> Socket::Listen(const Address& address, bool reuse_port) {
  Socket socket(Descriptor(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
  if (!socket.is_open() || !Set(socket.handle(), SOL_SOCKET, SO_REUSEADDR) ||
      (reuse_port && !Set(socket.handle(), SOL_SOCKET, SO_REUSEPORT)) ||
      ::bind(socket.handle(), address.raw(), address.raw_size()) != 0 || ::listen(socket.handle(), SOMAXCONN) != 0) {
    return LastError();
  }
  return socket;
}

std::expected<std::uint16_t, std::error_code> Socket::LocalPort() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  if (::getsockname(handle(), reinterpret_cast<sockaddr*>(&storage), &size) != 0) return LastError();
  // Both families have it in the same place.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

std::expected<std::optional<Socket>, std::error_code> Socket::Accept() {
  while (true) {
    sockaddr_storage client{};
    socklen_t client_bytes = sizeof(client);
    const int accepted =
        ::accept4(handle(), reinterpret_cast<sockaddr*>(&client), &client_bytes, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted >= 0) {
      if (Address(client).is_loopback()) SendWithoutPacing(accepted);
      return Socket(Descriptor(accepted));
    }
    if (WouldBlock(errno)) return std::nullopt;
    // Those that were gone before they were taken are none of our business.
    if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) return LastError();
  }
}

Socket::Transfer Socket::Receive(std::span<char> space) {
  const Transfer received = Try([&] { return ::recv(handle(), space.data(), space.size(), 0); });
  return received.outcome == Outcome::kDone && received.bytes == 0 ? Transfer{Outcome::kEnded} : received;
}

Socket::Transfer Socket::Send(std::span<const iovec> pieces) {
  if (const std::size_t bytes = TotalBytes(pieces); bytes <= kCopiedBytesMax) {
    std::array<char, kCopiedBytesMax> copied;
    CopyPieces(pieces, copied.data());
    return Try([&] { return ::send(handle(), copied.data(), bytes, MSG_NOSIGNAL); });
  }
  const msghdr message = HeaderOf(pieces);
  return Try([&] { return ::sendmsg(handle(), &message, MSG_NOSIGNAL); });
}

bool Socket::SetNoDelay() { return Set(handle(), IPPROTO_TCP, TCP_NODELAY); }

bool Socket::ShutdownSend() { return ::shutdown(handle(), SHUT_WR) == 0; }

}  // namespace taula::server
