#include "api/read_together.h"

#include <utility>

#include "api/accounting.h"
#include "base/limits.h"
#include "engine/transaction.h"
#include "engine/units.h"

namespace taula::api {

Result<std::vector<ConsumedCapacity>> ReadTogether(Context& context, std::span<const engine::KeyInTable> keys,
                                                   base::FunctionRef<void(std::size_t index, ValueView item)> sink) {
  std::vector<std::size_t> sizes(keys.size());
  std::size_t bytes = 0;
  Result<void> read = context.engine.GetTogether(keys, [&](std::size_t index, const engine::StoredItem& found) {
    sizes[index] = found.size;
    bytes += found.size;
    if (bytes <= base::kTransactionBytesMax) sink(index, found.item);
  });
  if (!read) return std::unexpected(std::move(read.error()));
  if (bytes > base::kTransactionBytesMax) return std::unexpected(engine::TransactionTooLarge());
  std::vector<ConsumedCapacity> capacities;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double units = engine::kTransactionFactor * engine::ReadUnits(sizes[i], true);
    AddCapacity(capacities, TableReadCapacity(*keys[i].table, units));
  }
  return capacities;
}

}  // namespace taula::api
