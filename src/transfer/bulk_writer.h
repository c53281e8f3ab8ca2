// Writes many items into a table with BatchWriteItem, several calls in flight.
// What a server was too busy for is written again, after waits that grow.
//
//   BulkWriter writer(call, {.table = "orders", .key = {"pk", "sk"}});
//   for (…) if (auto put = writer.Put(item_json); !put) return Complain(put.error());
//   if (auto written = writer.Flush(); !written) return Complain(written.error());
//
// Writes of one item reach the table in the order in which they were handed
// over; where several of them wait, only the last one is sent. Writes of
// different items have no order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "client/call_function.h"
#include "client/patience.h"
#include "taula/error.h"
#include "transfer/item_key.h"
#include "transfer/unit_rate.h"

namespace taula::transfer {

// A write that the server will never take, as JSON: {"PutRequest":{"Item":…}}.
// True: the others go on without it.
using RefusedWrite = std::function<bool(std::string_view request, const Error& error)>;

struct BulkWriterOptions {
  std::string table;
  KeyNames key;
  std::size_t calls_in_flight = 8;
  std::size_t waiting_bytes_max = std::size_t{32} << 20;
  std::size_t waiting_max = 10'000;  // writes; what Flush may have to wait for
  client::Patience patience = {};
  UnitRate* rate = nullptr;        // outlives the writer
  RefusedWrite refused = nullptr;  // called from several threads; without it, the first one is the end
};

// Calls may come from several threads.
class BulkWriter {
 public:
  BulkWriter(client::CallFunction call, BulkWriterOptions options);
  // What has not been written by then never is; Flush waits for it.
  ~BulkWriter();
  BulkWriter(const BulkWriter&) = delete;
  BulkWriter& operator=(const BulkWriter&) = delete;

  // Wait while too much is waiting. The error is that of any write before.
  [[nodiscard]] Result<void> Put(std::string_view item);
  // Attributes besides those of the key are left out.
  [[nodiscard]] Result<void> Delete(std::string_view key);

  // Waits until all that was handed over before the call has been written.
  [[nodiscard]] Result<void> Flush();

  // Requests that the server has taken, and the write units that it says it took for them.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  [[nodiscard]] double units() const;

 private:
  struct Write {
    std::string key;
    std::string request;
  };
  // Writes of a share of the keys, one call at a time, which keeps their order.
  struct Lane {
    std::deque<Write> waiting;
    std::unordered_map<std::string, std::uint64_t> places;  // of keys that wait: what `handed` was
    std::uint64_t handed = 0;                               // writes ever put into `waiting`
    std::uint64_t finished = 0;
    std::int64_t since_ms = 0;  // the first of `waiting`
    std::condition_variable changed;
    std::thread thread;
  };

  Result<void> Add(std::optional<std::string> key, std::string request);
  void Work(Lane& lane);
  // Waits for a batch that is worth a call; empty when all is over.
  std::vector<Write> Take(Lane& lane);
  Result<void> WriteAll(std::vector<std::string> requests);
  Result<void> WriteEach(const std::vector<std::string>& requests);
  // What the server left over.
  Result<std::vector<std::string>> Send(const std::vector<std::string>& requests);

  const client::CallFunction call_;
  const BulkWriterOptions options_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  mutable std::mutex mutex_;
  std::condition_variable room_;      // fewer bytes wait, or all is over
  std::condition_variable finished_;  // some batch, or all is over
  std::size_t waiting_bytes_ = 0;
  std::size_t waiting_ = 0;
  std::size_t flushes_ = 0;  // that are being waited for
  std::optional<Error> failure_;
  std::stop_source closing_;
  std::stop_callback<std::function<void()>> stop_with_caller_;
  std::atomic<std::uint64_t> written_ = 0;
  double units_ = 0;
};

}  // namespace taula::transfer
