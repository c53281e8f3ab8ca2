#include "api/write_checks.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "api/transact_members.h"
#include "api/update_validation.h"
#include "base/limits.h"
#include "engine/index_entries.h"
#include "engine/index_keys.h"
#include "engine/key_validation.h"
#include "engine/transaction.h"
#include "value/key_value.h"
#include "value/size.h"

namespace taula::api {
namespace {

Result<void> CheckAgainstTable(const engine::WriteAction& action) {
  const catalog::Table& table = *action.table;
  return action.kind == engine::WriteKind::kPut ? CheckPut(table, action.item)
                                                : CheckUpdate(table, action.item, action.update);
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

Result<void> CheckTransactionWrites(std::vector<engine::WriteAction>& actions) {
  for (engine::WriteAction& action : actions) {
    if (action.invalid) continue;
    Result<void> ok = CheckAgainstTable(action);
    if (ok) continue;
    if (value::IsEmptyKeyError(ok.error())) return ok;
    action.invalid = std::move(ok.error());
  }
  std::unordered_set<std::string> seen;
  std::size_t bytes = 0;
  for (const engine::WriteAction& action : actions) {
    bytes += value::ItemSize(action.item.attributes());
    if (action.invalid) continue;
    if (!seen.insert(engine::ItemStoreKey(*action.table, action.item.view())).second) return NamesOneItemTwice();
  }
  if (bytes > base::kTransactionBytesMax) return std::unexpected(engine::TransactionTooLarge());
  return {};
}

}  // namespace taula::api
