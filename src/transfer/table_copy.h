// Copies a table from one server to another while it is being written to: notes
// where its stream is, copies all items, then replays the stream from there.
//
// Why nothing is lost: a change from before the place in the stream is in the
// table when the scan begins, and the scan reads consistently; a change from
// after it is replayed. A change that the scan saw already, or an older one, is
// replayed too, and for a while the target may be older than it was; but each
// item's changes come in their order, and the last one is its present.
//
//   Plan, Begin, CopyItems, then Follow again and again, Finish.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/call_function.h"
#include "client/patience.h"
#include "client/stream_follower.h"
#include "taula/error.h"
#include "transfer/bulk_writer.h"
#include "transfer/change_replay.h"
#include "transfer/copy_state.h"
#include "transfer/table_scan.h"
#include "transfer/table_settings.h"
#include "transfer/unit_rate.h"

namespace taula::transfer {

struct CopyEnd {
  client::CallFunction call;
  std::string origin;  // its address, as people know it
};

struct TableCopyOptions {
  CopyEnd from;
  CopyEnd to;
  std::string table;
  std::string as;  // its name at the target
  bool follow = true;
  bool into_existing = false;
  std::size_t calls_in_flight = 8;
  UnitRate* rate = nullptr;  // of writes at the target; outlives the copy
  std::string state_folder;
  client::Patience patience = {};
};

struct CopiedAmount {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;  // of the items of this run, as JSON
};

class TableCopy {
 public:
  // Looks at both ends and at what an earlier run has kept, and changes
  // nothing. The error says why the table cannot be copied like that.
  [[nodiscard]] static Result<std::unique_ptr<TableCopy>> Plan(TableCopyOptions options);

  [[nodiscard]] const TableCopyOptions& options() const { return options_; }
  [[nodiscard]] const TableSettings& source() const { return source_; }
  // Goes on with what an earlier run began.
  [[nodiscard]] bool resumes() const { return resumes_; }
  [[nodiscard]] bool makes_target() const { return !target_exists_; }
  // To be followed the source would need a stream, which Begin turns on.
  [[nodiscard]] bool needs_stream() const { return options_.follow && !resumes_ && source_.stream_view.empty(); }
  [[nodiscard]] const std::string& state_path() const { return state_path_; }

  [[nodiscard]] Result<void> Begin();

  // Calls `tick` a few times a second. Keeps how far it is.
  using Tick = std::function<void(const CopiedAmount& amount)>;
  [[nodiscard]] Result<void> CopyItems(const Tick& tick);
  // For tables whose turn to be copied comes later.
  [[nodiscard]] Result<void> HoldStream();

  // Takes over what the stream has by now; returns how many changes it were.
  [[nodiscard]] Result<std::size_t> Follow();

  // The settings that come last. There is nothing to go on with afterwards.
  [[nodiscard]] Result<void> Finish();

  [[nodiscard]] std::uint64_t items() const { return scan_.items(); }
  [[nodiscard]] std::uint64_t changes() const { return state_.changes; }
  // How old the newest change is that was taken over with the last Follow; 0
  // when there was nothing left.
  [[nodiscard]] std::int64_t lag_ms() const { return lag_ms_; }
  [[nodiscard]] Sentences TakeWarnings() { return std::exchange(warnings_, {}); }

 private:
  TableCopy(TableCopyOptions options, TableSettings source);
  Result<void> LookAtTarget();
  Result<void> LoadState();
  Result<void> CheckStillKept() const;
  Result<void> Save();
  // Keeps where the scan is, once all before it has been written.
  Result<void> SaveScan();

  TableCopyOptions options_;
  const client::CallFunction from_;  // patient
  const client::CallFunction to_;
  TableSettings source_;
  std::string state_path_;
  CopyState state_;
  bool resumes_ = false;
  bool target_exists_ = false;
  client::StreamFollower follower_;
  BulkWriter writer_;
  ChangeReplay replay_;
  TableScan scan_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::int64_t saved_ms_ = 0;
  std::int64_t lag_ms_ = 0;
  Sentences warnings_;
};

}  // namespace taula::transfer
