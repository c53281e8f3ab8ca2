// Runs `taula copy`: tables from one server to another, then their changes until
// the application has been switched over.
#pragma once

#include <string>
#include <vector>

namespace taula::cli {

struct CopyServer {
  std::string endpoint;
  std::string region;   // empty: the usual one
  std::string profile;  // of ~/.aws; empty: the usual credentials
};

struct CopyOptions {
  CopyServer from;
  CopyServer to;
  std::vector<std::string> tables;  // names and patterns
  bool all = false;
  std::string as;
  std::string prefix;
  bool no_follow = false;
  bool until_caught_up = false;
  double settle_seconds = 3;
  bool into_existing = false;
  bool verify = false;
  bool dry_run = false;
  bool yes = false;
  bool quiet = false;
  double rate = 0;  // write units a second; 0: no limit
  std::size_t calls_in_flight = 8;
  std::string state_folder;  // empty: the usual one
};

// The exit code.
[[nodiscard]] int RunCopy(CopyOptions options);

}  // namespace taula::cli
