// The stretches of keys that Query and Scan read.
#pragma once

#include <cstdint>

#include "base/key_range.h"
#include "catalog/table.h"
#include "expression/key_condition.h"

namespace taula::api {

// The keys that fulfil a key condition, in a table or one of its indexes.
[[nodiscard]] base::KeyRange QueryRange(codec::SpaceId space, const expression::KeyLookup& lookup);

// The keys that begin with `prefix` and go on with a part that fulfils one
// attribute's condition. Without a prefix: the parts themselves.
[[nodiscard]] base::KeyRange RangeWithin(const std::string& prefix, const expression::KeyLookup::Range& range);

// A key schema as key conditions see it.
class KeySchemaView {
 public:
  explicit KeySchemaView(const catalog::KeySchema& schema);
  [[nodiscard]] expression::KeySchema view() const { return {partition_, sort_}; }

 private:
  std::vector<expression::KeyAttribute> partition_;
  std::vector<expression::KeyAttribute> sort_;
};

}  // namespace taula::api
