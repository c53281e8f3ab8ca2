// For tests: a client that sends exactly the bytes it is given, and a handler
// that answers in every way a handler can.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/handler.h"
#include "server/server.h"

namespace taula::server {

struct RawResponse {
  int status = 0;
  std::map<std::string, std::string> fields;  // by lower-case name
  std::string body;
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    const timeval patience{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  }
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        connected_(other.connected_),
        received_(std::move(other.received_)) {}
  RawClient& operator=(RawClient&&) = delete;
  ~RawClient() {
    if (socket_ >= 0) ::close(socket_);
  }

  [[nodiscard]] bool connected() const { return connected_; }

  // False when the server does not take it.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  bool SendSlowly(std::string_view bytes) {
    return std::ranges::all_of(bytes, [this](char c) { return Send(std::string_view(&c, 1)); });
  }
  void EndSending() { ::shutdown(socket_, SHUT_WR); }
  void Reset() {
    const linger now{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    ::close(std::exchange(socket_, -1));
  }

  // Nothing when the connection ends or stays silent before a whole response.
  std::optional<RawResponse> Read(bool head_only = false) {
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!Receive()) return std::nullopt;
    }
    RawResponse response = ParseHead(received_.substr(0, end + 2));
    received_.erase(0, end + 4);
    if (head_only || response.status == 100) return response;
    if (response.fields.contains("transfer-encoding")) {
      while (received_.find("0\r\n\r\n") == std::string::npos) {
        if (!Receive()) return std::nullopt;
      }
      received_.erase(0, received_.find("0\r\n\r\n") + 5);
      return response;
    }
    const std::size_t length = std::strtoul(response.fields["content-length"].c_str(), nullptr, 10);
    while (received_.size() < length) {
      if (!Receive()) return std::nullopt;
    }
    response.body = received_.substr(0, length);
    received_.erase(0, length);
    return response;
  }

  // Takes what has come, a little at most. False when nothing comes.
  bool ReadSome() { return Receive(); }
  // Whether the server sends something within `patience`, or closes.
  [[nodiscard]] bool Hears(std::chrono::milliseconds patience) const {
    pollfd poll{socket_, POLLIN, 0};
    return !received_.empty() || ::poll(&poll, 1, static_cast<int>(patience.count())) > 0;
  }

  // Whether the server has closed, with nothing more to read.
  bool AtEnd() {
    while (Receive()) {
    }
    return ended_ && received_.empty();
  }

  // Whether the server threw away what it was sent, which takes from many clients
  // what they have not read yet.
  [[nodiscard]] bool WasReset() const { return was_reset_; }

 private:
  static RawResponse ParseHead(std::string_view text) {
    RawResponse response;
    const std::size_t line = text.find("\r\n");
    response.status = std::atoi(std::string(text.substr(9, 3)).c_str());
    text.remove_prefix(line + 2);
    while (!text.empty()) {
      const std::size_t end = text.find("\r\n");
      const std::size_t colon = text.find(": ");
      std::string name(text.substr(0, colon));
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      response.fields[name] = text.substr(colon + 2, end - colon - 2);
      text.remove_prefix(end + 2);
    }
    return response;
  }

  bool Receive() {
    char bytes[65536];
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
    if (count < 0 && errno == ECONNRESET) was_reset_ = true;
    if (count == 0 || was_reset_) ended_ = true;
    if (count <= 0) return false;
    received_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  bool connected_;
  bool ended_ = false;
  bool was_reset_ = false;
  std::string received_;
};

inline std::string Post(std::string_view operation, std::string_view body, std::string_view more_fields = "") {
  std::string text =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
      "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
      "Signature=b\r\nX-Amz-Date: 20260101T000000Z\r\nX-Amz-Target: DynamoDB_20120810.";
  text.append(operation).append("\r\n").append(more_fields);
  if (more_fields.find("Transfer-Encoding") == std::string_view::npos) {
    text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  }
  return text.append("\r\n").append(body);
}

class FakeHandler final : public Handler {
 public:
  FakeHandler() {
    for (int i = 0; i < 2; ++i) workers_.emplace_back([this] { Work(); });
  }
  ~FakeHandler() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  [[nodiscard]] std::optional<std::uint16_t> Find(std::string_view service, std::string_view operation) const override {
    static constexpr std::string_view kOperations[] = {"Echo", "Write", "Later",  "Big",  "Fail",
                                                       "Drop", "Hold",  "Thread", "Block"};
    const auto* const found = std::ranges::find(kOperations, operation);
    if (service != "DynamoDB_20120810" || found == std::end(kOperations)) return std::nullopt;
    return static_cast<std::uint16_t>(found - std::begin(kOperations));
  }

  void Handle(const Request& request, Responder responder) override {
    // Reading the padding is what simdjson does; a sanitizer would tell.
    for (std::size_t i = 0; i < kBodyPadding; ++i) padding_read_ += request.body.data()[request.body.size() + i] != 0;
    if (request.operation == "Echo") {
      responder.Ok(std::string(request.body));
    } else if (request.operation == "Write") {
      responder.Write([&](std::string& out) { out.append(request.body); });
    } else if (request.operation == "Big") {
      responder.Ok(std::string(std::stoul(std::string(request.body)), 'x'));
    } else if (request.operation == "Thread") {
      responder.Ok(std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id())));
    } else if (request.operation == "Block") {
      std::this_thread::sleep_for(std::chrono::milliseconds(std::stol(std::string(request.body))));
      responder.Ok("{}");
    } else if (request.operation == "Fail") {
      Error error{ErrorCode::kResourceNotFoundException, "Requested resource not found", std::nullopt, {}};
      responder.Fail(error);
    } else if (request.operation == "Drop") {
      Responder dropped(std::move(responder));
    } else {
      const std::lock_guard lock(mutex_);
      auto& list = request.operation == "Hold" ? held_ : waiting_;
      list.push_back({std::string_view(request.body), std::move(responder)});
      wake_.notify_all();
    }
  }

  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }
  void AwaitHeld(std::size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(wake_.wait_for(lock, std::chrono::seconds(20), [&] { return held_.size() >= count; }));
  }
  // Answers the held requests on the calling thread, the last one first.
  void Release() {
    std::vector<Job> jobs;
    {
      const std::lock_guard lock(mutex_);
      jobs.swap(held_);
    }
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) job->responder.Ok(std::string(job->body));
  }

 private:
  struct Job {
    std::string_view body;
    Responder responder;
  };

  // Answers out of order.
  void Work() {
    std::minstd_rand random;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      std::swap(waiting_[random() % waiting_.size()], waiting_.back());
      Job job = std::move(waiting_.back());
      waiting_.pop_back();
      lock.unlock();
      job.responder.Write([&](std::string& out) { out.append(job.body); });
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::vector<Job> waiting_;
  std::vector<Job> held_;
  std::vector<std::thread> workers_;
  std::atomic<std::size_t> padding_read_ = 0;
};

// A server on a free port, for one test.
class RunningServer {
 public:
  explicit RunningServer(ServerOptions options = {}) {
    options.port = 0;
    if (options.threads == 0) options.threads = 2;
    auto started = Server::Start(options, handler);
    EXPECT_TRUE(started) << started.error().message;
    if (started) server = std::move(*started);
  }
  ~RunningServer() {
    // Handlers first, as a real one is: nobody answers a server that is gone.
    handler.Release();
  }

  [[nodiscard]] RawClient Connect() const { return RawClient(server->port()); }

  FakeHandler handler;
  std::unique_ptr<Server> server;
};

}  // namespace taula::server
