#include "server/mailbox.h"

#include <iterator>
#include <utility>

#include "server/connection.h"

namespace taula::server {

void Exchange::Arrive(std::unique_ptr<Traveller> self) {
  connection->Answered(std::unique_ptr<Exchange>(static_cast<Exchange*>(self.release())));
}

void Return(std::unique_ptr<Exchange> exchange) {
  if (exchange->home() == base::Home::OfThisThread()) {
    Connection* const connection = exchange->connection;
    connection->Answered(std::move(exchange));
    return;
  }
  base::Home::Travellers one;
  one.push_back(std::move(exchange));
  base::SendHome(std::move(one));
}

void Mailbox::Take(Travellers travellers) {
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) {
      // One wake-up serves all that come until the loop looks.
      const bool is_first = waiting_.empty();
      waiting_.insert(waiting_.end(), std::move_iterator(travellers.begin()), std::move_iterator(travellers.end()));
      if (is_first) poller_.Post([this] { Deliver(); });
      return;
    }
  }
  for (auto& traveller : travellers) {
    Traveller& lost = *traveller;
    lost.FindNobody(std::move(traveller));
  }
}

void Mailbox::Deliver() {
  {
    const std::lock_guard lock(mutex_);
    delivering_.swap(waiting_);
  }
  for (auto& traveller : delivering_) {
    Traveller& arriving = *traveller;
    arriving.Arrive(std::move(traveller));
  }
  delivering_.clear();
}

void Mailbox::Close() {
  if (OfThisThread().get() == this) Settle(nullptr);
  Travellers left;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    left.swap(waiting_);
  }
  for (auto& traveller : left) {
    Traveller& lost = *traveller;
    lost.FindNobody(std::move(traveller));
  }
}

}  // namespace taula::server
