// All that makes a table besides its items, read from one server to be made on
// another: keys, indexes, billing and throughput, class, stream, tags, time to
// live, point-in-time recovery, deletion protection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/call_function.h"
#include "client/patience.h"
#include "taula/error.h"
#include "transfer/item_key.h"

namespace taula::transfer {

struct TableSettings {
  std::string name;
  std::string arn;
  std::string description;  // as DescribeTable has it, in JSON
  KeyNames key;
  std::uint64_t items = 0;  // as DescribeTable says, which may be hours old
  std::uint64_t bytes = 0;
  std::vector<std::string> indexes;
  std::string stream_view;  // empty: there is no stream
  std::string expires;      // attribute of the time to live; empty: it is off
  std::string tags = "[]";  // a list in JSON
  bool recovery = false;
  std::int64_t recovery_days = 0;  // 0: not said
  bool protection = false;
};

using Sentences = std::vector<std::string>;

// What cannot be asked for is taken as not set, with a warning unless the
// server just has no such operation.
[[nodiscard]] Result<TableSettings> ReadSettings(const client::CallFunction& call, const std::string& table,
                                                 Sentences& warnings);

// The request that makes the table under another name. Some servers do not take
// all members; `plain` leaves those out that a table can do without.
[[nodiscard]] std::string CreateTableBody(const TableSettings& settings, const std::string& name, bool plain = false);

// Makes the table, tags it, and waits until it can be used. What the server
// does not take becomes a warning. The time to live and the deletion protection
// come last, with FinishSettings, so that both tables lose items by the source's
// clock alone, and a copy that is given up can be deleted.
[[nodiscard]] Result<void> MakeTable(const client::CallFunction& call, const TableSettings& settings,
                                     const std::string& name, const client::Patience& patience, Sentences& warnings);
void FinishSettings(const client::CallFunction& call, const TableSettings& settings, const std::string& name,
                    Sentences& warnings);

// Gives the table a stream with both images, and waits until it can be read.
[[nodiscard]] Result<void> TurnStreamOn(const client::CallFunction& call, const std::string& table,
                                        const client::Patience& patience);

// Why items of the one do not fit into the other, as a clause: their keys differ.
[[nodiscard]] std::optional<std::string> WhyKeysDiffer(const TableSettings& source, const TableSettings& target);

}  // namespace taula::transfer
