// The HTTP server.
//
//   auto server = Server::Start({.port = 8000}, handler);
//   if (!server) return Complain(server.error());
//   …
//   (*server)->Stop(std::chrono::seconds(10));
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/acceptor.h"
#include "server/address.h"
#include "server/authenticator.h"
#include "server/gate.h"
#include "server/handler.h"
#include "server/limits.h"
#include "server/loop.h"
#include "server/route.h"
#include "server/service.h"

namespace taula::server {

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8000;  // 0: any that is free
  unsigned threads = 0;       // 0: one for each core
  std::string region = "us-east-1";
  // A listening socket for each thread. Without, and where the kernel cannot,
  // one of them accepts for all.
  bool reuse_port = true;
  Limits limits;
};

struct ListenError {
  enum class Kind { kBadAddress, kAddressInUse, kNotPermitted, kOther };
  Kind kind;
  std::string message;
};

// The address of a text such as "127.0.0.1", "::1" or "localhost".
[[nodiscard]] std::expected<Address, ListenError> ParseAddress(const std::string& text);

class Server {
 public:
  // Listens when it returns. The handlers outlive the server.
  [[nodiscard]] static std::expected<std::unique_ptr<Server>, ListenError> Start(
      const ServerOptions& options, Handler& handler, std::vector<RouteHandler*> routes = {},
      std::vector<ServiceHandler*> services = {});
  // Stops without waiting for requests in flight.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // From any thread.
  [[nodiscard]] std::size_t open_connections() const;
  // From any thread: for how long there has been no connection.
  [[nodiscard]] std::chrono::milliseconds idle_time();

  // Takes no new connections, lets requests in flight be answered for at most
  // `patience`, and closes.
  void Stop(std::chrono::milliseconds patience);

 private:
  Server(const ServerOptions& options, Handler& handler, std::vector<RouteHandler*> routes,
         std::vector<ServiceHandler*> services);
  [[nodiscard]] std::expected<void, ListenError> Listen();
  void Run();

  const ServerOptions options_;
  const AnyCredentials authenticator_;
  const Gate gate_;
  const Router router_;
  LoopContext context_;
  std::uint16_t port_ = 0;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::vector<std::thread> threads_;
};

}  // namespace taula::server
