// The faults that a server lets requests meet, over HTTP (docs/faults.md):
//
//   GET    /faults    the profile
//   PUT    /faults    another one, in YAML or JSON
//   DELETE /faults    none
#pragma once

#include <cstddef>
#include <string_view>

#include "api/operations.h"
#include "server/route.h"

namespace taula::cli {

class FaultRoutes final : public server::RouteHandler {
 public:
  // The service must live longer.
  explicit FaultRoutes(api::Service& service) : service_(service) {}

  [[nodiscard]] std::string_view prefix() const override { return "/faults"; }
  [[nodiscard]] std::size_t body_bytes_max() const override { return std::size_t{64} << 10; }
  void Handle(const server::RouteRequest& request, server::RouteResponder responder) override;

 private:
  api::Service& service_;
};

}  // namespace taula::cli
