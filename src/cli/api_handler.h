// Hands the server's requests to the operations of the API.
#pragma once

#include <string_view>
#include <utility>

#include "api/operations.h"
#include "server/handler.h"

namespace taula::cli {

class ApiHandler final : public server::Handler {
 public:
  explicit ApiHandler(api::Service& service) : service_(service) {}

  [[nodiscard]] bool Serves(std::string_view service, std::string_view operation) const override {
    return service == "DynamoDB_20120810" && api::FindOperation(operation) != nullptr;
  }

  void Handle(const server::Request& request, server::Responder responder) override {
    service_.Handle(request.operation, request.body,
                    [responder = std::move(responder)](Result<std::string> answer) mutable {
                      if (answer) {
                        responder.Ok(std::move(*answer));
                      } else {
                        responder.Fail(answer.error());
                      }
                    });
  }

 private:
  api::Service& service_;
};

}  // namespace taula::cli
