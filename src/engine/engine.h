// The database: items and tables on a store. Requests have been validated by
// the time they come here; what only the stored item can tell (a condition
// that fails, an update that does not fit it) is decided here.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/function_ref.h"
#include "catalog/catalog.h"
#include "engine/backups.h"
#include "engine/exports.h"
#include "engine/imports.h"
#include "engine/key_counts.h"
#include "engine/lagging_reads.h"
#include "engine/page.h"
#include "engine/repeated_work.h"
#include "engine/stored_view.h"
#include "engine/streams.h"
#include "engine/tables.h"
#include "engine/throttle.h"
#include "engine/transaction.h"
#include "engine/write.h"
#include "metrics/metric_log.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::engine {

struct EngineOptions {
  std::string region = "us-east-1";
  std::string account = "123456789012";
  const base::Clock* clock = &base::Clock::System();  // must outlive the engine
  // How often expired items are looked for; zero: never.
  std::chrono::milliseconds expiry_interval{1000};
  // Whether requests are held to the capacity of their tables (throttle.h).
  bool throttle = false;
  // The folder whose folders are the buckets of exports and imports; empty: there
  // are none.
  std::string buckets;
};

// What a read asks for, which decides what it is charged: all reads see what was
// acknowledged before.
enum class Consistency : std::uint8_t { kEventual, kStrong };

class Engine {
 public:
  // Opens the database that `store` keeps, or makes a new one, and takes up
  // work that was under way when it was closed (filling an index, erasing a
  // table).
  [[nodiscard]] static Result<std::unique_ptr<Engine>> Open(std::unique_ptr<storage::Store> store,
                                                            EngineOptions options);
  // Waits for background work to reach a point where it can be taken up again.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The current version of a table, nothing when there is none. Hold it for as
  // long as the request runs.
  [[nodiscard]] catalog::TablePtr FindTable(std::string_view name) const { return catalog_->Find(name); }

  // For what is kept with tables and streams and has no part in reads and writes.
  [[nodiscard]] catalog::Catalog& catalog() { return *catalog_; }

  // Creating, changing, describing and removing tables.
  [[nodiscard]] Tables& tables() { return *tables_; }

  // Bringing back what was.
  [[nodiscard]] Backups& backups() { return *backups_; }

  // Writing tables to files, and making tables of files.
  [[nodiscard]] Exports& exports() { return *exports_; }
  [[nodiscard]] Imports& imports() { return *imports_; }
  // Goes on with exports and imports that were under way when the database was
  // closed. To be called once, after PutRulesOn.
  void TakeUpTransfers();

  // Reading what has changed.
  [[nodiscard]] Streams& streams() { return *streams_; }

  // The keys that are asked for most, of tables whose insights are on.
  [[nodiscard]] const KeyCounts& key_counts() const { return key_counts_; }

  // What has been counted, and where to count it.
  [[nodiscard]] metrics::MetricLog& metrics() { return metrics_; }

  // Keeps rules on every write to the table of this name, now and whenever it is
  // made; see claim_filling.h. Without rules: no longer.
  [[nodiscard]] Result<void> PutRulesOn(std::string_view table, std::shared_ptr<const catalog::ItemRules> rules);

  // To be called once, after PutRulesOn and before the first write: tables that
  // were under rules and have none now are no longer known to be in order.
  [[nodiscard]] Result<void> GiveUpUnkeptClaims();

  // A database of its own that begins with all that is in this one, the rules on
  // its tables included; from then on neither sees what the other does. Cheap,
  // and gone for good when it is closed. What fills or restores a table goes on in
  // both; an export that is under way is this one's alone.
  [[nodiscard]] Result<std::unique_ptr<Engine>> Fork() const;

  // Texts that are kept with the database under a name; see catalog.h.
  [[nodiscard]] Result<std::optional<std::string>> SavedText(std::string_view name) const {
    return catalog_->SavedText(name);
  }
  [[nodiscard]] Result<void> SaveText(std::string_view name, std::string_view text) {
    return catalog_->SaveText(name, text);
  }

  // Shows the item with this key to `found`, or does not call it when there is
  // none. The view is valid during the call.
  [[nodiscard]] Result<void> Get(const catalog::Table& table, const Item& key, Consistency consistency,
                                 base::FunctionRef<void(const StoredItem&)> found);

  // The same for several keys, all from one state of the database, at the price
  // of a transaction.
  [[nodiscard]] Result<void> GetTogether(std::span<const KeyInTable> keys,
                                         base::FunctionRef<void(std::size_t index, const StoredItem&)> found);

  // One page of a query or a scan; see page.h.
  [[nodiscard]] Result<PageEnd> ReadPage(const PageRequest& request, base::FunctionRef<void(ValueView item)> sink);

  // Writes one item. `done` is called once, from any thread, and must not
  // block; what the action's expressions refer to must live until then.
  void Write(WriteAction action, WriteDone done);

  // Writes several items, all or nothing; see transaction.h.
  void Transact(Transaction transaction, TransactionDone done);

  // Lets reads lag behind, or no longer (lagging_reads.h).
  void SetLag(const std::optional<Lag>& lag);

  // Removes items whose time to live has ended, as happens by itself every
  // `expiry_interval`; returns how many.
  std::size_t SweepExpired(const std::stop_token& stop = {});

  [[nodiscard]] const EngineOptions& options() const { return options_; }
  [[nodiscard]] storage::Store& store() { return *store_; }

 private:
  Engine(std::unique_ptr<storage::Store> store, EngineOptions options);
  void StartRepeatedWork();
  void TellProvisioned();
  [[nodiscard]] Result<void> MayRead(const catalog::Table& table, std::string_view store_key);
  void CountRead(const catalog::Table& table, std::string_view store_key, double units);
  // What to read a table or an index from; nothing for the present.
  [[nodiscard]] std::shared_ptr<const storage::Reader> LaggingState(const catalog::Index* index,
                                                                    Consistency consistency);

  EngineOptions options_;
  // What writes look at and count in, which the end of the store may still do.
  std::unique_ptr<catalog::Catalog> catalog_;
  metrics::MetricLog metrics_;
  KeyCounts key_counts_;
  std::unique_ptr<Throttle> throttle_;  // nothing when nobody is throttled
  std::unique_ptr<storage::Store> store_;
  std::atomic<bool> lags_ = false;
  std::mutex lag_mutex_;
  std::shared_ptr<LaggingReads> lag_;  // under the mutex
  std::unique_ptr<Tables> tables_;
  std::unique_ptr<Streams> streams_;
  std::unique_ptr<Backups> backups_;
  std::unique_ptr<Exports> exports_;
  std::unique_ptr<Imports> imports_;
  // The last to come and the first to go.
  std::optional<RepeatedWork> housekeeping_;
  std::optional<RepeatedWork> expiry_;
  std::optional<RepeatedWork> counting_;
};

}  // namespace taula::engine
