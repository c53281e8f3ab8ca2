// One thread's event loop and the connections that live on it.
#pragma once

#include <atomic>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "server/answer_budget.h"
#include "server/buffer.h"
#include "server/content_coding.h"
#include "server/exchange.h"
#include "server/gate.h"
#include "server/http_date.h"
#include "server/limits.h"
#include "server/mailbox.h"
#include "server/outbox.h"
#include "server/poller.h"
#include "server/route.h"
#include "server/socket.h"

namespace taula::server {

class Connection;
class Loop;

// What the loops of a server share.
struct LoopContext {
  const Limits& limits;
  const Gate& gate;
  const Router& router;
  Handler& handler;
  std::shared_ptr<BufferBudget> budget;
  AnswerBudget answers{limits.answer_bytes_max};
  // Changes only while none of them runs.
  std::vector<Loop*> loops;

  // How many connections there are; `none_left` is told when there are none.
  std::mutex mutex;
  std::condition_variable none_left;
  std::size_t connections = 0;
  std::int64_t none_since_ms = base::SteadyMs();  // while there are none
};

class Loop {
 public:
  explicit Loop(LoopContext& context);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until Finish, on the thread that becomes the loop's.
  void Run();

  [[nodiscard]] Poller& poller() { return poller_; }

  // From any thread: connections it has, with those that are on their way to it.
  [[nodiscard]] std::size_t open_connections() const { return open_connections_.load(std::memory_order_relaxed); }

  // From any thread: takes over a client's connection.
  void Adopt(Socket socket);
  // From any thread: lets connections end with what they are doing.
  void Drain();
  // From any thread: ends all that is left, and Run.
  void Finish();

  // For the loop's connections.
  [[nodiscard]] const Limits& limits() const { return context_.limits; }
  [[nodiscard]] const Gate& gate() const { return context_.gate; }
  [[nodiscard]] const Router& router() const { return context_.router; }
  [[nodiscard]] Handler& handler() const { return context_.handler; }
  [[nodiscard]] const std::shared_ptr<BufferBudget>& budget() const { return context_.budget; }
  [[nodiscard]] SpareBlocks& spare_blocks() { return spare_blocks_; }
  [[nodiscard]] std::string_view date() { return date_.Now(); }
  [[nodiscard]] Inflater& inflater() { return inflater_; }
  [[nodiscard]] GzipCompressor& compressor() { return compressor_; }
  // Memory that anyone may write to and nobody reads.
  [[nodiscard]] std::span<char> waste() { return waste_; }
  [[nodiscard]] bool has_room_for_answers() const { return !context_.answers.exhausted(); }
  // Exchanges are used again, by whichever connection comes next, so that what is
  // written to is what was just sent and is still in the processor's cache, however
  // many connections there are.
  [[nodiscard]] std::unique_ptr<Exchange> NewExchange();
  void Recycle(std::unique_ptr<Exchange> exchange);
  // What a connection's waiting answers are charged with changes.
  void ChargeAnswers(std::size_t before, std::size_t now);
  // Has the connection resumed when there is room for answers again.
  void AwaitRoom(Connection* connection);
  void AwaitRoomNoLonger(Connection* connection);
  // Has what the connection has to send sent at the end of this turn.
  void SendSoon(Connection* connection);
  void Closed();
  void Remove(Connection* connection);

 private:
  struct Refused {
    Socket socket;
    std::int64_t since_ms;
  };

  void Start(Socket socket);
  void Refuse(Socket socket);
  void CloseRefused(std::int64_t now_ms);
  void Tick();
  void CheckDeadlinesSoon(std::int64_t now_ms, std::size_t turns_max);
  void ResumeWaiting();
  void SendAll();
  // A copy, because visiting a connection may remove any of them.
  [[nodiscard]] std::vector<boost::intrusive_ptr<Connection>> Connections() const;

  LoopContext& context_;
  Poller poller_;
  std::shared_ptr<Mailbox> mailbox_;
  std::atomic<std::size_t> open_connections_ = 0;
  std::unordered_set<Connection*> connections_;
  // For room for their answers, the longest first.
  std::deque<boost::intrusive_ptr<Connection>> waiting_;
  std::vector<boost::intrusive_ptr<Connection>> senders_;
  std::vector<boost::intrusive_ptr<Connection>> sending_;  // inside SendAll
  std::vector<Socket::Transfer> transfers_;                // of these, in their order
  std::optional<Outbox> outbox_;                           // inside Run
  std::vector<std::unique_ptr<Exchange>> spare_exchanges_;
  SpareBlocks spare_blocks_;
  std::deque<Refused> refused_;  // the oldest first
  bool draining_ = false;
  bool finished_ = false;
  HttpDateClock date_;
  Inflater inflater_;
  GzipCompressor compressor_;
  std::vector<char> waste_;
};

}  // namespace taula::server
