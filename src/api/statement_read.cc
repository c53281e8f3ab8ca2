#include "api/statement_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/accounting.h"
#include "api/key_paths.h"
#include "api/select.h"
#include "api/start_key.h"
#include "api/statement_request.h"
#include "api/table_lookup.h"
#include "base/limits.h"
#include "engine/index_entries.h"
#include "engine/units.h"

namespace taula::api {
namespace {

// What a page has at most when it is put together from several reads, as an IN
// on the partition key makes them.
constexpr std::int64_t kItemsOfSeveralReadsMax = 10;

Result<const catalog::Index*> LookUpStatementIndex(const catalog::Table& table,
                                                   const partiql::BoundStatement& statement) {
  if (!statement.index()) return nullptr;
  const catalog::Index* const index = table.FindIndex(*statement.index());
  if (index == nullptr || index->status == IndexStatus::kDeleting) {
    return ValidationError("The table does not have the specified index");
  }
  if (index->key.partition.size() > 1 || index->key.sort.size() > 1) {
    return ValidationError(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE "
        "keys.");
  }
  return LookUpIndex(table, statement.index());
}

bool IsPartition(const catalog::KeySchema& key, const partiql::KeyOrder& term) {
  return term.attribute == key.partition[0].name;
}

// Puts the reads in order; they come in ascending order of their keys.
Result<void> Order(const std::vector<partiql::KeyOrder>& order, const catalog::KeySchema& key, StatementRead& read) {
  if (order.empty()) return {};
  const auto by_partition =
      std::ranges::find_if(order, [&](const partiql::KeyOrder& term) { return IsPartition(key, term); });
  const auto by_sort =
      std::ranges::find_if(order, [&](const partiql::KeyOrder& term) { return !IsPartition(key, term); });
  const bool one_partition = std::ranges::all_of(
      read.reads, [&](const KeyRead& each) { return each.partition == read.reads.front().partition; });
  if (!one_partition && by_partition == order.end()) {
    return ValidationError(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.");
  }
  // Ordered by the partition key alone, Amazon turns the sort keys around.
  read.reverse = by_sort == order.end() || by_sort->descending;
  const bool partitions_descend = by_partition != order.end() && by_partition->descending;
  std::ranges::stable_sort(read.reads, [&](const KeyRead& a, const KeyRead& b) {
    if (a.partition != b.partition) return partitions_descend ? a.partition > b.partition : a.partition < b.partition;
    return read.reverse ? a.range.begin > b.range.begin : a.range.begin < b.range.begin;
  });
  return {};
}

Result<void> CheckOrder(const partiql::BoundStatement& statement, const catalog::KeySchema& key, bool keyed) {
  for (const partiql::KeyOrder& term : statement.order()) {
    if (key.Names(term.attribute)) continue;
    return ValidationError(
        fmt::format("Attribute {} in ORDER BY clause must be part of the primary key", term.attribute));
  }
  if (statement.order().empty() || keyed) return {};
  return ValidationError(
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
}

// Which stretches of keys the WHERE clause asks for.
Result<void> PlanReads(const partiql::BoundStatement& statement, StatementRead& read) {
  const catalog::KeySchema& key = read.index != nullptr ? read.index->key : read.table->key;
  const codec::SpaceId space = read.index != nullptr ? read.index->space : read.table->space;
  std::optional<KeyPlan> plan;
  if (statement.where()) plan.emplace(*statement.where(), key);
  read.keyed = plan && plan->keyed();
  if (Result<void> ok = CheckOrder(statement, key, read.keyed); !ok) return ok;
  if (statement.where() && (!plan || plan->filtered())) read.filter = &*statement.where();
  if (!read.keyed) {
    read.reads.push_back({.partition = {}, .range = codec::SpaceRange(space)});
    return {};
  }
  Result<std::vector<KeyRead>> reads = plan->Reads(space);
  if (!reads) return std::unexpected(std::move(reads.error()));
  read.reads = *std::move(reads);
  if (read.index != nullptr) {
    // Many entries of an index can have one key.
    for (KeyRead& each : read.reads) each.whole_key = false;
    const AttributeList unprojected = plan->UnprojectedFilters(*read.table, *read.index);
    if (Result<void> ok = CheckFilterProjected(*read.table, read.index, unprojected); !ok) return ok;
  }
  return Order(statement.order(), key, read);
}

Result<void> PrepareColumns(const partiql::BoundStatement& statement, StatementRead& read) {
  Result<MaybeColumns> columns = statement.BindColumns();
  if (!columns) return std::unexpected(std::move(columns.error()));
  read.columns = *std::move(columns);
  Result<void> ok;
  if (read.columns) ok = CheckKeyPaths(*read.table, *read.columns);
  if (ok && statement.where()) ok = CheckKeyPaths(*read.table, *statement.where());
  return ok;
}

// One page, put together from as many reads as it takes.
class PageReader {
 public:
  PageReader(const Context& context, const StatementRead& read, std::optional<std::int64_t> limit,
             base::FunctionRef<void(ValueView item)> sink)
      : context_(context), read_(read), several_(read.reads.size() > 1), limit_(limit), sink_(sink) {}

  Result<StatementPage> Run(StatementPosition position) {
    do {
      if (position.read >= read_.reads.size()) break;  // nothing can match
      Result<StatementPosition> next = ReadOn(position);
      if (!next) return std::unexpected(std::move(next.error()));
      position = *std::move(next);
    } while (several_ && !IsFull());
    StatementPage page;
    if (capacities_.empty()) {
      capacities_.push_back(TableReadCapacity(*read_.table, engine::ReadUnits(0, read_.consistent_read)));
    }
    page.capacity = std::move(capacities_.front());
    if (position.read < read_.reads.size()) page.next = std::move(position);
    return page;
  }

 private:
  // How many items one read looks at when there are several and most of them may
  // be filtered out.
  static constexpr std::int64_t kItemsLookedAtTogether = 100;

  [[nodiscard]] bool IsFull() const {
    return (limit_ && looked_at_ >= *limit_) || kept_ >= kItemsOfSeveralReadsMax ||
           capacities_.front().total().read_units >= engine::ReadUnits(base::kPageBytesMax, read_.consistent_read);
  }

  [[nodiscard]] engine::PageRequest RequestFor(const StatementPosition& position) const {
    engine::PageRequest request;
    request.table = read_.table;
    request.index = read_.index;
    request.range = read_.reads[position.read].range;
    request.reverse = read_.reverse;
    request.start_after = position.start_key ? &*position.start_key : nullptr;
    request.consistent_read = read_.consistent_read;
    request.filter = read_.filter;
    request.fetch_from_table = read_.fetch_from_table;
    if (limit_) request.limit = *limit_ - looked_at_;
    if (several_) {
      const std::int64_t most = read_.filter != nullptr ? kItemsLookedAtTogether : kItemsOfSeveralReadsMax - kept_;
      request.limit = std::min(request.limit.value_or(most), most);
    }
    return request;
  }

  // Where to go on afterwards.
  Result<StatementPosition> ReadOn(const StatementPosition& position) {
    std::optional<Item> last_kept;
    std::int64_t dropped = 0;
    Result<engine::PageEnd> end = context_.engine.ReadPage(RequestFor(position), [&](ValueView item) {
      if (several_ && kept_ == kItemsOfSeveralReadsMax) {
        ++dropped;
        return;
      }
      sink_(item);
      if (++kept_ == kItemsOfSeveralReadsMax && several_) last_kept = engine::KeyOf(*read_.table, read_.index, item);
    });
    if (!end) return std::unexpected(std::move(end.error()));
    looked_at_ += end->scanned_count;
    AddCapacity(capacities_, end->capacity);
    if (dropped > 0) return StatementPosition{position.read, std::move(last_kept)};
    if (end->last_key && !read_.reads[position.read].whole_key) {
      return StatementPosition{position.read, std::move(end->last_key)};
    }
    return StatementPosition{position.read + 1, std::nullopt};
  }

  const Context& context_;
  const StatementRead& read_;
  bool several_;
  std::optional<std::int64_t> limit_;
  base::FunctionRef<void(ValueView item)> sink_;
  std::vector<ConsumedCapacity> capacities_;
  std::int64_t kept_ = 0;
  std::int64_t looked_at_ = 0;
};

}  // namespace

Result<StatementRead> PrepareRead(const Context& context, const partiql::BoundStatement& statement,
                                  bool consistent_read) {
  Result<catalog::TablePtr> table = LookUpStatementTable(context, statement);
  if (!table) return std::unexpected(std::move(table.error()));
  const Result<const catalog::Index*> index = LookUpStatementIndex(**table, statement);
  if (!index) return std::unexpected(index.error());
  if (*index != nullptr && (*index)->global && consistent_read) {
    return ValidationError("Strongly consistent read is not supported on Global Secondary Indexes");
  }
  StatementRead read;
  read.table = *std::move(table);
  read.index = *index;
  read.consistent_read = consistent_read;
  Result<void> ok = PrepareColumns(statement, read);
  if (ok) ok = PlanReads(statement, read);
  if (!ok) return std::unexpected(std::move(ok.error()));
  std::optional<AttributeList> wanted;
  if (read.columns) wanted = read.columns->top_level_names();
  const Result<bool> needs_table = NeedsTable(*read.table, read.index, std::nullopt, wanted);
  if (!needs_table) return std::unexpected(needs_table.error());
  read.fetch_from_table = *needs_table;
  return read;
}

Result<StatementPage> ReadStatementPage(const Context& context, const StatementRead& read, StatementPosition position,
                                        std::optional<std::int64_t> limit,
                                        base::FunctionRef<void(ValueView item)> sink) {
  return PageReader(context, read, limit, sink).Run(std::move(position));
}

Result<ItemRead> PrepareItemRead(catalog::TablePtr table, const partiql::BoundStatement& statement,
                                 std::string_view operation) {
  const auto refused = [&] {
    return ValidationError(
        fmt::format("Select statements within {} must specify the primary key in the where clause.", operation));
  };
  if (statement.index()) {
    const Result<const catalog::Index*> index = LookUpStatementIndex(*table, statement);
    if (!index) return std::unexpected(index.error());
    return refused();
  }
  if (!statement.where()) return refused();
  const KeyPlan plan(*statement.where(), table->key);
  std::optional<Item> key = plan.OnlyKey();
  if (!key) {
    if (!plan.keyed()) return refused();
    const Result<std::vector<KeyRead>> reads = plan.Reads(table->space);
    return reads ? refused() : std::unexpected(reads.error());
  }
  Result<MaybeColumns> columns = statement.BindColumns();
  if (!columns) return std::unexpected(std::move(columns.error()));
  ItemRead read{std::move(table), *std::move(key), *std::move(columns)};
  if (read.columns) {
    if (Result<void> ok = CheckKeyPaths(*read.table, *read.columns); !ok) return std::unexpected(std::move(ok.error()));
  }
  return read;
}

Item SelectColumns(const MaybeColumns& columns, ValueView item) {
  if (!columns) return Item(item);
  std::string selected;
  columns->AppendTo(selected, item.map());
  return Item::FromEncoded(std::move(selected));
}

}  // namespace taula::api
