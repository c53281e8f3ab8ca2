// Brings answers back to the thread of their connection.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <mutex>
#include <vector>

#include "server/exchange.h"

namespace taula::server {

// One for each event loop. It outlives the loop for as long as a handler holds
// an exchange, and drops what comes back after the loop's end.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  explicit Mailbox(boost::asio::io_context& io) : io_(io) {}

  // Says that the calling thread is the loop's.
  void Enter();

  // Gives an answered exchange back, from any thread.
  static void Return(std::unique_ptr<Exchange> exchange);

  // The loop has ended.
  void Close();

 private:
  void Post(std::unique_ptr<Exchange> exchange);
  void Deliver();

  boost::asio::io_context& io_;
  std::mutex mutex_;
  bool closed_ = false;
  std::vector<std::unique_ptr<Exchange>> waiting_;
  // Swapped with waiting_, so that neither allocates again.
  std::vector<std::unique_ptr<Exchange>> delivering_;
};

}  // namespace taula::server
