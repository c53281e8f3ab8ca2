// One client's connection: reads its requests, has them answered, sends the
// answers in the order of the requests.
//
// All of it runs on one thread, that of its loop.
#pragma once

#include <sys/uio.h>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "server/exchange.h"
#include "server/poller.h"
#include "server/request_reader.h"
#include "server/socket.h"

namespace taula::server {

class Loop;

class Connection final : public Poller::Watcher {
 public:
  Connection(Loop& loop, Socket socket);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override;

  void Start();

  void OnReady(Readiness readiness) override;

  // An exchange comes back from its handler.
  void Answered(std::unique_ptr<Exchange> exchange);

  // What its loop sends for it, and what came of that.
  [[nodiscard]] bool is_closed() const { return closed_; }
  [[nodiscard]] Socket& socket() { return socket_; }
  [[nodiscard]] std::span<const iovec> outgoing() const { return outgoing_; }
  void Transferred(Socket::Transfer sent);

  // There is room for answers again.
  void Resume();

  // Ends what has taken too long.
  void CheckDeadlines(std::int64_t now_ms);

  // Closes as soon as every request that was begun is answered.
  void Drain();
  // Closes at once. What is still with a handler is dropped when it returns.
  void Close();

 private:
  // Counts who still needs the object: the poller while the socket is open,
  // exchanges that are with a handler. Not atomic, as all of them are on one thread.
  friend void intrusive_ptr_add_ref(Connection* connection) { ++connection->references_; }
  friend void intrusive_ptr_release(Connection* connection);
  using Self = boost::intrusive_ptr<Connection>;

  // Reading.
  void Proceed();
  void Serve();
  [[nodiscard]] bool EndWhenDone();
  [[nodiscard]] bool Listen();
  void Receive();
  void ComeBack();
  [[nodiscard]] Socket::Transfer ReceiveInto(std::span<char> space);
  [[nodiscard]] bool MayTakeRequests();
  void TakeRequests();
  void Dispatch(std::unique_ptr<Exchange> exchange);
  void Refuse(int status);

  // Answering.
  [[nodiscard]] bool Inflate(Exchange& exchange);
  void Finish(Exchange& exchange);
  void ChargeAnswers();
  void GatherAnswers();
  void SendSoon();
  [[nodiscard]] bool IsThereMore(Socket::Transfer sent);
  void Sent();
  void SendContinue();

  // Closing.
  void Linger();
  void Discard();

  Loop& loop_;
  Socket socket_;
  RequestReader reader_;
  std::size_t references_ = 0;

  // The exchange that the next request is read into, from its first byte on.
  std::unique_ptr<Exchange> next_;
  // Requests in their order, from the oldest unanswered one; nullptr for those
  // that are with a handler.
  std::deque<std::unique_ptr<Exchange>> pipeline_;
  std::uint64_t first_sequence_ = 0;
  std::size_t requested_bytes_ = 0;
  std::size_t answered_bytes_ = 0;
  std::size_t charged_bytes_ = 0;

  // What is being sent, and the exchanges that it stands in.
  std::vector<iovec> outgoing_;
  std::vector<std::unique_ptr<Exchange>> sending_;
  std::string refusal_;

  bool readable_ = false;     // the socket may have something
  bool ending_ = false;       // and will to its end
  bool comes_back_ = false;   // to read on
  bool listening_ = false;    // takes what comes
  bool paused_ = false;       // would, if it could
  bool awaits_room_ = false;  // for answers, in the loop's list of those that do
  bool sends_soon_ = false;   // outgoing_, with what others send
  bool blocked_ = false;      // the socket takes no more at the moment
  bool proceeding_ = false;   // TakeRequests is running further up the stack
  bool refusing_ = false;     // the refusal is in outgoing_
  bool last_taken_ = false;   // no further request will be read
  bool input_ended_ = false;
  bool lingering_ = false;
  bool closed_ = false;
  bool draining_ = false;

  std::int64_t request_began_ms_ = 0;
  std::int64_t last_progress_ms_ = 0;
  // When the client last took something of outgoing_, or first did not.
  std::int64_t last_sent_ms_ = 0;
  // Since when outgoing_ waits for the client; 0 when it does not.
  std::int64_t stalled_ms_ = 0;
  std::size_t lingered_bytes_ = 0;
};

}  // namespace taula::server
