// What every request passes before an operation sees it: DynamoDB's rules on
// methods, media types, targets and credentials, in Amazon's order.
#pragma once

#include <optional>
#include <string>

#include "server/authenticator.h"
#include "server/exchange.h"
#include "server/handler.h"

namespace taula::server {

// Used by all threads.
class Gate {
 public:
  Gate(const std::string& region, const Authenticator& authenticator, const Handler& handler);

  // The operation to run; nothing when the exchange has been answered here.
  [[nodiscard]] std::optional<Request> Admit(Exchange& exchange) const;

 private:
  void AnswerPreflight(Exchange& exchange) const;
  [[nodiscard]] std::optional<Error> FindFault(const Exchange& exchange, Request& request) const;

  std::string health_;
  const Authenticator& authenticator_;
  const Handler& handler_;
};

}  // namespace taula::server
