// Forks over HTTP (docs/fork.md), of the database at whose port this is asked:
//
//   POST   /forks        makes one: {"name": "…", "idleSeconds": 600}, or nothing at all
//   GET    /forks        which there are, of all databases of the server
//   GET    /forks/NAME   one of them
//   DELETE /forks/NAME   ends it
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "server/route.h"

namespace taula::cli {

class Forks;

class ForkRoutes final : public server::RouteHandler {
 public:
  // `origin` is the name of the fork that has these routes; empty: the server's
  // own database does. The forks must live longer.
  ForkRoutes(Forks& forks, std::string origin) : forks_(forks), origin_(std::move(origin)) {}

  [[nodiscard]] std::string_view prefix() const override { return "/forks"; }
  [[nodiscard]] std::size_t body_bytes_max() const override { return std::size_t{4} << 10; }
  void Handle(const server::RouteRequest& request, server::RouteResponder responder) override;

 private:
  void Make(const server::RouteRequest& request, server::RouteResponder responder);
  void Delete(const std::string& name, const server::RouteRequest& request, server::RouteResponder responder);

  Forks& forks_;
  const std::string origin_;
};

}  // namespace taula::cli
