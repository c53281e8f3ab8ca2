#include "cli/served_database.h"

#include <utility>

namespace taula::cli {
namespace {

// Operations of designs wait for their answers, and some hash passwords.
constexpr std::size_t kDesignThreads = 8;
constexpr std::size_t kMetricRequestsMax = 256;

std::vector<design::ServedDesign> ForExplaining(const ServedDesigns& designs) {
  std::vector<design::ServedDesign> served;
  for (const design::Design* const each : designs.all()) served.push_back({each, designs.stage()});
  return served;
}

}  // namespace

ServedDatabase::ServedDatabase(std::unique_ptr<engine::Engine> engine, const ServedDesigns& designs)
    : engine_(std::move(engine)),
      service_(*engine_),
      backend_(service_, true),
      api_handler_(service_, ForExplaining(designs)),
      cloudwatch_({.log = engine_->metrics(),
                   .clock = *engine_->options().clock,
                   .catalog = engine_->catalog(),
                   .keys = engine_->key_counts()}),
      metrics_worker_(kMetricRequestsMax),
      cloudwatch_handler_(cloudwatch_, metrics_worker_),
      metrics_page_(*engine_, metrics_worker_),
      fault_routes_(service_) {
  if (!designs.all().empty()) design_routes_.emplace(designs.all(), designs.stage(), backend_, kDesignThreads);
}

ServedDatabase::~ServedDatabase() { Stop(std::chrono::milliseconds(0)); }

std::expected<void, server::ListenError> ServedDatabase::Listen(const server::ServerOptions& options,
                                                                std::vector<server::RouteHandler*> others) {
  std::vector<server::RouteHandler*> routes = std::move(others);
  routes.insert(routes.end(), {&fault_routes_, &metrics_page_});
  if (design_routes_) routes.push_back(&*design_routes_);
  auto server = server::Server::Start(options, api_handler_, std::move(routes), {&cloudwatch_handler_});
  if (!server) return std::unexpected(server.error());
  server_ = *std::move(server);
  metrics_page_.TellOf(server_.get());
  return {};
}

void ServedDatabase::Stop(std::chrono::milliseconds patience) {
  if (server_ != nullptr) server_->Stop(patience);
  service_.Finish();
  api_handler_.Finish();
  metrics_worker_.Finish();
  if (design_routes_) design_routes_->Finish();
  engine_.reset();
}

}  // namespace taula::cli
