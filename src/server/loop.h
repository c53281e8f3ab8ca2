// One thread's event loop and the connections that live on it.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "server/buffer.h"
#include "server/content_coding.h"
#include "server/gate.h"
#include "server/http_date.h"
#include "server/limits.h"
#include "server/mailbox.h"

namespace taula::server {

class Connection;

// What the loops of a server share.
struct LoopContext {
  const Limits& limits;
  const Gate& gate;
  Handler& handler;
  std::shared_ptr<BufferBudget> budget;

  // How many connections there are; `none_left` is told when there are none.
  std::mutex mutex;
  std::condition_variable none_left;
  std::size_t connections = 0;
};

class Loop {
 public:
  explicit Loop(LoopContext& context);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until Finish, on the thread that becomes the loop's.
  void Run();

  [[nodiscard]] boost::asio::io_context& io() { return io_; }

  // From any thread: takes over a socket made for this loop's io().
  void Adopt(boost::asio::ip::tcp::socket socket);
  // From any thread: lets connections end with what they are doing.
  void Drain();
  // From any thread: ends all that is left, and Run.
  void Finish();

  // For the loop's connections.
  [[nodiscard]] const Limits& limits() const { return context_.limits; }
  [[nodiscard]] const Gate& gate() const { return context_.gate; }
  [[nodiscard]] Handler& handler() const { return context_.handler; }
  [[nodiscard]] const std::shared_ptr<BufferBudget>& budget() const { return context_.budget; }
  [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
  [[nodiscard]] std::string_view date() { return date_.Now(); }
  [[nodiscard]] Inflater& inflater() { return inflater_; }
  [[nodiscard]] GzipCompressor& compressor() { return compressor_; }
  // Memory that anyone may write to and nobody reads.
  [[nodiscard]] std::span<char> waste() { return waste_; }
  void Closed();
  void Remove(Connection* connection);

 private:
  void Start(boost::asio::ip::tcp::socket socket);
  void Tick();
  // A copy, because visiting a connection may remove any of them.
  [[nodiscard]] std::vector<boost::intrusive_ptr<Connection>> Connections() const;

  LoopContext& context_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer tick_;
  std::shared_ptr<Mailbox> mailbox_;
  std::unordered_set<Connection*> connections_;
  bool draining_ = false;
  bool finished_ = false;
  HttpDateClock date_;
  Inflater inflater_;
  GzipCompressor compressor_;
  std::vector<char> waste_;
};

}  // namespace taula::server
