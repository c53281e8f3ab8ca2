// The database in this process as the backend of a design's operations.
#pragma once

#include <string>
#include <string_view>

#include "api/operations.h"
#include "design/run.h"

namespace taula::design {

class LocalBackend final : public Backend {
 public:
  // `keeps_designs` says whether the service's tables keep the design that is
  // run. The service must outlive this.
  LocalBackend(api::Service& service, bool keeps_designs) : service_(service), keeps_designs_(keeps_designs) {}

  // Waits for the answer; not to be called on a thread that answers requests.
  [[nodiscard]] Result<std::string> Call(std::string_view operation, const std::string& body) override;
  [[nodiscard]] bool keeps_designs() const override { return keeps_designs_; }

 private:
  api::Service& service_;
  bool keeps_designs_;
};

}  // namespace taula::design
