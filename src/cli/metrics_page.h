// GET /metrics: all that is counted, for Prometheus (docs/metrics.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cli/blocking_worker.h"
#include "engine/engine.h"
#include "server/route.h"
#include "server/server.h"

namespace taula::cli {

class MetricsPage final : public server::RouteHandler {
 public:
  // Both must live as long as the page.
  MetricsPage(engine::Engine& engine, BlockingWorker& worker) : engine_(engine), worker_(worker) {}

  // Whose connections it tells of, from now on.
  void TellOf(const server::Server* server) { server_.store(server); }

  [[nodiscard]] std::string_view prefix() const override { return "/metrics"; }
  [[nodiscard]] std::size_t body_bytes_max() const override { return 0; }
  void Handle(const server::RouteRequest& request, server::RouteResponder responder) override;

 private:
  [[nodiscard]] std::string Text() const;

  engine::Engine& engine_;
  BlockingWorker& worker_;
  std::atomic<const server::Server*> server_ = nullptr;
  const std::int64_t started_ms_ = base::Clock::System().NowMs();
};

}  // namespace taula::cli
