#include "server/acceptor.h"

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

Acceptor::Acceptor(asio::ip::tcp::acceptor socket, std::vector<Loop*> loops)
    : socket_(std::move(socket)), loops_(std::move(loops)), rest_(socket_.get_executor()) {}

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
  Loop& loop = *loops_[next_loop_];
  next_loop_ = (next_loop_ + 1) % loops_.size();
  socket_.async_accept(loop.io(), [this, &loop](error_code error, asio::ip::tcp::socket socket) {
    if (!socket_.is_open()) return;
    if (!error) {
      loop.Adopt(std::move(socket));
      Accept();
    } else if (error == asio::error::connection_aborted || error == asio::error::interrupted) {
      Accept();
    } else {
      base::Log(base::LogLevel::kWarning, "cannot take a new connection: {}", error.message());
      Rest();
    }
  });
}

// Out of file descriptors or of memory: trying again at once would only spin.
void Acceptor::Rest() {
  rest_.expires_after(kRest);
  rest_.async_wait([this](error_code error) {
    if (!error) Accept();
  });
}

}  // namespace taula::server
