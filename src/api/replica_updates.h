// What UpdateTable is asked about replicas in other regions. This server is one
// region, so all of it is refused: first what Amazon would refuse as well, in its
// order and words, then what cannot be had here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/constraints.h"
#include "codec/json_request.h"
#include "taula/error.h"

namespace taula::api {

struct ReplicaAction {
  enum class Kind { kCreate, kUpdate, kDelete, kDisassociate };
  Kind kind = Kind::kCreate;
  std::string region;
  bool changes = true;  // an update that says what is to change
};

struct ReplicaChanges {
  // ReplicaUpdates: the actions of each element, of which there should be one.
  std::optional<std::vector<std::vector<ReplicaAction>>> updates;
  std::optional<std::string> consistency;  // MultiRegionConsistency
  bool witnesses = false;                  // GlobalTableWitnessUpdates
  std::optional<std::string> other;        // the name of another such member

  [[nodiscard]] bool any() const { return updates || consistency || witnesses || other; }
};

[[nodiscard]] ReplicaChanges ReadReplicaChanges(const codec::JsonStruct& json, Constraints& constraints);

// What is wrong with the request by itself; `beside` says that it changes more
// than replicas.
[[nodiscard]] Result<void> CheckReplicaChanges(const ReplicaChanges& changes, bool beside, const std::string& region);

// Why they cannot be made on this server, in the region it is.
[[nodiscard]] std::unexpected<Error> RefuseReplicaChanges(const ReplicaChanges& changes, const std::string& region);

}  // namespace taula::api
