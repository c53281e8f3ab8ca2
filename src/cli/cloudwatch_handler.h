// Hands CloudWatch's requests to its service, on a thread where they may take
// their time.
#pragma once

#include <memory>
#include <utility>

#include "cli/blocking_worker.h"
#include "cloudwatch/service.h"
#include "server/service.h"

namespace taula::cli {

class CloudWatchHandler final : public server::ServiceHandler {
 public:
  // Both must live as long as the handler.
  CloudWatchHandler(const cloudwatch::Service& service, BlockingWorker& worker) : service_(service), worker_(worker) {}

  [[nodiscard]] bool Wants(const server::ServiceRequest& request) const override {
    return cloudwatch::Service::Wants(From(request));
  }

  [[nodiscard]] server::RouteResponse Refuse(const server::ServiceRequest& request, const Error& error) const override {
    return To(cloudwatch::Service::Refuse(From(request), error));
  }

  void Handle(const server::ServiceRequest& request, server::RouteResponder responder) override {
    const auto kept = std::make_shared<server::RouteResponder>(std::move(responder));
    const auto work = [this, request, kept] { kept->Send(To(service_.Answer(From(request)))); };
    if (!worker_.Do(work)) {
      kept->Send(Refuse(request, {ErrorCode::kThrottlingException, "Rate exceeded", std::nullopt, {}}));
    }
  }

 private:
  static cloudwatch::HttpRequest From(const server::ServiceRequest& request) {
    return {request.target, request.path, request.media_type, request.body};
  }
  static server::RouteResponse To(cloudwatch::HttpAnswer answer) {
    return {.status = answer.status,
            .content_type = std::move(answer.content_type),
            .body = std::move(answer.body),
            .fields = std::move(answer.fields)};
  }

  const cloudwatch::Service& service_;
  BlockingWorker& worker_;
};

}  // namespace taula::cli
