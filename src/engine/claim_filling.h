// Writing down what the items of a table claim that were there before its rules
// were.
#pragma once

#include "catalog/catalog.h"
#include "storage/store.h"
#include "taula/error.h"

namespace taula::engine {

// Puts `rules` on the table of this name, now and whenever it is made, and waits
// until every write keeps them and all claims are written down. Fails when two
// items claim the same, naming some of them; the table then has no rules. Without
// rules: takes them off.
[[nodiscard]] Result<void> PutRulesOn(storage::Store& store, catalog::Catalog& catalog, std::string_view table_name,
                                      std::shared_ptr<const catalog::ItemRules> rules);

// To be called before writes are taken, for a table whose rules are not those
// that its claims were written by: they will not be complete afterwards. Tells
// whether they were until now.
[[nodiscard]] Result<bool> GiveUpClaims(catalog::Catalog& catalog, const catalog::Table& table);

}  // namespace taula::engine
