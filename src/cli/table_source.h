// A table on some server, as commands are given it on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <expected>
#include <string>

#include "client/call_function.h"
#include "transfer/table_shape.h"

namespace taula::cli {

struct TableSource {
  std::string table;
  std::string endpoint = "http://127.0.0.1:8000";
  std::string region;
};

// `source` must live until the command line has been parsed.
void AddTableSource(CLI::App& command, TableSource& source);

// Does not connect yet. The error is a sentence.
[[nodiscard]] std::expected<client::CallFunction, std::string> OpenServer(const TableSource& source);

// For a table that there is not: which one may be meant.
[[nodiscard]] std::string NoSuchTable(const client::CallFunction& call, const TableSource& source);

}  // namespace taula::cli
