#include "api/write_checks.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "api/transact_members.h"
#include "api/update_validation.h"
#include "base/limits.h"
#include "engine/index_keys.h"
#include "engine/key_validation.h"
#include "value/key_value.h"
#include "value/size.h"

namespace taula::api {
namespace {

Result<void> CheckAgainstTable(const engine::WriteAction& action) {
  const catalog::Table& table = *action.table;
  return action.kind == engine::WriteKind::kPut ? CheckPut(table, action.item)
                                                : CheckUpdate(table, action.item, action.update);
}

// The keys of invalid actions are empty.
bool NamesOneTwice(const std::vector<storage::Key>& keys) {
  std::vector<std::string_view> sorted(keys.begin(), keys.end());
  std::ranges::sort(sorted);
  const auto same = [](std::string_view a, std::string_view b) { return a == b && !a.empty(); };
  return std::ranges::adjacent_find(sorted, same) != sorted.end();
}

}  // namespace

Result<void> CheckPut(const catalog::Table& table, const Item& item) {
  Result<void> ok = engine::CheckItemKey(table.key, item.attributes());
  if (ok) ok = engine::CheckIndexKeys(table, item.view());
  return ok;
}

Result<void> CheckUpdate(const catalog::Table& table, const Item& key,
                         const std::optional<expression::Update>& update) {
  Result<void> ok = engine::CheckKey(table.key, key.attributes());
  if (ok && update) ok = CheckUpdate(table, *update);
  return ok;
}

Result<void> CheckTransactionWrites(engine::Transaction& transaction) {
  for (engine::WriteAction& action : transaction.actions) {
    if (action.invalid) continue;
    Result<void> ok = CheckAgainstTable(action);
    if (ok) continue;
    if (value::IsEmptyKeyError(ok.error())) return ok;
    action.invalid = std::move(ok.error());
  }
  transaction.item_keys = engine::ItemStoreKeys(transaction.actions);
  if (NamesOneTwice(transaction.item_keys)) return NamesOneItemTwice();
  std::size_t bytes = 0;
  for (const engine::WriteAction& action : transaction.actions) bytes += value::ItemSize(action.item.attributes());
  if (bytes > base::kTransactionBytesMax) return std::unexpected(engine::TransactionTooLarge());
  return {};
}

}  // namespace taula::api
