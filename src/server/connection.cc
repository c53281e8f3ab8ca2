#include "server/connection.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <span>
#include <utility>

#include "base/clock.h"
#include "server/gate.h"
#include "server/loop.h"
#include "server/response_head.h"
#include "server/route.h"

namespace taula::server {
namespace {

// Answers that go out with one system call, at two buffers each (Linux takes
// 1024).
constexpr std::size_t kGatheredMax = 32;

constexpr int kRequestTimeout = 408;
constexpr int kBodyTooLarge = 413;
constexpr int kUnsupportedMediaType = 415;
constexpr int kBadRequest = 400;
constexpr int kServiceUnavailable = 503;

}  // namespace

void intrusive_ptr_release(Connection* connection) {
  if (--connection->references_ == 0) connection->loop_.Remove(connection);
}

Connection::Connection(Loop& loop, Socket socket)
    : loop_(loop), socket_(std::move(socket)), reader_(loop.limits(), loop.budget(), loop.spare_blocks()) {}

Connection::~Connection() { loop_.ChargeAnswers(charged_bytes_, 0); }

void Connection::Start() {
  intrusive_ptr_add_ref(this);  // until it is closed
  last_progress_ms_ = base::SteadyMs();
  if (!socket_.SetNoDelay() || !loop_.poller().Watch(socket_, *this)) Close();
}

// ---- Reading

void Connection::OnReady(Readiness readiness) {
  if (closed_) return;
  readable_ |= readiness.readable;
  ending_ |= readiness.ending;
  if (readiness.writable) blocked_ = false;
  Proceed();
}

// Does whatever can be done now: takes requests, sends answers, reads on. Every
// event ends here. It reads once at most, for other connections wait too.
void Connection::Proceed() {
  if (proceeding_ || closed_) return;
  if (lingering_) {
    Discard();
    return;
  }
  proceeding_ = true;
  for (bool received = false;; received = true) {
    Serve();
    if (EndWhenDone() || !Listen() || !readable_) break;
    if (received) {
      ComeBack();
      break;
    }
    Receive();
  }
  proceeding_ = false;
  reader_.Rest();
}

void Connection::Serve() {
  TakeRequests();
  GatherAnswers();
  if (!closed_ && !outgoing_.empty() && !blocked_) SendSoon();
}

// True when there is nothing left to do here.
bool Connection::EndWhenDone() {
  if (closed_) return true;
  if (!outgoing_.empty() || !pipeline_.empty()) return false;
  if (input_ended_) {
    // Requests that have come may still await room.
    if (!awaits_room_) Close();
  } else if (last_taken_) {
    // A server that stops has no time for manners.
    draining_ ? Close() : Linger();
  } else if (draining_ && !readable_ && reader_.phase() == RequestReader::Phase::kNothing) {
    Close();
  }
  return closed_ || lingering_;
}

// Whether more can be taken than has come.
bool Connection::Listen() {
  listening_ = false;
  if (last_taken_ || input_ended_) return false;
  if (!MayTakeRequests()) {
    paused_ = true;
    return false;
  }
  // The client could not go on for as long as it was not listened to.
  if (std::exchange(paused_, false)) request_began_ms_ = base::SteadyMs();
  listening_ = true;
  return true;
}

void Connection::Receive() {
  const std::span<char> space = reader_.Space();
  if (space.empty()) {
    Refuse(kServiceUnavailable);
    return;
  }
  const Socket::Transfer received = ReceiveInto(space);
  switch (received.outcome) {
    case Socket::Outcome::kDone:
      last_progress_ms_ = base::SteadyMs();
      if (reader_.phase() == RequestReader::Phase::kNothing) request_began_ms_ = last_progress_ms_;
      reader_.Received(received.bytes);
      break;
    case Socket::Outcome::kWouldBlock:
      break;
    case Socket::Outcome::kEnded:
      // The client may have closed its side only, and still wait for answers.
      input_ended_ = true;
      break;
    case Socket::Outcome::kFailed:
      Close();
      break;
  }
}

Socket::Transfer Connection::ReceiveInto(std::span<char> space) {
  const Socket::Transfer received = socket_.Receive(space);
  if (received.outcome == Socket::Outcome::kWouldBlock) ending_ = false;
  if (received.bytes < space.size() && !ending_) readable_ = false;
  return received;
}

// Goes on with what is still to be read once the others have had their turn.
void Connection::ComeBack() {
  if (std::exchange(comes_back_, true)) return;
  loop_.poller().Post([self = Self(this)] {
    self->comes_back_ = false;
    self->Proceed();
  });
}

bool Connection::MayTakeRequests() {
  const Limits& limits = loop_.limits();
  // Who awaits room is resumed by the loop alone: room that appears between two
  // looks must not let reading go on while requests that came are not taken.
  if (awaits_room_ || pipeline_.size() >= limits.pipeline_depth_max || requested_bytes_ > limits.body_bytes_max ||
      answered_bytes_ > limits.queued_bytes_max) {
    return false;
  }
  if (loop_.has_room_for_answers()) return true;
  awaits_room_ = true;
  loop_.AwaitRoom(this);
  return false;
}

void Connection::Resume() {
  awaits_room_ = false;
  if (!closed_) Proceed();
}

void Connection::TakeRequests() {
  while (!closed_ && !last_taken_ && reader_.phase() != RequestReader::Phase::kNothing && MayTakeRequests()) {
    if (!next_) next_ = loop_.NewExchange();
    const RequestReader::Step step = reader_.Next(*next_);
    if (step == RequestReader::Step::kRefused) {
      Refuse(reader_.refusal());
      return;
    }
    if (step == RequestReader::Step::kMore) {
      if (reader_.phase() == RequestReader::Phase::kNothing) loop_.Recycle(std::move(next_));
      if (reader_.awaits_continue() && pipeline_.empty() && sending_.empty()) SendContinue();
      return;
    }
    if (reader_.phase() != RequestReader::Phase::kNothing) request_began_ms_ = last_progress_ms_;
    Dispatch(std::move(next_));
  }
}

void Connection::Dispatch(std::unique_ptr<Exchange> exchange) {
  exchange->connection = this;
  exchange->sequence = first_sequence_ + pipeline_.size();
  exchange->close_after = !exchange->head.keep_alive;
  if (exchange->close_after) last_taken_ = true;
  exchange->input_bytes = exchange->body.size();
  const bool readable = Inflate(*exchange);
  if (exchange->inflated) exchange->input_bytes += exchange->body.size();
  requested_bytes_ += exchange->input_bytes;
  pipeline_.emplace_back(nullptr);
  intrusive_ptr_add_ref(this);

  if (!readable) {
    Answered(std::move(exchange));
    return;
  }
  if (RouteHandler* const route = loop_.router().Find(exchange->head.target)) {
    loop_.router().Handle(*route, std::move(exchange));
    return;
  }
  const std::optional<Request> request = loop_.gate().Admit(*exchange);
  if (!request) {
    exchange->service != nullptr ? Gate::HandOver(std::move(exchange)) : Answered(std::move(exchange));
    return;
  }
  loop_.handler().Handle(*request, Responder(std::move(exchange)));
}

// The answer to a stream that cannot be read on; it goes after all others.
void Connection::Refuse(int status) {
  if (last_taken_) return;
  last_taken_ = true;
  refusal_ = RefusalResponse(status, reader_.http11(), loop_.date());
}

// ---- Answering

bool Connection::Inflate(Exchange& exchange) {
  const auto coding = exchange.head.Find(RequestHead::FieldName::content_encoding);
  if (!coding || exchange.body.empty()) return true;
  const auto is = [&](const char* name) { return boost::beast::iequals({coding->data(), coding->size()}, name); };
  // The second is what CloudWatch's JSON was once called.
  if (is("identity") || is("amz-1.0")) return true;
  if (!is("gzip") && !is("x-gzip") && !is("deflate")) {
    exchange.status = kUnsupportedMediaType;
    return false;
  }
  std::size_t size = 0;
  switch (
      loop_.inflater().Inflate(exchange.body, loop_.limits().body_bytes_max, loop_.budget(), exchange.inflated, size)) {
    case InflateStatus::kOk:
      exchange.body = {exchange.inflated->data(), size};
      return true;
    case InflateStatus::kMalformed:
      exchange.status = kBadRequest;
      break;
    case InflateStatus::kTooLarge:
      exchange.status = kBodyTooLarge;
      break;
    case InflateStatus::kNoMemory:
      exchange.status = kServiceUnavailable;
      break;
  }
  return false;
}

void Connection::Answered(std::unique_ptr<Exchange> exchange) {
  const Self self(this, false);  // takes over the reference that Dispatch added
  if (closed_) return;
  Finish(*exchange);
  answered_bytes_ += exchange->response_body.size();
  ChargeAnswers();
  const std::size_t place = exchange->sequence - first_sequence_;
  pipeline_[place] = std::move(exchange);
  Proceed();
}

// Makes the answer ready to be sent, and lets go of the request.
void Connection::Finish(Exchange& exchange) {
  const bool newest = exchange.sequence + 1 == first_sequence_ + pipeline_.size();
  if (draining_ && newest && !readable_ && reader_.phase() == RequestReader::Phase::kNothing) {
    exchange.close_after = true;
    last_taken_ = true;
  }
  const auto accepted = exchange.head.Find(RequestHead::FieldName::accept_encoding);
  if (accepted && exchange.response_body.size() >= loop_.limits().gzip_bytes_min && AcceptsGzip(*accepted) &&
      loop_.compressor().Compress(exchange.response_body)) {
    exchange.extra_fields.append("Content-Encoding: gzip\r\n");
  }
  WriteResponseHead(exchange, loop_.date());
  requested_bytes_ -= exchange.input_bytes;
  exchange.ReleaseRequest();
}

// Few answers cost as little as a connection's first block, and no look at what
// all threads share.
void Connection::ChargeAnswers() {
  const std::size_t due = answered_bytes_ > kBlockBytes ? answered_bytes_ : 0;
  loop_.ChargeAnswers(std::exchange(charged_bytes_, due), due);
}

// Moves answers whose turn it is to what is sent next.
void Connection::GatherAnswers() {
  if (!outgoing_.empty()) return;
  while (!pipeline_.empty() && pipeline_.front() && sending_.size() < kGatheredMax) {
    Exchange& exchange = *pipeline_.front();
    outgoing_.push_back(Piece(exchange.response_head));
    if (!exchange.head_only && !exchange.response_body.empty()) {
      outgoing_.push_back(Piece(exchange.response_body));
    }
    sending_.push_back(std::move(pipeline_.front()));
    pipeline_.pop_front();
    ++first_sequence_;
  }
  if (pipeline_.empty() && sending_.empty() && !refusal_.empty()) {
    outgoing_.push_back(Piece(refusal_));
    refusing_ = true;
  }
}

void Connection::SendSoon() {
  if (!std::exchange(sends_soon_, true)) loop_.SendSoon(this);
}

void Connection::Transferred(Socket::Transfer sent) {
  sends_soon_ = false;
  while (IsThereMore(sent)) sent = socket_.Send(outgoing_);
  Proceed();
}

// Takes what was sent out of outgoing_. False when all is gone, and when no more
// goes now.
bool Connection::IsThereMore(Socket::Transfer sent) {
  if (sent.outcome == Socket::Outcome::kWouldBlock) {
    blocked_ = true;
    if (stalled_ms_ == 0) stalled_ms_ = last_sent_ms_ = base::SteadyMs();
    return false;
  }
  if (sent.outcome != Socket::Outcome::kDone) {
    Close();
    return false;
  }
  last_progress_ms_ = last_sent_ms_ = base::SteadyMs();
  std::size_t whole = 0;
  std::size_t count = sent.bytes;
  while (whole < outgoing_.size() && count >= outgoing_[whole].iov_len) count -= outgoing_[whole++].iov_len;
  outgoing_.erase(outgoing_.begin(), outgoing_.begin() + static_cast<std::ptrdiff_t>(whole));
  if (outgoing_.empty()) {
    Sent();
    return false;
  }
  iovec& rest = outgoing_.front();
  rest = {static_cast<char*>(rest.iov_base) + count, rest.iov_len - count};
  return true;
}

void Connection::Sent() {
  stalled_ms_ = 0;
  // It may have come up while something else was on its way.
  if (std::exchange(refusing_, false)) refusal_.clear();
  for (auto& exchange : sending_) {
    answered_bytes_ -= exchange->response_body.size();
    loop_.Recycle(std::move(exchange));
  }
  sending_.clear();
  ChargeAnswers();
}

void Connection::SendContinue() {
  reader_.Continued();
  request_began_ms_ = base::SteadyMs();
  outgoing_.push_back(Piece("HTTP/1.1 100 Continue\r\n\r\n"));
}

// ---- Closing

void Connection::CheckDeadlines(std::int64_t now_ms) {
  const Limits& limits = loop_.limits();
  const std::int64_t quiet_ms = now_ms - last_progress_ms_;
  if (closed_) return;
  if (lingering_) {
    if (quiet_ms > limits.linger_ms_max) Close();
    return;
  }
  if (blocked_) {
    if (now_ms - last_sent_ms_ > limits.write_ms_max || now_ms - stalled_ms_ > limits.answer_ms_max) Close();
    return;
  }
  // Who was not told to go on yet takes none of its time, nor who is about to be sent
  // something.
  if (!listening_ || readable_ || sends_soon_ || reader_.awaits_continue()) return;
  const RequestReader::Phase phase = reader_.phase();
  if (phase == RequestReader::Phase::kNothing) {
    if (pipeline_.empty() && quiet_ms > limits.idle_ms_max) Close();
    return;
  }
  const std::int64_t allowed_ms = phase == RequestReader::Phase::kHead ? limits.header_ms_max : limits.request_ms_max;
  if (now_ms - request_began_ms_ > allowed_ms) {
    Refuse(kRequestTimeout);
    Proceed();
  }
}

void Connection::Drain() {
  draining_ = true;
  // A request may have come that the poller has not told of yet.
  readable_ = true;
  Proceed();
}

// Closing while the client still sends would make its kernel throw away the
// answer, so the rest is read into nothing for a while first.
void Connection::Linger() {
  if (lingering_) return;
  lingering_ = true;
  last_progress_ms_ = base::SteadyMs();
  if (socket_.ShutdownSend()) {
    Discard();
  } else {
    Close();
  }
}

void Connection::Discard() {
  reader_.End();
  if (!readable_) return;
  const Socket::Transfer received = ReceiveInto(loop_.waste());
  lingered_bytes_ += received.bytes;
  if (received.outcome == Socket::Outcome::kEnded || received.outcome == Socket::Outcome::kFailed ||
      lingered_bytes_ > loop_.limits().linger_bytes_max) {
    Close();
  } else if (readable_) {
    ComeBack();
  }
}

void Connection::Close() {
  if (closed_) return;
  closed_ = true;
  if (std::exchange(awaits_room_, false)) loop_.AwaitRoomNoLonger(this);
  // First, so that a client that comes again once it sees the end finds a place.
  loop_.Closed();
  socket_.Close();
  // The poller may have seen something of it already.
  loop_.poller().Post([self = Self(this, false)] {});
}

}  // namespace taula::server
