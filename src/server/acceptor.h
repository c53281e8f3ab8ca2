// Takes new connections from one listening socket and gives each to the loop
// that has the fewest. Where the kernel has the choice between listening
// sockets it goes by a hash, and the few connections of a client, which stay for
// long, may all end up with one of them.
#pragma once

#include <vector>

#include "server/loop.h"
#include "server/poller.h"
#include "server/socket.h"

namespace taula::server {

class Acceptor final : public Poller::Watcher {
 public:
  // `socket` listens. All of this runs on the thread of the loop `home`. `loops`
  // are all there are.
  Acceptor(Socket socket, Loop& home, std::vector<Loop*> loops);
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // From any thread.
  void Start();
  void Stop();

  void OnReady(Readiness readiness) override;

 private:
  void Accept();
  void ComeBack();
  void HandOver(Socket socket);

  Socket socket_;
  Loop& home_;
  const std::vector<Loop*> loops_;
  bool comes_back_ = false;  // to take more
};

}  // namespace taula::server
