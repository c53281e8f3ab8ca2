// What every request passes before an operation sees it: DynamoDB's rules on
// methods, media types, targets and credentials, in Amazon's order.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/authenticator.h"
#include "server/exchange.h"
#include "server/handler.h"
#include "server/service.h"

namespace taula::server {

// Used by all threads.
class Gate {
 public:
  Gate(const std::string& region, const Authenticator& authenticator, const Handler& handler,
       std::vector<ServiceHandler*> services = {});

  // The operation to run; nothing when the exchange has been answered here, or
  // is for the service that it then names.
  [[nodiscard]] std::optional<Request> Admit(Exchange& exchange) const;

  // Gives an exchange to the service that Admit found.
  static void HandOver(std::unique_ptr<Exchange> exchange);

 private:
  void AnswerPreflight(Exchange& exchange) const;
  [[nodiscard]] std::optional<Error> FindFault(const Exchange& exchange, Request& request) const;
  [[nodiscard]] bool IsForService(Exchange& exchange) const;

  std::string health_;
  const Authenticator& authenticator_;
  const Handler& handler_;
  std::vector<ServiceHandler*> services_;
};

}  // namespace taula::server
