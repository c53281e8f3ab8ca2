// SELECT: from a bound statement to the keys that it reads, and reading them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/key_plan.h"
#include "api/operation.h"
#include "api/statement_token.h"
#include "base/function_ref.h"
#include "catalog/table.h"
#include "codec/json_writer.h"
#include "partiql/bound_statement.h"
#include "taula/capacity.h"
#include "taula/error.h"

namespace taula::api {

using MaybeColumns = std::optional<partiql::SelectList>;

// A SELECT that has passed all checks. Refers to its statement.
struct StatementRead {
  catalog::TablePtr table;
  const catalog::Index* index = nullptr;
  MaybeColumns columns;
  std::vector<KeyRead> reads;  // in order; one of everything when no key is named
  bool keyed = false;
  bool reverse = false;
  bool consistent_read = false;
  const expression::Condition* filter = nullptr;
  bool fetch_from_table = false;
};

[[nodiscard]] Result<StatementRead> PrepareRead(const Context& context, const partiql::BoundStatement& statement,
                                                bool consistent_read);

struct StatementPage {
  std::optional<StatementPosition> next;  // nothing when all is read
  ConsumedCapacity capacity;
};

// Shows the items of one page to `sink`.
[[nodiscard]] Result<StatementPage> ReadStatementPage(const Context& context, const StatementRead& read,
                                                      StatementPosition position, std::optional<std::int64_t> limit,
                                                      base::FunctionRef<void(ValueView item)> sink);

// A SELECT of one item by its key: all that batches and transactions take.
struct ItemRead {
  catalog::TablePtr table;
  Item key;  // whose types are not checked
  MaybeColumns columns;
};

// `operation` is the one that messages name.
[[nodiscard]] Result<ItemRead> PrepareItemRead(catalog::TablePtr table, const partiql::BoundStatement& statement,
                                               std::string_view operation);

// The item, or what the columns leave of it.
[[nodiscard]] Item SelectColumns(const MaybeColumns& columns, ValueView item);

}  // namespace taula::api
