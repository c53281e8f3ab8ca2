// Takes new connections from one listening socket and gives each to the loop
// that has the fewest. Where the kernel has the choice between listening
// sockets it goes by a hash, and the few connections of a client, which stay for
// long, may all end up with one of them.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <vector>

#include "server/loop.h"

namespace taula::server {

class Acceptor {
 public:
  // `socket` listens and belongs to the loop `home`, on whose thread all of this
  // runs. `loops` are all there are.
  Acceptor(boost::asio::ip::tcp::acceptor socket, Loop& home, std::vector<Loop*> loops);
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // From any thread.
  void Start();
  void Stop();

 private:
  void Accept();
  void HandOver(boost::asio::ip::tcp::socket socket);
  void Rest();

  boost::asio::ip::tcp::acceptor socket_;
  const boost::asio::ip::tcp protocol_;
  Loop& home_;
  const std::vector<Loop*> loops_;
  boost::asio::steady_timer rest_;
};

}  // namespace taula::server
