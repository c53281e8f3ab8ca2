// A database that is served: an engine, and all that answers for it on a port of
// its own. A process may have several (forks.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <vector>

#include "api/operations.h"
#include "cli/api_handler.h"
#include "cli/blocking_worker.h"
#include "cli/cloudwatch_handler.h"
#include "cli/design_routes.h"
#include "cli/fault_routes.h"
#include "cli/metrics_page.h"
#include "cli/served_designs.h"
#include "cloudwatch/service.h"
#include "design/local_backend.h"
#include "engine/engine.h"
#include "server/server.h"

namespace taula::cli {

class ServedDatabase {
 public:
  // The designs, which the engine keeps by the time that it listens, must live
  // longer.
  ServedDatabase(std::unique_ptr<engine::Engine> engine, const ServedDesigns& designs);
  // Stops without waiting for requests in flight.
  ~ServedDatabase();
  ServedDatabase(const ServedDatabase&) = delete;
  ServedDatabase& operator=(const ServedDatabase&) = delete;

  [[nodiscard]] engine::Engine& engine() { return *engine_; }
  [[nodiscard]] api::Service& service() { return service_; }
  [[nodiscard]] design::Backend& backend() { return backend_; }

  // Answers from now on, also on paths of others, which must live longer.
  [[nodiscard]] std::expected<void, server::ListenError> Listen(const server::ServerOptions& options,
                                                                std::vector<server::RouteHandler*> others = {});
  // Once it listens.
  [[nodiscard]] server::Server& server() { return *server_; }

  // Takes no new connections, lets requests in flight be answered for at most
  // `patience`, and closes the database.
  void Stop(std::chrono::milliseconds patience);

 private:
  std::unique_ptr<engine::Engine> engine_;
  api::Service service_;
  design::LocalBackend backend_;
  ApiHandler api_handler_;
  const cloudwatch::Service cloudwatch_;
  BlockingWorker metrics_worker_;
  CloudWatchHandler cloudwatch_handler_;
  MetricsPage metrics_page_;
  FaultRoutes fault_routes_;
  std::optional<DesignRoutes> design_routes_;  // where there are designs
  std::unique_ptr<server::Server> server_;
};

}  // namespace taula::cli
