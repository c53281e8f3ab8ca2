#include "cli/metrics_page.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/table.h"
#include "engine/statistics.h"
#include "metrics/exposition.h"
#include "taula/requests.h"

namespace taula::cli {
namespace {

using metrics::Exposition;
using Type = Exposition::Type;

void ExposeOne(Exposition& out, std::string_view name, Type type, std::string_view help, double value) {
  out.Begin(name, type, help);
  out.Sample({}, value);
}

double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double all_pages = 0;
  double resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double ProcessorSeconds() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  const auto seconds = [](const timeval& time) {
    constexpr double kMicrosecond = 1e-6;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * kMicrosecond;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// What Prometheus' own libraries tell of every process, by the same names.
void ExposeProcess(Exposition& out, std::int64_t started_ms) {
  constexpr double kSecondMs = 1000;
  const auto started = static_cast<double>(started_ms) / kSecondMs;
  const auto now = static_cast<double>(base::Clock::System().NowMs()) / kSecondMs;
  ExposeOne(out, "process_start_time_seconds", Type::kGauge, "When the server started, in seconds since 1970.",
            started);
  ExposeOne(out, "process_cpu_seconds_total", Type::kCounter, "Processor time that the server took.",
            ProcessorSeconds());
  ExposeOne(out, "process_resident_memory_bytes", Type::kGauge, "Memory that the server has.", ResidentBytes());
  ExposeOne(out, "taula_uptime_seconds", Type::kGauge, "How long the server has been running.", now - started);
}

struct TableSize {
  std::string table;
  std::string index;
  engine::SpaceStatistics size;
};

std::vector<TableSize> TableSizes(engine::Engine& engine) {
  std::vector<TableSize> sizes;
  ListTablesRequest request;
  do {
    const ListTablesResponse page = engine.tables().List(request);
    for (const std::string& name : page.table_names) {
      const catalog::TablePtr table = engine.FindTable(name);
      if (table == nullptr) continue;
      sizes.push_back({name, "", engine::ReadStatistics(engine.store(), table->space)});
      for (const catalog::Index& index : table->indexes) {
        sizes.push_back({name, index.name, engine::ReadStatistics(engine.store(), index.space)});
      }
    }
    request.exclusive_start_table_name = page.last_evaluated_table_name;
  } while (request.exclusive_start_table_name);
  return sizes;
}

void ExposeTables(Exposition& out, engine::Engine& engine) {
  const std::vector<TableSize> sizes = TableSizes(engine);
  const auto expose = [&](std::string_view name, std::string_view help, std::int64_t engine::SpaceStatistics::*which) {
    if (sizes.empty()) return;
    out.Begin(name, Type::kGauge, help);
    for (const TableSize& each : sizes) {
      out.Sample({{"table", each.table}, {"index", each.index}}, static_cast<double>(each.size.*which));
    }
  };
  expose("taula_table_items", "Items in a table or an index.", &engine::SpaceStatistics::items);
  expose("taula_table_bytes", "Their size, as DynamoDB reckons it.", &engine::SpaceStatistics::bytes);
}

}  // namespace

void MetricsPage::Handle(const server::RouteRequest& request, server::RouteResponder responder) {
  if (request.path != prefix()) return responder.Send(server::RouteError(404, "NotFound", "There is only /metrics."));
  if (request.method != server::RequestHead::Verb::get) return responder.Send(server::WrongMethod("GET"));
  const auto kept = std::make_shared<server::RouteResponder>(std::move(responder));
  const auto work = [this, kept] {
    kept->Send({.content_type = std::string(metrics::kExpositionMediaType), .body = Text()});
  };
  if (!worker_.Do(work)) kept->Send(server::RouteError(503, "Busy", "Too many requests for metrics are waiting."));
}

std::string MetricsPage::Text() const {
  Exposition out;
  metrics::Expose(out, engine_.metrics().Totals());
  ExposeTables(out, engine_);
  const storage::Range all{std::string(1, '\0'), std::string(8, '\xff')};
  ExposeOne(out, "taula_store_bytes", Type::kGauge, "What the database takes on the disk, roughly.",
            static_cast<double>(engine_.store().ApproximateBytes(all)));
  if (const server::Server* const server = server_.load()) {
    ExposeOne(out, "taula_open_connections", Type::kGauge, "Connections of clients.",
              static_cast<double>(server->open_connections()));
  }
  ExposeProcess(out, started_ms_);
  return out.Take();
}

}  // namespace taula::cli
