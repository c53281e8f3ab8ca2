// The tables that exist, kept in the store and in memory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/backup_record.h"
#include "catalog/export_record.h"
#include "catalog/import_record.h"
#include "catalog/stream.h"
#include "catalog/table.h"
#include "codec/key_codec.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::catalog {

// Reads are cheap and never wait for the store. Changes are serialised, are
// durable when they return, and are visible to every Find that starts later.
class Catalog {
 public:
  // Reads all tables from the store.
  [[nodiscard]] static Result<std::unique_ptr<Catalog>> Load(storage::Store& store);

  // Nothing when there is no such table.
  [[nodiscard]] TablePtr Find(std::string_view name) const;

  // Up to `limit` names in order, those behind `after`.
  [[nodiscard]] std::vector<std::string> Names(std::string_view after, std::size_t limit) const;
  [[nodiscard]] std::vector<TablePtr> All() const;

  // The first of `count` numbers in a row that no table or index has had
  // before.
  [[nodiscard]] Result<codec::SpaceId> NewSpaces(std::size_t count);

  // A table that names a stream space makes the stream with it; one that no
  // longer does leaves it behind, without an end (stream.h), which is for the caller to see to.

  // A number of the same kind that counts as dropped from the start: what is
  // under it is erased when the database is opened again, if nobody does before.
  [[nodiscard]] Result<codec::SpaceId> NewScratchSpace();

  // Adds a table; fails with kResourceInUseException when the name is taken.
  [[nodiscard]] Result<TablePtr> Add(Table table);

  // Changes a table: `change` is given the current version to edit and may
  // refuse with an error. Fails with kResourceNotFoundException when there is
  // no such table. Writers that still hold the version before are not waited
  // for; see WaitForReaders. The space of an index that is no longer there
  // becomes a dropped one.
  [[nodiscard]] Result<TablePtr> Change(std::string_view name, const std::function<Result<void>(Table&)>& change);

  // Removes a table and returns its last version. Its spaces become dropped
  // ones.
  [[nodiscard]] Result<TablePtr> Remove(std::string_view name,
                                        const std::function<Result<void>(const Table&)>& may_remove);

  // Gives the table of this name, now and whenever it is made anew, rules for
  // its items; nothing takes them away. Writers that hold the version before
  // are not waited for.
  void SetRules(std::string_view name, std::shared_ptr<const ItemRules> rules);
  // Takes over all rules of another catalog.
  void SetRulesOf(const Catalog& other);

  // Every stream there is, in the order of their making.
  [[nodiscard]] std::vector<StreamPtr> Streams() const;
  // Nothing when there is no such stream.
  [[nodiscard]] StreamPtr FindStream(std::string_view table_name, std::string_view label) const;
  [[nodiscard]] Result<void> ChangeStream(codec::SpaceId space, const std::function<void(Stream&)>& change);
  // Its space becomes a dropped one.
  [[nodiscard]] Result<void> RemoveStream(codec::SpaceId space);

  // What is kept besides tables; oldest first, for ids begin with the time.
  [[nodiscard]] BackupSet& backups() { return backups_; }
  [[nodiscard]] ExportSet& exports() { return exports_; }
  [[nodiscard]] ImportSet& imports() { return imports_; }

  // Texts that are kept under a name, such as the design that tables were last
  // served with.
  [[nodiscard]] Result<std::optional<std::string>> SavedText(std::string_view name) const;
  [[nodiscard]] Result<void> SaveText(std::string_view name, std::string_view text);

  // Spaces whose table or index is gone but whose data may still be in the
  // store, until ForgetDropped says that it has been erased.
  [[nodiscard]] Result<std::vector<codec::SpaceId>> Dropped() const;
  [[nodiscard]] Result<void> ForgetDropped(codec::SpaceId space);

  // Waits until nobody holds a version of this table that was replaced or
  // removed before the call. Whoever reads or writes items holds the version
  // it works with to the end, so after this no write is under way that does
  // not know the current indexes. False when it was stopped before that.
  [[nodiscard]] bool WaitForReaders(std::string_view table_id, const std::stop_token& stop = {}) const;

 private:
  explicit Catalog(storage::Store& store) : store_(store), backups_(store), exports_(store), imports_(store) {}

  [[nodiscard]] Result<void> LoadStreams();
  // The stream that a change of a table makes, if it does.
  [[nodiscard]] StreamPtr NewStream(const Table* before, const Table& after) const;
  void Publish(StreamPtr stream);
  // Makes `current` the version that Find gives, or removes the table when
  // there is none, and remembers who was replaced.
  void Publish(std::string_view name, TablePtr current);

  storage::Store& store_;
  mutable std::mutex changes_;        // held through a whole change
  mutable std::shared_mutex tables_;  // held to look at or swap what follows
  std::map<std::string, TablePtr, std::less<>> by_name_;
  std::map<std::string, std::shared_ptr<const ItemRules>, std::less<>> rules_;    // by table name; held with changes_
  std::multimap<std::string, std::weak_ptr<const Table>, std::less<>> replaced_;  // by table id
  std::map<codec::SpaceId, StreamPtr> streams_;                                   // held with tables_
  BackupSet backups_;
  ExportSet exports_;
  ImportSet imports_;
};

}  // namespace taula::catalog
