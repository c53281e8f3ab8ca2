#include "engine/engine.h"

#include <utility>

#include "base/log.h"
#include "codec/stored_item.h"
#include "engine/claim_filling.h"
#include "engine/expiry_sweep.h"
#include "engine/idempotency.h"
#include "engine/index_entries.h"
#include "engine/key_watch.h"
#include "engine/units.h"

namespace taula::engine {
namespace {

constexpr std::chrono::seconds kHousekeepingInterval{60};
constexpr std::chrono::seconds kCountingInterval{1};
constexpr std::int64_t kSavingIntervalMs = 10'000;  // a part of a minute

Result<void> ToResult(storage::Status status) {
  if (status == storage::Status::kOk) return {};
  return Fail(ErrorCode::kInternalServerError, "The store could not be read; the server's log says why.");
}

Result<void> GetFrom(const storage::Reader& reader, std::string_view store_key,
                     base::FunctionRef<void(const StoredItem&)> found) {
  return ToResult(reader.Get(store_key, [found](std::string_view stored) {
    found({.item = codec::StoredItemValue(stored), .size = codec::StoredItemSize(stored)});
  }));
}

// A key of the one partition that the page is read from; empty when there are
// more.
std::string_view PartitionRead(const PageRequest& request) {
  const std::string_view begin(request.range.begin);
  const std::string_view end(request.range.end);
  const bool same = begin.size() > codec::kPartitionPrefixBytes && begin[0] == codec::kDataKind &&
                    begin.substr(0, codec::kPartitionPrefixBytes) == end.substr(0, codec::kPartitionPrefixBytes);
  return same ? begin : std::string_view();
}

}  // namespace

Engine::Engine(std::unique_ptr<storage::Store> store, EngineOptions options)
    : options_(std::move(options)), metrics_(*store, *options_.clock), store_(std::move(store)) {}

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
  if (engine->options_.throttle) {
    engine->throttle_ = std::make_unique<Throttle>(*engine->options_.clock, engine->metrics_.traffic(),
                                                   engine->options_.region, engine->options_.account);
  }
  engine->exports_ = std::make_unique<Exports>(*engine->store_, *engine->catalog_, *engine->tables_, *engine->backups_,
                                               *engine->options_.clock, engine->options_.buckets);
  engine->imports_ = std::make_unique<Imports>(*engine->store_, *engine->catalog_, *engine->tables_,
                                               *engine->options_.clock, engine->options_.buckets);
  engine->StartRepeatedWork();
  return engine;
}

void Engine::StartRepeatedWork() {
  housekeeping_.emplace(kHousekeepingInterval, [this](const std::stop_token&) {
    ForgetExpiredTokens(*store_, options_.clock->NowMs());
    streams_->Keep();
    backups_->Keep();
    key_counts_.Forget(options_.clock->NowMs());
    metrics_.Trim();
    exports_->Keep();
    imports_->Keep();
  });
  // Looked at every second, so that no minute gets more than a second of the next.
  counting_.emplace(kCountingInterval, [this, saved_ms = options_.clock->NowMs()](const std::stop_token&) mutable {
    const std::int64_t now_ms = options_.clock->NowMs();
    if (now_ms / kSavingIntervalMs == saved_ms / kSavingIntervalMs) return;
    saved_ms = now_ms;
    metrics_.Save();
    TellProvisioned();
  });
  if (options_.expiry_interval.count() == 0) return;
  expiry_.emplace(options_.expiry_interval, [this](const std::stop_token& stop) { SweepExpired(stop); });
}

void Engine::TellProvisioned() {
  using metrics::Metric;
  std::map<metrics::Series, double> gauges;
  const auto tell = [&](const catalog::Table& table, const std::string& index,
                        const ProvisionedThroughputDescription& throughput) {
    gauges[{.metric = Metric::kProvisionedReadCapacityUnits, .table = table.name, .index = index}] =
        static_cast<double>(throughput.read_units);
    gauges[{.metric = Metric::kProvisionedWriteCapacityUnits, .table = table.name, .index = index}] =
        static_cast<double>(throughput.write_units);
  };
  for (const catalog::TablePtr& table : catalog_->All()) {
    if (table->billing_mode != BillingMode::kProvisioned) continue;
    tell(*table, "", table->provisioned_throughput);
    for (const catalog::Index& index : table->indexes) {
      if (index.global) tell(*table, index.name, index.provisioned_throughput);
    }
  }
  metrics_.Gauges(gauges);
}

void Engine::TakeUpTransfers() {
  exports_->TakeUp();
  imports_->TakeUp();
}

Result<std::unique_ptr<Engine>> Engine::Fork() const {
  std::unique_ptr<storage::Store> store = store_->Fork();
  if (store == nullptr) {
    return Fail(ErrorCode::kInternalServerError, "The database cannot be forked; the server's log says why.");
  }
  Result<std::unique_ptr<Engine>> fork = Open(std::move(store), options_);
  if (!fork) return fork;
  (*fork)->catalog_->SetRulesOf(*catalog_);
  (*fork)->exports_->ForgetUnderWay();
  (*fork)->imports_->TakeUp();
  return fork;
}

