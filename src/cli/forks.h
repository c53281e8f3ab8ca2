// The forks of a server: copies of its database, or of one another, that are made
// in milliseconds, are served on ports of their own and go when they are deleted,
// when nobody has used them for a while, or with the server (docs/fork.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/blocking_worker.h"
#include "cli/port_range.h"
#include "cli/served_database.h"
#include "cli/served_designs.h"
#include "engine/repeated_work.h"
#include "server/limits.h"

namespace taula::cli {

struct ForkSettings {
  std::string address;
  std::string region;
  PortRange ports;
  std::size_t count_max = 100;
  server::Limits limits;  // of each
};

struct ForkRequest {
  std::string name;    // empty: one is found
  std::string origin;  // the fork to begin with; empty: the server's own database
  // How long it may be without a connection; zero: for ever.
  std::chrono::seconds idle_max{600};
};

struct ForkDescription {
  std::string name;
  std::string origin;
  std::uint16_t port = 0;
  std::int64_t created_ms = 0;
  std::chrono::seconds idle_max{0};
};

struct ForkFault {
  enum class Kind : std::uint8_t { kBadName, kNameTaken, kNoOrigin, kTooMany, kNoPort, kFailed };
  Kind kind;
  std::string message;
};

// One of them. Its end lets requests in flight be answered, for a while, and
// takes its data with it.
class Fork;

// Used by any thread.
class Forks {
 public:
  // The database and the designs must live longer.
  Forks(ForkSettings settings, ServedDatabase& database, const ServedDesigns& designs);
  ~Forks();
  Forks(const Forks&) = delete;
  Forks& operator=(const Forks&) = delete;

  // Listens when it returns. Waits for the disk.
  [[nodiscard]] std::expected<ForkDescription, ForkFault> Make(const ForkRequest& request);

  // In the order of names.
  [[nodiscard]] std::vector<ForkDescription> List() const;
  [[nodiscard]] std::optional<ForkDescription> Find(std::string_view name) const;

  // Keeps it from ending meanwhile: whoever answers one of its requests lets go only
  // then, for it waits for that. Nothing when there is none.
  [[nodiscard]] std::shared_ptr<Fork> Hold(std::string_view name) const;

  // Takes it off the list, so that its name is free. It ends with whoever holds it
  // last: the caller, but for one that is being forked itself.
  [[nodiscard]] std::shared_ptr<Fork> Take(std::string_view name);

  // For calls that wait: what makes and ends forks.
  [[nodiscard]] BlockingWorker& worker() { return worker_; }

  // Ends all of them, and makes no more.
  void Stop();

 private:
  using Made = std::expected<std::shared_ptr<Fork>, ForkFault>;
  // By name. Nothing for those that are being made.
  using ForkMap = std::map<std::string, std::shared_ptr<Fork>, std::less<>>;

  // A free name that is the request's, or else a new one, and from now on taken.
  [[nodiscard]] std::expected<std::string, ForkFault> Reserve(const ForkRequest& request);
  [[nodiscard]] Made TryToMake(const std::string& name, const ForkRequest& request);
  [[nodiscard]] Made MakeNamed(const std::string& name, const ForkRequest& request);
  [[nodiscard]] std::expected<void, ForkFault> Listen(Fork& fork) const;
  void EndIdle();

  const ForkSettings settings_;
  ServedDatabase& database_;
  const ServedDesigns& designs_;
  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::uint64_t names_given_ = 0;
  ForkMap forks_;
  std::optional<engine::RepeatedWork> idle_watch_;
  BlockingWorker worker_;
};

}  // namespace taula::cli
