// Which tables of which servers `taula copy` copies, and under which names.
#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "cli/copy_run.h"
#include "client/call_function.h"
#include "transfer/table_copy.h"

namespace taula::cli {

// Calls to the server and, where they are at another address, to its streams.
// Says on the standard error, once, that the server does not answer and is
// tried again. Does not connect yet; the error is a sentence.
[[nodiscard]] std::expected<transfer::CopyEnd, std::string> OpenCopyEnd(const CopyServer& server);

// Names at the source and at the target. The error is a sentence.
using CopyNames = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::expected<CopyNames, std::string> ChooseTables(const CopyOptions& options,
                                                                 const client::CallFunction& source);

// Where the state of copies is kept, unless another folder is named.
[[nodiscard]] std::string UsualStateFolder();

}  // namespace taula::cli
