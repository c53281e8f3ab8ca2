// Who sends a request, and whether to believe it.
#pragma once

#include <optional>
#include <string_view>

#include "server/request_head.h"
#include "taula/error.h"

namespace taula::server {

// Called on every connection's thread at once.
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // The error to answer with, or nothing when the request may pass.
  [[nodiscard]] virtual std::optional<Error> Check(const RequestHead& head, std::string_view body) const = 0;
  // Whether it tells who is who. Where it does not, only DynamoDB's operations
  // need credentials, because its clients expect that.
  [[nodiscard]] virtual bool verifies() const = 0;
};

// Accepts any credentials, but wants them in the form that Amazon wants.
class AnyCredentials final : public Authenticator {
 public:
  [[nodiscard]] std::optional<Error> Check(const RequestHead& head, std::string_view body) const override;
  [[nodiscard]] bool verifies() const override { return false; }
};

}  // namespace taula::server
