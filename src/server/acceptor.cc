#include "server/acceptor.h"

#include <unistd.h>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace taula::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds kRest(100);

}  // namespace

Acceptor::Acceptor(asio::ip::tcp::acceptor socket, Loop& home, std::vector<Loop*> loops)
    : socket_(std::move(socket)),
      protocol_(socket_.local_endpoint().protocol()),
      home_(home),
      loops_(std::move(loops)),
      rest_(socket_.get_executor()) {}

void Acceptor::Start() {
  asio::post(socket_.get_executor(), [this] { Accept(); });
}

void Acceptor::Stop() {
  asio::post(socket_.get_executor(), [this] {
    error_code ignored;
    socket_.close(ignored);
    rest_.cancel();
  });
}

void Acceptor::Accept() {
  if (!socket_.is_open()) return;
  socket_.async_accept(home_.io(), [this](error_code error, asio::ip::tcp::socket socket) {
    if (!socket_.is_open()) return;
    if (!error) {
      HandOver(std::move(socket));
      Accept();
    } else if (error == asio::error::connection_aborted || error == asio::error::interrupted) {
      Accept();
    } else {
      base::Log(base::LogLevel::kWarning, "cannot take a new connection: {}", error.message());
      Rest();
    }
  });
}

void Acceptor::HandOver(asio::ip::tcp::socket socket) {
  // On a par the connection stays here, which saves the way to another thread.
  Loop* chosen = &home_;
  for (Loop* const loop : loops_) {
    if (loop->open_connections() < chosen->open_connections()) chosen = loop;
  }
  if (chosen == &home_) {
    home_.Adopt(std::move(socket));
    return;
  }
  error_code error;
  const int handle = socket.release(error);
  if (error) return;
  asio::ip::tcp::socket moved(chosen->io());
  moved.assign(protocol_, handle, error);
  if (error) {
    ::close(handle);
    return;
  }
  chosen->Adopt(std::move(moved));
}

// Out of file descriptors or of memory: trying again at once would only spin.
void Acceptor::Rest() {
  rest_.expires_after(kRest);
  rest_.async_wait([this](error_code error) {
    if (!error) Accept();
  });
}

}  // namespace taula::server
