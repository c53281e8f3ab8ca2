#include "engine/engine.h"

#include <utility>

#include "base/log.h"
#include "codec/stored_item.h"
#include "engine/claim_filling.h"
#include "engine/expiry_sweep.h"
#include "engine/idempotency.h"
#include "engine/index_entries.h"

namespace taula::engine {
namespace {

constexpr std::chrono::seconds kHousekeepingInterval{60};

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
    : options_(std::move(options)), store_(std::move(store)) {}

Engine::~Engine() = default;

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
    exports_->Keep();
    imports_->Keep();
  });
  if (options_.expiry_interval.count() == 0) return;
  expiry_.emplace(options_.expiry_interval, [this](const std::stop_token& stop) { SweepExpired(stop); });
}

void Engine::TakeUpTransfers() {
  exports_->TakeUp();
  imports_->TakeUp();
}

std::size_t Engine::SweepExpired(const std::stop_token& stop) {
  return engine::SweepExpired(*store_, *catalog_, *options_.clock, stop);
}

Result<void> Engine::Get(const catalog::Table& table, const Item& key,
                         base::FunctionRef<void(const StoredItem&)> found) const {
  return GetFrom(*store_, table, key, found);
}

Result<void> Engine::GetTogether(std::span<const KeyInTable> keys,
                                 base::FunctionRef<void(std::size_t index, const StoredItem&)> found) const {
  const std::unique_ptr<storage::Reader> snapshot = store_->Snapshot();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Result<void> got =
        GetFrom(*snapshot, *keys[i].table, *keys[i].key, [&](const StoredItem& item) { found(i, item); });
    if (!got) return got;
  }
  return {};
}

Result<PageEnd> Engine::ReadPage(const PageRequest& request, base::FunctionRef<void(ValueView item)> sink) const {
  return engine::ReadPage(*store_, request, sink);
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
  WriteItem(*store_, *options_.clock, std::move(action), std::move(done));
}

void Engine::Transact(Transaction transaction, TransactionDone done) {
  WriteTransaction(*store_, std::move(transaction), options_.clock->NowMs(), std::move(done));
}

}  // namespace taula::engine
