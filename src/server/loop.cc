#include "server/loop.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "server/connection.h"
#include "server/response_head.h"

namespace taula::server {
namespace {

constexpr std::size_t kWasteBytes = 64 * 1024;
constexpr std::size_t kSpareExchangesMax = 32;

// How many refused clients are given a moment to send what they were about to.
constexpr std::size_t kRefusedMax = 32;
constexpr std::int64_t kRefusedMs = 100;

// Often enough that no deadline is missed by much, and rarely enough not to
// keep a laptop awake.
std::chrono::milliseconds TickInterval(const Limits& limits) {
  const std::int64_t shortest = std::min({limits.header_ms_max, limits.request_ms_max, limits.idle_ms_max,
                                          limits.write_ms_max, limits.answer_ms_max, limits.linger_ms_max});
  return std::chrono::milliseconds(std::clamp<std::int64_t>(shortest / 4, 10, 500));
}

}  // namespace

Loop::Loop(LoopContext& context)
    : context_(context), mailbox_(std::make_shared<Mailbox>(poller_)), waste_(kWasteBytes) {}

Loop::~Loop() {
  mailbox_->Close();
  // Those whose requests a handler still holds; their answers find the mailbox
  // closed.
  for (Connection* const connection : connections_) delete connection;
}

void Loop::Run() {
  mailbox_->Enter();
  Tick();
  poller_.AtTurnEnd([this] { SendAll(); });
  outbox_.emplace();
  poller_.Run();
  outbox_.reset();
  mailbox_->Close();
}

void Loop::Adopt(Socket socket) {
  open_connections_.fetch_add(1, std::memory_order_relaxed);
  if (poller_.runs_on_this_thread()) {
    Start(std::move(socket));
  } else {
    poller_.Post([this, moved = std::move(socket)]() mutable { Start(std::move(moved)); });
  }
}

void Loop::Start(Socket socket) {
  if (finished_ || draining_) {
    open_connections_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  {
    const std::lock_guard lock(context_.mutex);
    if (context_.connections < context_.limits.connections_max) {
      ++context_.connections;
    } else {
      open_connections_.fetch_sub(1, std::memory_order_relaxed);
      Refuse(std::move(socket));
      return;
    }
  }
  auto* const connection = new Connection(*this, std::move(socket));
  connections_.insert(connection);
  connection->Start();
}

void Loop::Refuse(Socket socket) {
  // The fresh socket's buffer takes a few bytes without waiting, or not.
  const std::string refusal = RefusalResponse(503, /*http11=*/false, date());
  const iovec piece = Piece(refusal);
  (void)socket.Send({&piece, 1});
  (void)socket.ShutdownSend();
  const std::int64_t now_ms = base::SteadyMs();
  refused_.push_back({std::move(socket), now_ms});
  CloseRefused(now_ms);
}

// Closing without having read what they sent would make their kernel throw away the
// refusal.
void Loop::CloseRefused(std::int64_t now_ms) {
  while (!refused_.empty() && (refused_.size() > kRefusedMax || now_ms - refused_.front().since_ms > kRefusedMs)) {
    (void)refused_.front().socket.Receive(waste_);
    refused_.pop_front();
  }
}

void Loop::Closed() {
  open_connections_.fetch_sub(1, std::memory_order_relaxed);
  const std::lock_guard lock(context_.mutex);
  if (--context_.connections > 0) return;
  context_.none_since_ms = base::SteadyMs();
  context_.none_left.notify_all();
}

void Loop::Remove(Connection* connection) {
  connections_.erase(connection);
  delete connection;
}

std::vector<boost::intrusive_ptr<Connection>> Loop::Connections() const {
  return {connections_.begin(), connections_.end()};
}

std::unique_ptr<Exchange> Loop::NewExchange() {
  if (spare_exchanges_.empty()) return std::make_unique<Exchange>();
  auto exchange = std::move(spare_exchanges_.back());
  spare_exchanges_.pop_back();
  return exchange;
}

void Loop::Recycle(std::unique_ptr<Exchange> exchange) {
  if (spare_exchanges_.size() == kSpareExchangesMax) return;
  exchange->Reset();
  spare_exchanges_.push_back(std::move(exchange));
}

void Loop::ChargeAnswers(std::size_t before, std::size_t now) {
  if (now > before) {
    context_.answers.Charge(now - before);
  } else if (now < before && context_.answers.GiveBack(before - now)) {
    for (Loop* const loop : context_.loops) loop->poller_.Post([loop] { loop->ResumeWaiting(); });
  }
}

void Loop::AwaitRoom(Connection* connection) { waiting_.emplace_back(connection); }

void Loop::AwaitRoomNoLonger(Connection* connection) {
  std::erase_if(waiting_, [connection](const auto& waiting) { return waiting.get() == connection; });
}

// Those that are left when there is no room any more are resumed when there is
// some the next time.
void Loop::ResumeWaiting() {
  while (!waiting_.empty() && has_room_for_answers()) {
    const boost::intrusive_ptr<Connection> connection = std::move(waiting_.front());
    waiting_.pop_front();
    connection->Resume();
  }
}

void Loop::SendSoon(Connection* connection) { senders_.emplace_back(connection); }

// Those who have more to send once they have sent wait for the end of the next turn,
// for others wait too.
void Loop::SendAll() {
  if (senders_.empty()) return;
  sending_.swap(senders_);
  std::erase_if(sending_, [](const auto& connection) { return connection->is_closed(); });
  for (std::span left(sending_); !left.empty();) {
    const auto these = left.first(std::min(left.size(), Outbox::kMessagesMax));
    left = left.subspan(these.size());
    for (const auto& connection : these) outbox_->Add(connection->socket(), connection->outgoing());
    const std::span<const Socket::Transfer> transfers = outbox_->Flush();
    transfers_.insert(transfers_.end(), transfers.begin(), transfers.end());
  }
  // Not before all is sent, for requests are taken here.
  for (std::size_t i = 0; i < sending_.size(); ++i) sending_[i]->Transferred(transfers_[i]);
  sending_.clear();
  transfers_.clear();
  if (!senders_.empty()) poller_.Post([] {});
}

void Loop::Tick() {
  CheckDeadlinesSoon(base::SteadyMs(), connections_.size() / Poller::kEventsMax + 1);
  CloseRefused(base::SteadyMs());
  poller_.PostAfter(TickInterval(context_.limits), [this] { Tick(); });
}

// Only once the poller has told of all that has come by now: when the loop was held
// up, a client may long have done what it is about to be blamed for. But where more
// keeps coming, it had its turn after as many as all connections need.
void Loop::CheckDeadlinesSoon(std::int64_t now_ms, std::size_t turns_max) {
  poller_.Post([this, now_ms, turns_max] {
    if (poller_.may_have_more() && turns_max > 0) {
      CheckDeadlinesSoon(now_ms, turns_max - 1);
      return;
    }
    for (const auto& connection : Connections()) connection->CheckDeadlines(now_ms);
  });
}

void Loop::Drain() {
  poller_.Post([this] {
    draining_ = true;
    for (const auto& connection : Connections()) connection->Drain();
  });
}

void Loop::Finish() {
  poller_.Post([this] {
    finished_ = true;
    SendAll();
    for (const auto& connection : Connections()) connection->Close();
    poller_.Stop();
  });
}

}  // namespace taula::server
