// A table on a store in memory, and actions on it in short: what the tests of
// this folder share.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/key_codec.h"
#include "codec/stored_item.h"
#include "engine/page.h"
#include "engine/transaction.h"
#include "engine/write.h"
#include "expression/parser.h"
#include "storage/memory/memory_store.h"

namespace taula::engine {

// PK and SK; "byStatus" is a global index on status and SK, "byGrade" a local
// one on grade (a number) that projects only keys, "titles" a global one on kind
// that includes the title.
inline catalog::TablePtr TestTable() {
  auto table = std::make_shared<catalog::Table>();
  table->name = "test";
  table->space = 1;
  table->key = {.partition = {{"PK", Type::kString}}, .sort = {{"SK", Type::kString}}};
  catalog::Index by_grade;
  by_grade.name = "byGrade";
  by_grade.space = 2;
  by_grade.global = false;
  by_grade.key = {.partition = {{"PK", Type::kString}}, .sort = {{"grade", Type::kNumber}}};
  by_grade.projection.type = ProjectionType::kKeysOnly;
  catalog::Index by_status;
  by_status.name = "byStatus";
  by_status.space = 3;
  by_status.key = {.partition = {{"status", Type::kString}}, .sort = {{"SK", Type::kString}}};
  catalog::Index titles;
  titles.name = "titles";
  titles.space = 4;
  titles.key = {.partition = {{"kind", Type::kString}}, .sort = {}};
  titles.projection = {.type = ProjectionType::kInclude, .non_key_attributes = {"title"}};
  table->indexes = {by_grade, by_status, titles};
  return table;
}

class TableTest : public ::testing::Test {
 protected:
  expression::Condition ConditionOf(const std::string& text, std::vector<std::pair<std::string, Value>> values = {}) {
    expression::Bindings bindings = Bind(std::move(values));
    auto syntax = expression::Parse(expression::ExpressionKind::kCondition, texts_.emplace_back(text));
    EXPECT_TRUE(syntax) << syntax.error().message;
    auto condition = expression::Condition::Bind(expression::ExpressionKind::kCondition, *syntax, bindings);
    EXPECT_TRUE(condition) << condition.error().message;
    return *std::move(condition);
  }

  expression::Update UpdateOf(const std::string& text, std::vector<std::pair<std::string, Value>> values = {}) {
    expression::Bindings bindings = Bind(std::move(values));
    auto syntax = expression::Parse(expression::ExpressionKind::kUpdate, texts_.emplace_back(text));
    EXPECT_TRUE(syntax) << syntax.error().message;
    auto update = expression::Update::Bind(*syntax, bindings);
    EXPECT_TRUE(update) << update.error().message;
    return *std::move(update);
  }

  [[nodiscard]] WriteAction Action(WriteKind kind, Item item) const {
    WriteAction action;
    action.kind = kind;
    action.table = table_;
    action.item = std::move(item);
    return action;
  }
  [[nodiscard]] WriteAction Put(Item item) const { return Action(WriteKind::kPut, std::move(item)); }
  [[nodiscard]] WriteAction Delete(Item key) const { return Action(WriteKind::kDelete, std::move(key)); }
  [[nodiscard]] WriteAction Check(Item key) const { return Action(WriteKind::kConditionCheck, std::move(key)); }
  [[nodiscard]] WriteAction Update(Item key) const { return Action(WriteKind::kUpdate, std::move(key)); }

  Result<WriteOutcome> Write(WriteAction action) {
    std::optional<Result<WriteOutcome>> result;
    WriteItem(*store_, base::Clock::System(), std::move(action),
              [&result](Result<WriteOutcome> outcome) { result = std::move(outcome); });
    return *std::move(result);
  }

  Result<TransactionOutcome> Transact(Transaction transaction, std::int64_t now_ms = 0) {
    std::optional<Result<TransactionOutcome>> result;
    WriteTransaction(*store_, std::move(transaction), now_ms,
                     [&result](Result<TransactionOutcome> outcome) { result = std::move(outcome); });
    return *std::move(result);
  }

  // Everything that a table's or an index's space holds, in order.
  std::vector<Item> Contents(codec::SpaceId space) const {
    std::vector<Item> items;
    EXPECT_EQ(storage::Status::kOk,
              store_->Scan(codec::SpaceRange(space), {}, [&items](std::string_view, std::string_view stored) {
                items.emplace_back(codec::StoredItemValue(stored));
                return true;
              }));
    return items;
  }

  std::unique_ptr<storage::Store> store_ = storage::MakeMemoryStore();
  catalog::TablePtr table_ = TestTable();

 private:
  expression::Bindings Bind(std::vector<std::pair<std::string, Value>> values) {
    expression::Bindings bindings;
    for (const auto& [name, value] : values_.emplace_back(std::move(values))) {
      EXPECT_TRUE(bindings.AddValue(name, value.view()));
    }
    return bindings;
  }

  // Expressions keep views of these.
  std::deque<std::string> texts_;
  std::deque<std::vector<std::pair<std::string, Value>>> values_;
};

}  // namespace taula::engine
