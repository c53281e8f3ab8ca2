// Paths beside DynamoDB's own, for whoever answers them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/authenticator.h"
#include "server/request_head.h"

namespace taula::server {

struct Exchange;

// The views are valid until the responder has been used.
struct RouteRequest {
  RequestHead::Verb method = RequestHead::Verb::get;  // get for HEAD as well
  std::string_view path;                              // as it was sent, without the query
  std::string_view query;
  std::string_view host;        // as the client calls this server, perhaps with a port
  std::string_view media_type;  // of the body
  std::string_view body;        // padded as Request::body is
};

struct RouteResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::string fields;  // more of them, as whole lines
};

// {"error":{"code":"NotFound","message":"…"}}
[[nodiscard]] RouteResponse RouteError(int status, std::string_view code, std::string_view message);

// 405, for whoever takes other methods: "GET, PUT".
[[nodiscard]] RouteResponse WrongMethod(std::string_view allowed);

void FillAnswer(Exchange& exchange, RouteResponse response);

// The one answer to a request, as Responder is to an operation.
class RouteResponder {
 public:
  explicit RouteResponder(std::unique_ptr<Exchange> exchange);
  RouteResponder(RouteResponder&& other) noexcept;
  RouteResponder& operator=(RouteResponder&& other) noexcept;
  ~RouteResponder();

  void Send(RouteResponse response);

 private:
  std::unique_ptr<Exchange> exchange_;
};

class RouteHandler {
 public:
  virtual ~RouteHandler() = default;

  // "/designs": this path and all below it. Always the same.
  [[nodiscard]] virtual std::string_view prefix() const = 0;
  [[nodiscard]] virtual std::size_t body_bytes_max() const = 0;

  // Called on the connection's thread, for many connections at once from many
  // threads. Whatever blocks here holds up the thread's other connections.
  virtual void Handle(const RouteRequest& request, RouteResponder responder) = 0;
};

// Finds the handler of a path, and keeps web pages of other sites away from it:
// unlike DynamoDB's operations, these need no Authorization field, which a
// browser adds for nobody. Pages of this machine may call them. Used by all
// threads.
class Router {
 public:
  Router(std::vector<RouteHandler*> handlers, const Authenticator& authenticator)
      : handlers_(std::move(handlers)), authenticator_(authenticator) {}

  // Nothing where the path is DynamoDB's: "/", but also any that nobody wants.
  [[nodiscard]] RouteHandler* Find(std::string_view target) const {
    return target.size() <= 1 || handlers_.empty() ? nullptr : Search(target);
  }
  void Handle(RouteHandler& handler, std::unique_ptr<Exchange> exchange) const;

 private:
  [[nodiscard]] RouteHandler* Search(std::string_view target) const;

  const std::vector<RouteHandler*> handlers_;
  const Authenticator& authenticator_;
};

}  // namespace taula::server
