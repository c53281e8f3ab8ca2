// A server somewhere else, Amazon's or any that speaks DynamoDB's API, as what
// runs a design's operations.
#pragma once

#include <string>
#include <string_view>

#include "client/client.h"
#include "design/run.h"

namespace taula::design {

class RemoteBackend final : public Backend {
 public:
  // The client outlives it. `keeps_designs` is for a Taula that serves the
  // design itself.
  explicit RemoteBackend(client::Client& client, bool keeps_designs = false)
      : client_(client), keeps_designs_(keeps_designs) {}

  [[nodiscard]] Result<std::string> Call(std::string_view operation, const std::string& body) override {
    return client_.Call(operation, body);
  }
  [[nodiscard]] bool keeps_designs() const override { return keeps_designs_; }

 private:
  client::Client& client_;
  const bool keeps_designs_;
};

}  // namespace taula::design
