// Takes new connections from one listening socket and gives them to loops in
// turn.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <vector>

#include "server/loop.h"

namespace taula::server {

class Acceptor {
 public:
  // `socket` listens and belongs to the first of `loops`, on whose thread all
  // of this runs.
  Acceptor(boost::asio::ip::tcp::acceptor socket, std::vector<Loop*> loops);
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // From any thread.
  void Start();
  void Stop();

 private:
  void Accept();
  void Rest();

  boost::asio::ip::tcp::acceptor socket_;
  std::vector<Loop*> loops_;
  boost::asio::steady_timer rest_;
  std::size_t next_loop_ = 0;
};

}  // namespace taula::server
