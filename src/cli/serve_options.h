// The options of `taula serve` (docs/server.md).
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "cli/port_range.h"

namespace taula::cli {

struct ServeOptions {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 8000;
  bool insecure = false;

  std::string data = "./taula-data";
  bool memory = false;
  bool relaxed = false;  // --durability=relaxed
  std::string buckets;   // empty: beside the data

  std::vector<std::string> designs;  // files
  std::string stage;                 // empty: each design's own
  bool seed = false;

  unsigned threads = 0;  // 0: as many as cores
  std::size_t cache_bytes = std::size_t{256} << 20;
  std::uint32_t ttl_interval_s = 1;  // 0: nothing expires

  std::size_t forks_max = 100;
  PortRange fork_ports;

  bool throttle = false;
  std::string faults_file;
  std::vector<std::string> faults;  // added to those of the file

  std::string region = "us-east-1";
  std::string account = "123456789012";

  base::LogLevel log_level = base::LogLevel::kInfo;
  base::LogFormat log_format = base::LogFormat::kText;
};

// `options` must live until the command line has been parsed.
void AddServeOptions(CLI::App& command, ServeOptions& options);

// The folder of the buckets; empty when there is none.
[[nodiscard]] std::string BucketsFolder(const ServeOptions& options);

// What is wrong with options that are each fine: a line for a person.
[[nodiscard]] std::optional<std::string> FindConflict(const ServeOptions& options);

}  // namespace taula::cli
