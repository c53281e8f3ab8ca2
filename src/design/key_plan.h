// Which part of a table or an index a query reads: what its `by` and `where`
// come to as conditions on the key, before and after its parameters are known.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/key_range.h"
#include "design/model.h"
#include "design/terms.h"

namespace taula::design {

// How an item of an entity gets one attribute of a key: the template of the
// table's or the index's key, or one that is just the attribute where the key
// is an attribute of the entity's own. Nothing: it has none.
[[nodiscard]] std::optional<Template> TemplateFor(const Design& design, const Entity& entity, const Index* index,
                                                  const KeyPart& part);

// Whether items of the entity can be in the index.
[[nodiscard]] bool IsIn(const Design& design, const Entity& entity, const Index* index);

struct KeyPlan {
  // How much of a key attribute's value is known.
  enum class Reach : std::uint8_t { kNothing, kBeginning, kRange, kWhole };

  const Table* table = nullptr;
  const Index* index = nullptr;  // nothing: the table itself
  Reach partition = Reach::kNothing;
  Reach sort = Reach::kNothing;
  // A range over partition keys comes in their order, unless the sort key has a
  // condition of its own; the text that its template begins with is none.
  bool in_order_of_partitions = false;
  // What no condition on the key serves, so that a filter has to.
  std::vector<std::string> filtered_by;
  std::vector<const Bound*> filtered_where;
  // Other entities whose items can stand in the range; they are left out of
  // the answer but are read.
  std::vector<std::string> others;

  [[nodiscard]] const KeyPart& partition_part() const { return index != nullptr ? index->partition : table->partition; }
  [[nodiscard]] const KeyPart* sort_part() const {
    const std::optional<KeyPart>& part = index != nullptr ? index->sort : table->sort;
    return part ? &*part : nullptr;
  }
  // Amazon's service answers it.
  [[nodiscard]] bool is_portable() const { return partition == Reach::kWhole; }
};

// For operations with `by`. The error is a sentence: an entity that is not in
// the index.
[[nodiscard]] std::expected<KeyPlan, std::string> PlanKeys(const Design& design, const Operation& operation);

struct KeyRanges {
  KeyRange partition;
  KeyRange sort;
};

struct KeyProblem {
  std::string parameter;
  std::string what;  // a sentence
};

// The ranges with the values of the scope.
[[nodiscard]] std::expected<KeyRanges, KeyProblem> RangesOf(const Design& design, const Operation& operation,
                                                            const KeyPlan& plan, const Scope& scope);

}  // namespace taula::design
