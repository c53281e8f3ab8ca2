// TCP sockets that never wait: what cannot be done at once is said so.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/address.h"
#include "server/descriptor.h"

namespace taula::server {

// Bytes to be sent, which are only read and stay where they are until then.
[[nodiscard]] inline iovec Piece(std::string_view bytes) { return {const_cast<char*>(bytes.data()), bytes.size()}; }
[[nodiscard]] std::size_t TotalBytes(std::span<const iovec> pieces);
void CopyPieces(std::span<const iovec> pieces, char* target);
// For sendmsg.
[[nodiscard]] msghdr HeaderOf(std::span<const iovec> pieces);

class Socket {
 public:
  // Takes over a descriptor that does not block.
  explicit Socket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  // Listens when it comes back.
  [[nodiscard]] static std::expected<Socket, std::error_code> Listen(const Address& address, bool reuse_port);

  [[nodiscard]] int handle() const { return descriptor_.handle(); }
  [[nodiscard]] bool is_open() const { return descriptor_.is_open(); }
  [[nodiscard]] std::expected<std::uint16_t, std::error_code> LocalPort() const;

  // A connection that has come; nothing when there is none at the moment.
  [[nodiscard]] std::expected<std::optional<Socket>, std::error_code> Accept();

  enum class Outcome : std::uint8_t { kDone, kWouldBlock, kEnded, kFailed };
  struct Transfer {
    Outcome outcome;
    std::size_t bytes = 0;
  };
  // Of what a system call came back with: a count, or an error below zero.
  [[nodiscard]] static Transfer TransferOf(ssize_t result);
  [[nodiscard]] Transfer Receive(std::span<char> space);
  // Few bytes in several pieces go as one, for the kernel takes longer to be told where
  // they are than it takes to copy them: a small answer with its head.
  static constexpr std::size_t kCopiedBytesMax = 4096;
  // In their order; perhaps not all.
  [[nodiscard]] Transfer Send(std::span<const iovec> pieces);

  // Small answers go out at once.
  [[nodiscard]] bool SetNoDelay();
  [[nodiscard]] bool ShutdownSend();
  void Close() { descriptor_.Close(); }

 private:
  Descriptor descriptor_;
};

}  // namespace taula::server
