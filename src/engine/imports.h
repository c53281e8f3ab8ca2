// Imports of files in buckets into new tables: beginning them, and what became of
// them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "catalog/import.h"
#include "engine/import_run.h"
#include "engine/table_rules.h"
#include "engine/table_worker.h"
#include "engine/tables.h"
#include "storage/store.h"
#include "taula/error.h"
#include "taula/table_requests.h"

namespace taula::engine {

struct ImportRequest {
  CreateTableRequest table;
  CreateTableFaults faults;
  std::string parameters;  // the same in JSON, as it is to be shown
  std::string bucket;
  std::optional<std::string> bucket_owner;
  std::optional<std::string> prefix;
  std::string format;
  std::string compression = "NONE";
  std::optional<catalog::CsvOptions> csv;
  std::optional<std::string> client_token;
};

class Imports {
 public:
  // `buckets` is the folder of the buckets; empty when there is none.
  Imports(storage::Store& store, catalog::Catalog& catalog, Tables& tables, const base::Clock& clock,
          std::string buckets);

  // Begins an import, which is carried out in the background; or gives the one
  // that was begun with the same token.
  [[nodiscard]] Result<catalog::ImportPtr> Start(const ImportRequest& request);
  [[nodiscard]] Result<catalog::ImportPtr> Find(std::string_view arn) const;
  // Newest first.
  [[nodiscard]] std::vector<catalog::ImportPtr> List() const;
  [[nodiscard]] std::string Arn(const catalog::Import& job) const;
  // As they are at the moment.
  [[nodiscard]] catalog::ImportCounts Counts(const catalog::Import& job) const;

  // Goes on, from the start of each, with those that were under way when the
  // database was closed. To be called when tables have their rules.
  void TakeUp();
  // Forgets those that ended long ago.
  void Keep();
  void WaitUntilIdle() { worker_.WaitUntilIdle(); }

 private:
  [[nodiscard]] bool IsBeingImported(const catalog::Table& table) const;
  [[nodiscard]] Result<catalog::Import> Plan(const ImportRequest& request);
  void Queue(std::string id);
  void Run(const std::string& id, const std::stop_token& stop);
  std::shared_ptr<ImportProgress> Follow(const std::string& id);
  // Both try until it is written, or they are stopped.
  bool Save(const catalog::Import& job, const std::stop_token& stop);
  bool Publish(const catalog::Import& job, const std::stop_token& stop);
  void Conclude(catalog::Import& job, const std::optional<buckets::Failure>& failure) const;

  storage::Store& store_;
  catalog::Catalog& catalog_;
  Tables& tables_;
  const base::Clock& clock_;
  const std::string buckets_;
  std::mutex starting_;
  mutable std::mutex looking_;  // held to look at or change what follows
  std::map<std::string, std::shared_ptr<ImportProgress>, std::less<>> progress_;  // of those under way, by id
  TableWorker worker_;
};

}  // namespace taula::engine
