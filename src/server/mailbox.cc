#include "server/mailbox.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "server/connection.h"

namespace taula::server {
namespace {

thread_local const Mailbox* mailbox_of_this_thread = nullptr;

}  // namespace

void Mailbox::Enter() { mailbox_of_this_thread = this; }

void Mailbox::Return(std::unique_ptr<Exchange> exchange) {
  if (exchange->mailbox.get() == mailbox_of_this_thread) {
    Connection* const connection = exchange->connection;
    connection->Answered(std::move(exchange));
    return;
  }
  const std::shared_ptr<Mailbox> mailbox = exchange->mailbox;
  mailbox->Post(std::move(exchange));
}

void Mailbox::Post(std::unique_ptr<Exchange> exchange) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  waiting_.push_back(std::move(exchange));
  // One wake-up serves all that come until the loop looks.
  if (waiting_.size() == 1) boost::asio::post(io_, [self = shared_from_this()] { self->Deliver(); });
}

void Mailbox::Deliver() {
  {
    const std::lock_guard lock(mutex_);
    delivering_.swap(waiting_);
  }
  for (auto& exchange : delivering_) {
    Connection* const connection = exchange->connection;
    connection->Answered(std::move(exchange));
  }
  delivering_.clear();
}

void Mailbox::Close() {
  mailbox_of_this_thread = nullptr;
  std::vector<std::unique_ptr<Exchange>> dropped;
  const std::lock_guard lock(mutex_);
  closed_ = true;
  dropped.swap(waiting_);
}

}  // namespace taula::server
