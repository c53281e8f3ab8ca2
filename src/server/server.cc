#include "server/server.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace taula::server {
namespace {

std::unexpected<ListenError> Failed(const std::error_code& error) {
  using Kind = ListenError::Kind;
  Kind kind = Kind::kOther;
  if (error == std::errc::address_in_use) kind = Kind::kAddressInUse;
  if (error == std::errc::permission_denied) kind = Kind::kNotPermitted;
  if (error == std::errc::address_not_available) kind = Kind::kBadAddress;
  return std::unexpected(ListenError{kind, error.message()});
}

}  // namespace

std::expected<Address, ListenError> ParseAddress(const std::string& text) {
  const auto address = Address::Parse(text);
  if (!address) {
    return std::unexpected(ListenError{ListenError::Kind::kBadAddress, "'" + text + "' is not an IP address"});
  }
  return *address;
}

Server::Server(const ServerOptions& options, Handler& handler, std::vector<RouteHandler*> routes,
               std::vector<ServiceHandler*> services)
    : options_(options),
      gate_(options.region, authenticator_, handler, std::move(services)),
      router_(std::move(routes), authenticator_),
      context_{options_.limits, gate_, router_, handler,
               std::make_shared<BufferBudget>(options.limits.large_buffer_bytes_max)} {
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < threads; ++i) loops_.push_back(std::make_unique<Loop>(context_));
  for (const auto& loop : loops_) context_.loops.push_back(loop.get());
}

Server::~Server() { Stop(std::chrono::milliseconds(0)); }

std::expected<std::unique_ptr<Server>, ListenError> Server::Start(const ServerOptions& options, Handler& handler,
                                                                  std::vector<RouteHandler*> routes,
                                                                  std::vector<ServiceHandler*> services) {
  std::unique_ptr<Server> server(new Server(options, handler, std::move(routes), std::move(services)));
  if (auto listening = server->Listen(); !listening) return std::unexpected(listening.error());
  server->Run();
  return server;
}

std::size_t Server::open_connections() const {
  std::size_t open = 0;
  for (const auto& loop : loops_) open += loop->open_connections();
  return open;
}

std::chrono::milliseconds Server::idle_time() {
  const std::lock_guard lock(context_.mutex);
  return std::chrono::milliseconds(context_.connections > 0 ? 0 : base::SteadyMs() - context_.none_since_ms);
}

std::expected<void, ListenError> Server::Listen() {
  const auto address = ParseAddress(options_.address);
  if (!address) return std::unexpected(address.error());

  // With SO_REUSEPORT the kernel would let a second server join a port that is
  // taken. So the port is first asked for as if it were for one socket alone.
  auto alone = Socket::Listen(address->WithPort(options_.port), false);
  if (!alone) return Failed(alone.error());
  const auto port = alone->LocalPort();
  if (!port) return Failed(port.error());
  port_ = *port;

  if (options_.reuse_port && loops_.size() > 1) {
    alone->Close();
    std::vector<Socket> sockets;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      auto socket = Socket::Listen(address->WithPort(port_), true);
      if (!socket) break;
      sockets.push_back(std::move(*socket));
    }
    if (sockets.size() == loops_.size()) {
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        acceptors_.push_back(std::make_unique<Acceptor>(std::move(sockets[i]), *loops_[i], context_.loops));
      }
      return {};
    }
    sockets.clear();
    alone = Socket::Listen(address->WithPort(port_), false);
    if (!alone) return Failed(alone.error());
  }
  acceptors_.push_back(std::make_unique<Acceptor>(std::move(*alone), *loops_[0], context_.loops));
  return {};
}

void Server::Run() {
  for (const auto& loop : loops_) threads_.emplace_back([&loop] { loop->Run(); });
  for (const auto& acceptor : acceptors_) acceptor->Start();
}

void Server::Stop(std::chrono::milliseconds patience) {
  if (threads_.empty()) return;
  for (const auto& acceptor : acceptors_) acceptor->Stop();
  if (patience.count() > 0) {
    for (const auto& loop : loops_) loop->Drain();
    std::unique_lock lock(context_.mutex);
    context_.none_left.wait_for(lock, patience, [this] { return context_.connections == 0; });
  }
  for (const auto& loop : loops_) loop->Finish();
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  // The connections that the loops' ends delete have nobody to resume.
  context_.loops.clear();
}

}  // namespace taula::server
