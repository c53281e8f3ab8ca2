// Sends messages to many clients with one system call (io_uring), where the kernel
// allows it and there is more than one; otherwise one after the other.
//
// It is not the call that is dear. A client on this machine that waits for its
// answer wakes up as soon as it is there, and who has slept gets the core before who
// has worked: sent one by one, each answer makes way for a client that takes it, asks
// again and sleeps, two switches an answer. Sent by one call they are all there when
// the clients begin, and so are the next requests when it is our turn again.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "server/socket.h"

namespace taula::server {

// For the thread it is made and ended on: when a ring goes away the kernel interrupts
// whoever has ever touched it, also in the middle of a call to wait for something else.
class Outbox {
 public:
  static constexpr std::size_t kMessagesMax = 64;

  Outbox();
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // Up to kMessagesMax of them, one for a socket. Socket and pieces stay as they are
  // until Flush.
  void Add(Socket& socket, std::span<const iovec> pieces);

  // Sends them all, and says what came of each, in the order of Add, as Socket::Send
  // does. Good until the next Add.
  [[nodiscard]] std::span<const Socket::Transfer> Flush();

 private:
  struct Message {
    Socket* socket;
    std::span<const iovec> pieces;
    msghdr header;
    std::optional<Socket::Transfer> transfer;
  };

  void SendTogether();
  void Prepare(std::size_t index);
  void TakeResults();
  [[nodiscard]] std::size_t Unanswered() const;

  class Ring;

  std::unique_ptr<Ring> ring_;  // nothing where the kernel does not allow it
  std::array<Message, kMessagesMax> messages_;
  std::size_t count_ = 0;
  std::array<Socket::Transfer, kMessagesMax> transfers_;
  // Small messages in several pieces, each as one.
  std::unique_ptr<char[]> copies_;
  std::size_t copied_bytes_ = 0;
};

}  // namespace taula::server
