// One run of one operation: what all kinds of operations work with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/calls.h"
#include "design/derive.h"
#include "design/failure.h"
#include "design/model.h"
#include "design/terms.h"

namespace taula::design {

struct Execution {
  const Design& design;
  const std::string& stage;
  const Deriver& deriver;
  const Operation& operation;
  Calls calls;
  Scope scope;
  // Passwords that were hashed, so that a second try need not do it again.
  std::vector<std::pair<std::string, std::string>> hashes;
  // One of many puts, which is not worth a read of what it replaces.
  bool in_batch = false;

  [[nodiscard]] const Entity& EntityOf(const Operation& step) const {
    return *design.FindEntity(step.entities.front());
  }
  [[nodiscard]] std::string TableOf(const Entity& entity) const {
    return design.TableName(design.TableOf(entity), stage);
  }
};

// Each is in the file of its name.
[[nodiscard]] Outcome<std::string> RunGet(Execution& execution);
[[nodiscard]] Outcome<std::string> RunQuery(Execution& execution);  // and scan
[[nodiscard]] Outcome<std::string> RunBatchGet(Execution& execution);
[[nodiscard]] Outcome<std::string> RunBatchPut(Execution& execution);
[[nodiscard]] Outcome<std::string> RunVerify(Execution& execution);
[[nodiscard]] Outcome<std::string> RunWrite(Execution& execution);  // create, put, update, delete, transaction

// The attributes of the key that a step is given, by `key` or by their names.
[[nodiscard]] Outcome<Item> KeyAttributesOf(const Execution& execution, const Operation& step, const Scope& scope);

// The item that a get names; nothing when there is none, or it is deleted and
// the operation does not include those.
[[nodiscard]] Outcome<std::optional<Item>> ReadOne(const Execution& execution, const Operation& get, const Scope& scope,
                                                   bool consistent);
// The first items, at most `limit`, that a query finds.
[[nodiscard]] Outcome<std::vector<Item>> ReadSome(const Execution& execution, const Operation& query,
                                                  const Scope& scope, std::size_t limit);

// The first item that a query finds, whole though its index may hold less.
[[nodiscard]] Outcome<std::optional<Item>> FindWhole(const Execution& execution, const Operation& query,
                                                     const Scope& scope);

// Whether the item was deleted softly.
[[nodiscard]] bool IsDeleted(const Execution& execution, const Entity& entity, ValueView item);

// "There is no Batch with this userId and batchId."
[[nodiscard]] Failure NotFound(const Entity& entity, const std::vector<std::string>& by);

}  // namespace taula::design
