#include "engine/engine.h"

#include <utility>

#include "base/log.h"
#include "codec/stored_item.h"
#include "engine/claim_filling.h"
#include "engine/expiry_sweep.h"
#include "engine/idempotency.h"
#include "engine/index_entries.h"
#include "engine/units.h"

namespace taula::engine {
namespace {

constexpr std::chrono::seconds kHousekeepingInterval{60};
constexpr std::chrono::seconds kCountingInterval{1};
constexpr std::int64_t kSavingIntervalMs = 10'000;

Result<void> ToResult(storage::Status status) {
  if (status == storage::Status::kOk) return {};
  return Fail(ErrorCode::kInternalServerError, "The store could not be read; the server's log says why.");
}

Result<void> GetFrom(const storage::Reader& reader, const catalog::Table& table, const Item& key,
                     base::FunctionRef<void(const StoredItem&)> found) {
  return ToResult(reader.Get(ItemStoreKey(table, key.view()), [found](std::string_view stored) {
    found({.item = codec::StoredItemValue(stored), .size = codec::StoredItemSize(stored)});
  }));
}

}  // namespace

Engine::Engine(std::unique_ptr<storage::Store> store, EngineOptions options)
    : options_(std::move(options)), store_(std::move(store)), metrics_(*store_, *options_.clock) {}

Engine::~Engine() {
  counting_.reset();
  metrics_.Save();
}

Result<std::unique_ptr<Engine>> Engine::Open(std::unique_ptr<storage::Store> store, EngineOptions options) {
  std::unique_ptr<Engine> engine(new Engine(std::move(store), std::move(options)));
  Result<std::unique_ptr<catalog::Catalog>> catalog = catalog::Catalog::Load(*engine->store_);
  if (!catalog) return std::unexpected(std::move(catalog.error()));
  engine->catalog_ = std::move(*catalog);
  engine->tables_ = std::make_unique<Tables>(*engine->store_, *engine->catalog_, engine->options_.region,
                                             engine->options_.account, *engine->options_.clock);
  if (auto spaces = engine->tables_->GiveStreamsTheirSpaces(); !spaces) return std::unexpected(spaces.error());
  engine->streams_ = std::make_unique<Streams>(*engine->store_, *engine->catalog_, engine->options_.region,
                                               engine->options_.account, *engine->options_.clock);
  engine->backups_ =
      std::make_unique<Backups>(*engine->store_, *engine->catalog_, *engine->tables_, *engine->options_.clock);
  if (auto loaded = engine->metrics_.Load(); !loaded) return std::unexpected(loaded.error());
  engine->StartRepeatedWork();
  return engine;
}

void Engine::StartRepeatedWork() {
  housekeeping_.emplace(kHousekeepingInterval, [this](const std::stop_token&) {
    ForgetExpiredTokens(*store_, options_.clock->NowMs());
    streams_->Keep();
    backups_->Keep();
    TellProvisioned();
    metrics_.Trim();
  });
  counting_.emplace(kCountingInterval, [this, saved_ms = options_.clock->NowMs()](const std::stop_token&) mutable {
    metrics_.Collect();
    const std::int64_t now_ms = options_.clock->NowMs();
    if (now_ms - saved_ms < kSavingIntervalMs) return;
    saved_ms = now_ms;
    metrics_.Save();
  });
  if (options_.expiry_interval.count() == 0) return;
  expiry_.emplace(options_.expiry_interval, [this](const std::stop_token& stop) { SweepExpired(stop); });
}

void Engine::TellProvisioned() {
  using metrics::Metric;
  const auto tell = [&](const catalog::Table& table, const std::string& index,
                        const ProvisionedThroughputDescription& throughput) {
    metrics_.Gauge({.metric = Metric::kProvisionedReadCapacityUnits, .table = table.name, .index = index},
                   static_cast<double>(throughput.read_units));
    metrics_.Gauge({.metric = Metric::kProvisionedWriteCapacityUnits, .table = table.name, .index = index},
                   static_cast<double>(throughput.write_units));
  };
  for (const catalog::TablePtr& table : catalog_->All()) {
    if (table->billing_mode != BillingMode::kProvisioned) continue;
    tell(*table, "", table->provisioned_throughput);
    for (const catalog::Index& index : table->indexes) {
      if (index.global) tell(*table, index.name, index.provisioned_throughput);
    }
  }
}

std::size_t Engine::SweepExpired(const std::stop_token& stop) {
  return engine::SweepExpired(*store_, *catalog_, *options_.clock, metrics_.traffic(), stop);
}

Result<void> Engine::Get(const catalog::Table& table, const Item& key, Consistency consistency,
                         base::FunctionRef<void(const StoredItem&)> found) {
  std::size_t bytes = 0;
  Result<void> got = GetFrom(*store_, table, key, [&](const StoredItem& item) {
    bytes = item.size;
    found(item);
  });
  if (got) metrics_.traffic().CountRead(table, ReadUnits(bytes, consistency == Consistency::kStrong));
  return got;
}

Result<void> Engine::GetTogether(std::span<const KeyInTable> keys,
                                 base::FunctionRef<void(std::size_t index, const StoredItem&)> found) {
  const std::unique_ptr<storage::Reader> snapshot = store_->Snapshot();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t bytes = 0;
    Result<void> got = GetFrom(*snapshot, *keys[i].table, *keys[i].key, [&](const StoredItem& item) {
      bytes = item.size;
      found(i, item);
    });
    if (!got) return got;
    metrics_.traffic().CountRead(*keys[i].table, kTransactionFactor * ReadUnits(bytes, true));
  }
  return {};
}

Result<PageEnd> Engine::ReadPage(const PageRequest& request, base::FunctionRef<void(ValueView item)> sink) {
  Result<PageEnd> end = engine::ReadPage(*store_, request, sink);
  if (end) metrics_.traffic().Count(*request.table, end->capacity);
  return end;
}

Result<void> Engine::PutRulesOn(std::string_view table, std::shared_ptr<const catalog::ItemRules> rules) {
  return engine::PutRulesOn(*store_, *catalog_, table, std::move(rules));
}

Result<void> Engine::GiveUpUnkeptClaims() {
  for (const catalog::TablePtr& table : catalog_->All()) {
    const Result<bool> given_up = GiveUpClaims(*catalog_, *table);
    if (!given_up) return std::unexpected(given_up.error());
    if (*given_up) {
      base::Log(base::LogLevel::kWarning,
                "Table {} had rules for unique values and has not now: nobody sees to it that they stay unique",
                table->name);
    }
  }
  return {};
}

void Engine::Write(WriteAction action, WriteDone done) {
  WriteItem(*store_, *options_.clock, std::move(action), std::move(done), &metrics_.traffic());
}

void Engine::Transact(Transaction transaction, TransactionDone done) {
  WriteTransaction(*store_, std::move(transaction), options_.clock->NowMs(), std::move(done), &metrics_.traffic());
}

}  // namespace taula::engine
