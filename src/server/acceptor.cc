#include "server/acceptor.h"

#include <chrono>
#include <utility>

#include "base/log.h"

namespace taula::server {
namespace {

constexpr std::chrono::milliseconds kRest(100);

// At a time, so that those who are connected get their turn.
constexpr int kAcceptedMax = 64;

}  // namespace

Acceptor::Acceptor(Socket socket, Loop& home, std::vector<Loop*> loops)
    : socket_(std::move(socket)), home_(home), loops_(std::move(loops)) {}

void Acceptor::Start() {
  home_.poller().Post([this] {
    if (socket_.is_open() && !home_.poller().Watch(socket_, *this)) {
      base::Log(base::LogLevel::kError, "cannot take connections: the kernel refuses to watch the socket");
    }
  });
}

void Acceptor::Stop() {
  home_.poller().Post([this] { socket_.Close(); });
}

void Acceptor::OnReady(Readiness /*readiness*/) {
  if (!comes_back_) Accept();
}

void Acceptor::Accept() {
  for (int accepted = 0; socket_.is_open(); ++accepted) {
    if (accepted == kAcceptedMax) {
      comes_back_ = true;
      home_.poller().Post([this] { ComeBack(); });
      return;
    }
    auto socket = socket_.Accept();
    if (!socket) {
      base::Log(base::LogLevel::kWarning, "cannot take a new connection: {}", socket.error().message());
      // Out of file descriptors or of memory: trying again at once would only spin.
      comes_back_ = true;
      home_.poller().PostAfter(kRest, [this] { ComeBack(); });
      return;
    }
    if (!*socket) return;
    HandOver(std::move(**socket));
  }
}

void Acceptor::ComeBack() {
  comes_back_ = false;
  Accept();
}

void Acceptor::HandOver(Socket socket) {
  // On a par the connection stays here, which saves the way to another thread.
  Loop* chosen = &home_;
  for (Loop* const loop : loops_) {
    if (loop->open_connections() < chosen->open_connections()) chosen = loop;
  }
  chosen->Adopt(std::move(socket));
}

}  // namespace taula::server
