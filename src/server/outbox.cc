#include "server/outbox.h"

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace taula::server {

class Outbox::Ring {
 public:
  // Nothing where the kernel knows or allows no rings (containers often do not), or
  // none that send (before Linux 5.6).
  [[nodiscard]] static std::unique_ptr<Ring> Make() {
    auto ring = std::unique_ptr<Ring>(new Ring);
    ring->is_open_ = ::io_uring_queue_init(kMessagesMax, ring->get(), 0) == 0;
    return ring->is_open_ && ring->CanSend() ? std::move(ring) : nullptr;
  }
  ~Ring() {
    if (is_open_) ::io_uring_queue_exit(&ring_);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  [[nodiscard]] io_uring* get() { return &ring_; }

 private:
  Ring() = default;

  [[nodiscard]] bool CanSend() {
    const std::unique_ptr<io_uring_probe, decltype(&::io_uring_free_probe)> probe(::io_uring_get_probe_ring(&ring_),
                                                                                  &::io_uring_free_probe);
    return probe && ::io_uring_opcode_supported(probe.get(), IORING_OP_SEND) != 0 &&
           ::io_uring_opcode_supported(probe.get(), IORING_OP_SENDMSG) != 0;
  }

  io_uring ring_{};
  bool is_open_ = false;
};

Outbox::Outbox()
    : ring_(Ring::Make()),
      copies_(std::make_unique_for_overwrite<char[]>(ring_ ? kMessagesMax * Socket::kCopiedBytesMax : 0)) {}

Outbox::~Outbox() = default;

void Outbox::Add(Socket& socket, std::span<const iovec> pieces) {
  messages_[count_++] = {.socket = &socket, .pieces = pieces, .header = {}, .transfer = std::nullopt};
}

std::span<const Socket::Transfer> Outbox::Flush() {
  if (ring_ && count_ > 1) SendTogether();
  for (std::size_t i = 0; i < count_; ++i) {
    Message& message = messages_[i];
    transfers_[i] = message.transfer ? *message.transfer : message.socket->Send(message.pieces);
  }
  return {transfers_.data(), std::exchange(count_, 0)};
}

// Leaves to Flush what the ring did not take.
void Outbox::SendTogether() {
  copied_bytes_ = 0;
  for (std::size_t i = 0; i < count_; ++i) Prepare(i);
  // None of them waits, so all are done when the call comes back. But what the kernel
  // has taken and not answered yet must not be sent again, nor go away.
  while (const std::size_t unanswered = Unanswered()) {
    const int submitted = ::io_uring_submit_and_wait(ring_->get(), static_cast<unsigned>(unanswered));
    TakeResults();
    const bool failed = submitted < 0 && submitted != -EINTR;
    if (failed && Unanswered() == ::io_uring_sq_ready(ring_->get())) {
      ring_ = nullptr;
      return;
    }
  }
}

std::size_t Outbox::Unanswered() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(std::span(messages_).first(count_), [](const Message& one) { return !one.transfer; }));
}

void Outbox::Prepare(std::size_t index) {
  constexpr int kFlags = MSG_NOSIGNAL | MSG_DONTWAIT;
  Message& message = messages_[index];
  io_uring_sqe* const entry = ::io_uring_get_sqe(ring_->get());
  if (const std::size_t bytes = TotalBytes(message.pieces); bytes <= Socket::kCopiedBytesMax) {
    char* const copy = copies_.get() + copied_bytes_;
    copied_bytes_ += bytes;
    CopyPieces(message.pieces, copy);
    ::io_uring_prep_send(entry, message.socket->handle(), copy, bytes, kFlags);
  } else {
    message.header = HeaderOf(message.pieces);
    ::io_uring_prep_sendmsg(entry, message.socket->handle(), &message.header, kFlags);
  }
  ::io_uring_sqe_set_data64(entry, index);
}

void Outbox::TakeResults() {
  unsigned head = 0;
  unsigned taken = 0;
  const io_uring_cqe* entry = nullptr;
  io_uring_for_each_cqe(ring_->get(), head, entry) {
    messages_[entry->user_data].transfer = Socket::TransferOf(entry->res);
    ++taken;
  }
  ::io_uring_cq_advance(ring_->get(), taken);
}

}  // namespace taula::server
