// Reads a whole table with Scan, several segments at a time. Where each segment
// is can be kept as text, from which another scan goes on.
//
//   TableScan scan(call, {.table = "orders"});
//   auto read = scan.Run([](const ScanPage& page) -> Result<void> { …; return {}; });
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/call_function.h"
#include "client/patience.h"
#include "taula/error.h"
#include "transfer/unit_rate.h"

namespace taula::transfer {

struct TableScanOptions {
  std::string table;
  std::size_t segments = 8;
  std::size_t calls_in_flight = 8;
  // An eventually consistent scan costs half, and may show what an item was a
  // moment before it was read.
  bool consistent = true;
  std::size_t page_items_max = 0;  // 0: as many as a page of the server's has
  std::string more_members = {};   // of the requests, as JSON without braces: "FilterExpression":"…",…
  client::Patience patience = {};
  UnitRate* rate = nullptr;  // outlives the scan
};

// Where a segment is.
struct ScanPosition {
  std::string after;  // the key of the last item read, as JSON; empty: none yet
  bool done = false;
};
// Those of all segments as text, from which a scan goes on.
[[nodiscard]] std::string PositionsText(const std::vector<ScanPosition>& segments, std::uint64_t items);

// The views are good during the call.
struct ScanPage {
  std::size_t segment = 0;
  std::vector<std::string_view> items;  // each as Scan has it, in JSON
  ScanPosition next;                    // of the segment, behind this page
};

class TableScan {
 public:
  TableScan(client::CallFunction call, TableScanOptions options);

  // Goes on where another scan of the table was, with as many segments as it
  // had. False when the text is none of Positions'.
  [[nodiscard]] bool Resume(std::string_view positions);
  // Behind the pages that have been visited, as JSON. May be called while the
  // scan runs.
  [[nodiscard]] std::string Positions() const;
  [[nodiscard]] bool done() const;

  // Reads what is left. `visit` is called from several threads at a time, for
  // the pages of one segment in their order; its error ends the scan.
  using Visit = std::function<Result<void>(const ScanPage& page)>;
  [[nodiscard]] Result<void> Run(const Visit& visit);

  // Before and after, not while the scan runs.
  [[nodiscard]] const std::vector<ScanPosition>& positions() const { return segments_; }
  // Of all pages visited, before the resumption too.
  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::size_t segments() const { return segments_.size(); }

 private:
  void Work(const Visit& visit);
  Result<void> ReadSegment(std::size_t number, const Visit& visit);
  [[nodiscard]] std::string Request(std::size_t number, const std::string& after) const;

  const client::CallFunction call_;
  const TableScanOptions options_;
  mutable std::mutex mutex_;
  std::vector<ScanPosition> segments_;
  std::size_t next_ = 0;  // segment to begin
  std::optional<Error> failure_;
  std::atomic<std::uint64_t> items_ = 0;
};

}  // namespace taula::transfer
