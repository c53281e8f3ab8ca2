// Brings many items into a table that nobody else uses yet, in large batches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/table.h"
#include "storage/store.h"

namespace taula::engine {

// Each item goes the way of a PutItem, rules and all, but a plain table's go
// together.
class ItemLoader {
 public:
  ItemLoader(storage::Store& store, const base::Clock& clock, catalog::TablePtr table)
      : store_(store), clock_(clock), table_(std::move(table)) {}

  // False when the store fails. An item that the table's rules refuse is left
  // out and counted.
  [[nodiscard]] bool Add(std::string_view stored);
  // To be called at the end.
  [[nodiscard]] bool Finish() { return Flush(); }

  [[nodiscard]] std::size_t refused() const { return refused_; }
  // Why the first one was.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  bool Flush();
  bool PutTogether();
  bool PutEach();

  storage::Store& store_;
  const base::Clock& clock_;
  const catalog::TablePtr table_;
  std::vector<std::string> items_;
  std::size_t bytes_ = 0;
  std::size_t refused_ = 0;
  std::string refusal_;
};

}  // namespace taula::engine
