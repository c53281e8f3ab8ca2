// Creating, changing, describing and removing tables, and the work this leaves
// for the background: filling a new index, erasing what was dropped.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "engine/table_rules.h"
#include "storage/store.h"
#include "taula/error.h"
#include "taula/table.h"
#include "taula/table_requests.h"

namespace taula::engine {

class TableBackground;

class Tables {
 public:
  // `region` and `account` go into ARNs. Takes up background work that was
  // under way when the database was last open. `clock` must outlive the tables.
  Tables(storage::Store& store, catalog::Catalog& catalog, std::string region, std::string account,
         const base::Clock& clock = base::Clock::System());
  ~Tables();
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  // Requests are checked by what they are and by what exists. What Create,
  // Update and Delete return shows the state of transition (CREATING, UPDATING,
  // DELETING) as Amazon's answers do; the change itself has been made by then,
  // but for a new index, which is filled in the background.
  [[nodiscard]] Result<TableDescription> Create(const CreateTableRequest& request,
                                                const CreateTableFaults& faults = {});
  // The table that a request asks for, with spaces of its own, which is not made
  // yet. The request has been checked by what it is (table_rules.h).
  [[nodiscard]] Result<catalog::Table> Plan(const CreateTableRequest& request);
  [[nodiscard]] Result<TableDescription> Update(const UpdateTableRequest& request,
                                                const UpdateTableFaults& faults = {});
  [[nodiscard]] Result<TableDescription> Delete(std::string_view name);
  [[nodiscard]] Result<TableDescription> Describe(std::string_view name) const;
  [[nodiscard]] TableDescription Describe(const catalog::Table& table) const;
  [[nodiscard]] ListTablesResponse List(const ListTablesRequest& request) const;

  // Adds a table that is to be filled from a backup or from another one's past
  // (backups.h), and begins with it.
  [[nodiscard]] Result<TableDescription> BeginRestore(catalog::Table table);
  // Turns point-in-time recovery on or off, or changes for how many days.
  [[nodiscard]] Result<void> SetRecovery(std::string_view name, bool enabled, std::optional<std::int64_t> days);

  [[nodiscard]] Result<TimeToLiveSpecification> UpdateTimeToLive(std::string_view name,
                                                                 const TimeToLiveSpecification& specification);
  [[nodiscard]] Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view name) const;

  [[nodiscard]] Result<void> Tag(std::string_view name, const std::vector<taula::Tag>& tags);
  [[nodiscard]] Result<void> Untag(std::string_view name, const std::vector<std::string>& keys);
  [[nodiscard]] Result<std::vector<taula::Tag>> Tags(std::string_view name) const;

  // Turns on the range-queries extension: from then on the table's ordered views
  // are kept (ordered_views.h), and Query answers what needs them. Returns when
  // they are complete and all of it is durable; at once when it is on already.
  // The caller holds no version of the table.
  [[nodiscard]] Result<void> EnableRangeQueries(std::string_view name);

  [[nodiscard]] std::string Arn(std::string_view table_name) const;
  // The name of a table of this account and region by its ARN; nothing when it
  // is not one.
  [[nodiscard]] std::optional<std::string> NameFromArn(std::string_view arn) const;
  [[nodiscard]] const std::string& region() const { return region_; }
  [[nodiscard]] const std::string& account() const { return account_; }

  // To be called once, before the first write: databases of a version that knew
  // streams by name only get logs for them.
  [[nodiscard]] Result<void> GiveStreamsTheirSpaces();

  // Waits until no background work is left: for tests and for a clean close.
  void WaitForBackgroundWork();

 private:
  storage::Store& store_;
  catalog::Catalog& catalog_;
  std::string region_;
  std::string account_;
  const base::Clock& clock_;
  std::unique_ptr<TableBackground> background_;
};

}  // namespace taula::engine
