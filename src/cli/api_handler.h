// Hands the server's requests to the operations of the API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/operations.h"
#include "cli/blocking_worker.h"
#include "cli/explainer.h"
#include "server/handler.h"

namespace taula::cli {

class ApiHandler final : public server::Handler {
 public:
  explicit ApiHandler(api::Service& service, std::vector<design::ServedDesign> designs = {})
      : service_(service), explainer_(std::move(designs)), worker_(kWaitingMax) {}

  [[nodiscard]] std::optional<std::uint16_t> Find(std::string_view service, std::string_view operation) const override {
    return api::FindOperation(service, operation).transform(std::to_underlying<api::OperationNumber>);
  }

  void Handle(const server::Request& request, server::Responder responder) override {
    if (!api::WaitsForDisk(NumberOf(request))) {
      Run(request, std::move(responder));
      return;
    }
    const auto kept = std::make_shared<server::Responder>(std::move(responder));
    if (!worker_.Do([this, request, kept] { Run(request, std::move(*kept)); })) {
      kept->Fail({ErrorCode::kThrottlingException, "Too many changes of tables are waiting", {}, {}});
    }
  }

  // Answers the requests that wait, and takes no more that would. To be called
  // before what the service works with goes.
  void Finish() { worker_.Finish(); }

 private:
  static constexpr std::size_t kWaitingMax = 1024;

  static api::OperationNumber NumberOf(const server::Request& request) {
    return static_cast<api::OperationNumber>(request.number);
  }

  void Run(const server::Request& request, server::Responder responder) {
    if (request.explain) [[unlikely]] {
      explainer_.Run(service_, request, std::move(responder));
      return;
    }
    service_.Handle(NumberOf(request), request.body,
                    [responder = std::move(responder)](Result<std::string> answer) mutable {
                      if (answer) {
                        responder.Ok(std::move(*answer));
                      } else {
                        responder.Fail(answer.error());
                      }
                    });
  }

  api::Service& service_;
  const Explainer explainer_;
  BlockingWorker worker_;
};

}  // namespace taula::cli
