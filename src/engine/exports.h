// Exports of tables to buckets: beginning them, and what became of them.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "catalog/export.h"
#include "engine/backups.h"
#include "engine/table_worker.h"
#include "engine/tables.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::engine {

struct ExportRequest {
  std::string table_name;
  std::string table_id;
  std::optional<std::int64_t> time_ms;  // of a full export; without one, now
  struct Period {
    std::int64_t from_ms = 0;
    std::optional<std::int64_t> to_ms;
    bool old_images = true;
  };
  std::optional<Period> period;  // makes it an incremental one
  std::string bucket;
  std::optional<std::string> bucket_owner;
  std::optional<std::string> prefix;
  std::string encryption = "AES256";
  std::optional<std::string> kms_key;
  std::optional<std::string> client_token;
};

class Exports {
 public:
  // `buckets` is the folder of the buckets; empty when there is none.
  Exports(storage::Store& store, catalog::Catalog& catalog, Tables& tables, const Backups& backups,
          const base::Clock& clock, std::string buckets);

  // Begins an export, which is written in the background; or gives the one that
  // was begun with the same token.
  [[nodiscard]] Result<catalog::ExportPtr> Start(const ExportRequest& request);
  [[nodiscard]] Result<catalog::ExportPtr> Find(std::string_view arn) const;
  // Newest first.
  [[nodiscard]] std::vector<catalog::ExportPtr> List() const;
  [[nodiscard]] std::string Arn(const catalog::Export& job) const;

  // Goes on with those that were under way when the database was closed.
  void TakeUp();
  // Forgets those instead, where another database goes on with them.
  void ForgetUnderWay();
  // Forgets those that ended long ago.
  void Keep();
  void WaitUntilIdle() { worker_.WaitUntilIdle(); }

 private:
  [[nodiscard]] Result<catalog::Export> Plan(const ExportRequest& request) const;
  // Fails when recovery is off.
  [[nodiscard]] Result<RecoveryWindow> WindowOf(std::string_view table_name) const;
  [[nodiscard]] Result<void> CheckTime(const ExportRequest& request, catalog::Export& job) const;
  [[nodiscard]] Result<void> CheckPeriod(const ExportRequest& request, catalog::Export& job) const;
  void Queue(std::string id);
  void Run(const std::string& id, const std::stop_token& stop);

  storage::Store& store_;
  catalog::Catalog& catalog_;
  Tables& tables_;
  const Backups& backups_;
  const base::Clock& clock_;
  const std::string buckets_;
  std::mutex starting_;
  TableWorker worker_;
};

}  // namespace taula::engine
