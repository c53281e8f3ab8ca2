// Operations that write: create, put, update, delete, transactions and
// batch-put.
#include <fmt/format.h>

#include <algorithm>

#include "design/entity_json.h"
#include "design/execution.h"
#include "design/page_token.h"
#include "design/password.h"
#include "design/write_plan.h"

namespace taula::design {
namespace {

// How often an operation begins anew when what it read has changed.
constexpr int kAttemptsMax = 10;
constexpr std::size_t kBatchItemsMax = 1000;

using Entry = WritePlan::Entry;

std::string OneItem(const Execution& execution, const Entity& entity, const std::optional<Item>& item) {
  const std::vector<std::string> all;
  std::string answer = R"({"item":)";
  if (item) {
    AppendEntityJson(answer, execution.deriver, entity, item->view(), {.returns = all});
  } else {
    answer.append("null");
  }
  answer.push_back('}');
  return answer;
}

// What the operation wrote, as far as it is known without reading it.
std::string NewItems(const Execution& execution, const std::vector<Entry>& entries) {
  const std::vector<std::string> all;
  std::string answer = R"({"items":[)";
  bool first = true;
  for (const Entry& entry : entries) {
    const bool is_new = entry.purpose == Action::Purpose::kCreate || entry.purpose == Action::Purpose::kPut;
    if (!is_new || !entry.item) continue;
    if (!std::exchange(first, false)) answer.push_back(',');
    AppendEntityJson(answer, execution.deriver, *entry.entity, entry.item->view(), {.returns = all, .named = true});
  }
  answer.append("]}");
  return answer;
}

Outcome<std::string> AnswerOf(const Execution& execution, const WritePlan& plan, Performed performed) {
  if (execution.operation.kind == OperationKind::kTransaction) return NewItems(execution, plan.entries());
  const Entry& entry = plan.entries().front();
  const bool is_alone = plan.actions().size() == 1;
  const bool is_put = entry.purpose == Action::Purpose::kCreate || entry.purpose == Action::Purpose::kPut;
  if (is_put || (!is_alone && entry.item)) return OneItem(execution, *entry.entity, entry.item);
  if (is_alone) return OneItem(execution, *entry.entity, performed.attributes);
  if (entry.purpose == Action::Purpose::kDelete) return OneItem(execution, *entry.entity, std::nullopt);
  // In a transaction, on a server that made more of the item than was sent.
  const Result<std::optional<Item>> item = execution.calls.GetItem(execution.TableOf(*entry.entity), entry.key, true);
  if (!item) return std::unexpected(FailureOf(item.error()));
  return OneItem(execution, *entry.entity, *item);
}

// One item of a batch as an operation of its own.
Operation PutOf(const Operation& batch) {
  Operation put;
  put.name = batch.name;
  put.kind = OperationKind::kPut;
  put.entities = batch.entities;
  put.set = batch.set;
  return put;
}

}  // namespace

Outcome<std::string> RunWrite(Execution& execution) {
  Failure last{FailureCode::kConflict, "What was read keeps changing; try again.", {}};
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (attempt > 0) WaitBeforeTry(attempt - 1);
    WritePlan plan(execution);
    const WritePlan::Made made = plan.Make();
    if (!made) {
      if (!made.error().has_changed) return std::unexpected(made.error().failure);
      continue;
    }
    auto performed = Perform(execution.calls, plan.actions());
    if (performed) return AnswerOf(execution, plan, *std::move(performed));
    if (!performed.error().has_changed) return std::unexpected(performed.error().failure);
    last = performed.error().failure;
  }
  return std::unexpected(last);
}

Outcome<std::string> RunBatchPut(Execution& execution) {
  const Operation put = PutOf(execution.operation);
  const Entity& entity = execution.EntityOf(put);
  const Table& table = execution.design.TableOf(entity);
  const std::optional<Value> given = execution.scope.Find("items");
  if (!given) return Invalid("items", "items is missing.");
  if (given->view().list().size() > kBatchItemsMax) {
    return Invalid("items",
                   fmt::format("items has {} elements; there may be {}.", given->view().list().size(), kBatchItemsMax));
  }
  // All are made before any is written, so that a wrong one stops them all.
  std::vector<WritePlan> plans;
  std::vector<Execution> executions;
  executions.reserve(given->view().list().size());
  std::vector<Item> items;
  std::vector<std::string> keys;
  for (const ValueView element : given->view().list()) {
    Execution& one = executions.emplace_back(Execution{execution.design,
                                                       execution.stage,
                                                       execution.deriver,
                                                       put,
                                                       execution.calls,
                                                       Scope(execution.scope.now_ms()),
                                                       {},
                                                       true});
    for (const auto [name, value] : element.map()) one.scope.Set(name, Value(value));
    WritePlan& plan = plans.emplace_back(one);
    if (const auto made = plan.Make(); !made) {
      Failure failure = made.error().failure;
      failure.message = fmt::format("items[{}]: {}", items.size(), failure.message);
      return std::unexpected(std::move(failure));
    }
    items.push_back(*plan.entries().front().item);
    keys.push_back(StartKeyOf(table, nullptr, items.back().view()).encoded());
  }
  std::vector<std::string> sorted = keys;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    return Invalid("items", fmt::format("Two of the items are the same {}.", entity.name));
  }
  std::size_t written = 0;
  std::optional<Failure> failure;
  const bool guarded = !execution.calls.keeps_designs() && !entity.unique.empty();
  if (guarded) {
    // A batch has no conditions, so each goes with its guards.
    for (const WritePlan& plan : plans) {
      const auto performed = Perform(execution.calls, plan.actions());
      if (!performed) {
        failure = performed.error().failure;
        break;
      }
      ++written;
    }
  } else {
    const Calls::Written result = execution.calls.BatchPut(execution.TableOf(entity), items);
    written = result.count;
    if (result.error) failure = FailureOf(*result.error);
  }
  if (failure) {
    failure->message = fmt::format("{} of {} items were written. {}", written, items.size(), failure->message);
    return std::unexpected(*std::move(failure));
  }
  const std::vector<std::string> all;
  std::string answer = R"({"items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) answer.push_back(',');
    AppendEntityJson(answer, execution.deriver, entity, items[i].view(), {.returns = all});
  }
  answer.append("]}");
  return answer;
}

}  // namespace taula::design
