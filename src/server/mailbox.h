// Brings back to a loop's thread what others have ended: answers, and writes that
// have reached the disk.
#pragma once

#include <memory>
#include <mutex>

#include "base/home.h"
#include "server/exchange.h"
#include "server/poller.h"

namespace taula::server {

// One for each event loop. It outlives the loop for as long as anything is away,
// which finds nobody after the loop's end.
class Mailbox final : public base::Home, public std::enable_shared_from_this<Mailbox> {
 public:
  explicit Mailbox(Poller& poller) : poller_(poller) {}

  // Says that the calling thread is the loop's.
  void Enter() { Settle(shared_from_this()); }

  void Take(Travellers travellers) override;

  // The loop has ended. To be called on its thread, or when it never ran.
  void Close();

 private:
  void Deliver();

  Poller& poller_;
  std::mutex mutex_;
  bool closed_ = false;
  Travellers waiting_;
  // Swapped with waiting_, so that neither allocates again.
  Travellers delivering_;
};

// Gives an answered exchange back to its connection, from any thread.
void Return(std::unique_ptr<Exchange> exchange);

}  // namespace taula::server