std::size_t Engine::SweepExpired(const std::stop_token& stop) {
  return engine::SweepExpired(*store_, *catalog_, *options_.clock, metrics_.traffic(), stop);
}

Result<void> Engine::Get(const catalog::Table& table, const Item& key, Consistency consistency,
                         base::FunctionRef<void(const StoredItem&)> found) {
  const std::string store_key = ItemStoreKey(table, key.view());
  if (throttle_ != nullptr) [[unlikely]] {
    if (Result<void> may = MayRead(table, store_key); !may) return may;
  }
  const std::shared_ptr<const storage::Reader> state = LaggingState(nullptr, consistency);
  std::size_t bytes = 0;
  Result<void> got = GetFrom(state != nullptr ? *state : *store_, store_key, [&](const StoredItem& item) {
    bytes = item.size;
    found(item);
  });
  if (got) CountRead(table, store_key, ReadUnits(bytes, consistency == Consistency::kStrong));
  return got;
}

Result<void> Engine::MayRead(const catalog::Table& table, std::string_view store_key) {
  if (throttle_ == nullptr) return {};
  std::optional<Error> refused = throttle_->RefuseRead(table, nullptr, store_key);
  if (!refused) return {};
  CountThrottledItem(key_counts_, table, store_key, options_.clock->NowMs());
  return std::unexpected(*std::move(refused));
}

void Engine::CountRead(const catalog::Table& table, std::string_view store_key, double units) {
  metrics_.traffic().CountRead(table, units);
  if (table.contributor_insights) [[unlikely]] {
    CountItemRead(key_counts_, table, store_key, units, options_.clock->NowMs());
  }
  if (throttle_ == nullptr) [[likely]]
    return;
  ConsumedCapacity capacity;
  capacity.table.read_units = units;
  throttle_->ChargeRead(table, nullptr, store_key, capacity);
}

void Engine::SetLag(const std::optional<Lag>& lag) {
  std::shared_ptr<LaggingReads> next = lag ? std::make_shared<LaggingReads>(*store_, *lag) : nullptr;
  const std::lock_guard lock(lag_mutex_);
  lag_.swap(next);
  lags_ = lag_ != nullptr;
}

std::shared_ptr<const storage::Reader> Engine::LaggingState(const catalog::Index* index, Consistency consistency) {
  if (!lags_.load(std::memory_order_relaxed)) [[likely]]
    return nullptr;
  std::shared_ptr<LaggingReads> lag;
  {
    const std::lock_guard lock(lag_mutex_);
    lag = lag_;
  }
  if (lag == nullptr) return nullptr;
  if (index != nullptr && index->global) return lag->ForIndex();
  return consistency == Consistency::kEventual ? lag->ForTable() : nullptr;
}

Result<void> Engine::GetTogether(std::span<const KeyInTable> keys,
                                 base::FunctionRef<void(std::size_t index, const StoredItem&)> found) {
  const std::unique_ptr<storage::Reader> snapshot = store_->Snapshot();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string store_key = ItemStoreKey(*keys[i].table, keys[i].key->view());
    if (Result<void> may = MayRead(*keys[i].table, store_key); !may) return may;
    std::size_t bytes = 0;
    Result<void> got = GetFrom(*snapshot, store_key, [&](const StoredItem& item) {
      bytes = item.size;
      found(i, item);
    });
    if (!got) return got;
    CountRead(*keys[i].table, store_key, kTransactionFactor * ReadUnits(bytes, true));
  }
  return {};
}

Result<PageEnd> Engine::ReadPage(const PageRequest& request, base::FunctionRef<void(ValueView item)> sink) {
  const std::string_view partition = PartitionRead(request);
  const auto count = [&](KeyEvent event, double units) {
    if (partition.empty() || !WatchesKeys(*request.table)) [[likely]]
      return;
    CountQuery(key_counts_, *request.table, request.index, event, partition, units, options_.clock->NowMs());
  };
  if (throttle_ != nullptr) [[unlikely]] {
    if (std::optional<Error> refused = throttle_->RefuseRead(*request.table, request.index, partition)) {
      count(KeyEvent::kThrottled, 1);
      return std::unexpected(*std::move(refused));
    }
  }
  const std::shared_ptr<const storage::Reader> state =
      LaggingState(request.index, request.consistent_read ? Consistency::kStrong : Consistency::kEventual);
  Result<PageEnd> end = engine::ReadPage(*store_, state.get(), request, sink);
  if (!end) return end;
  metrics_.traffic().Count(*request.table, end->capacity);
  count(KeyEvent::kAccessed, end->capacity.total().read_units);
  if (throttle_ != nullptr) throttle_->ChargeRead(*request.table, request.index, partition, end->capacity);
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
  WriteItem(*store_, *options_.clock, std::move(action), std::move(done),
            {.traffic = &metrics_.traffic(), .throttle = throttle_.get(), .keys = &key_counts_});
}

void Engine::Transact(Transaction transaction, TransactionDone done) {
  WriteTransaction(*store_, std::move(transaction), options_.clock->NowMs(), std::move(done),
                   {.traffic = &metrics_.traffic(), .throttle = throttle_.get(), .keys = &key_counts_});
}

}  // namespace taula::engine
