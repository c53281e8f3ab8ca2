// Expressions: each step on its way from text to effect, and all of them as a
// request takes them, through the cache of syntax trees.
#include <array>
#include <string_view>
#include <utility>

#include "expect.h"
#include "expression/bindings.h"
#include "expression/condition.h"
#include "expression/expression_cache.h"
#include "expression/parser.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "samples.h"

namespace taula::micro {
namespace {

using expression::Bindings;
using expression::Condition;
using expression::ExpressionCache;
using expression::ExpressionKind;
using expression::Projection;
using expression::SyntaxPtr;
using expression::Update;

constexpr std::string_view kCondition = "attribute_exists(PK) AND stock >= :quantity AND #status IN (:active, :paused)";
constexpr std::string_view kUpdate = "SET stock = stock - :quantity, #status = :paused";
constexpr std::string_view kProjection = "PK, SK, stock, #status";

const std::array<std::pair<std::string_view, Value>, 3>& Values() {
  static const std::array<std::pair<std::string_view, Value>, 3> values = {
      {{":quantity", 1}, {":active", "active"}, {":paused", "paused"}}};
  return values;
}

Bindings MakeBindings() {
  Bindings bindings;
  bool good = bindings.AddName("#status", "status").has_value();
  for (const auto& [placeholder, value] : Values()) good = bindings.AddValue(placeholder, value.view()) && good;
  benchmark::DoNotOptimize(good);
  return bindings;
}

Condition BoundCondition() {
  Bindings bindings = MakeBindings();
  return Condition::Bind(ExpressionKind::kCondition, Parse(ExpressionKind::kCondition, kCondition).value(), bindings)
      .value();
}

Update BoundUpdate() {
  Bindings bindings = MakeBindings();
  return Update::Bind(Parse(ExpressionKind::kUpdate, kUpdate).value(), bindings).value();
}

Projection BoundProjection() {
  Bindings bindings = MakeBindings();
  return Projection::Bind(Parse(ExpressionKind::kProjection, kProjection).value(), bindings).value();
}

Item UpdatedItem() {
  Item item = SmallItem();
  return item.Set("stock", 555554).Set("status", "paused");
}

void ParseText(benchmark::State& state, ExpressionKind kind, std::string_view text) {
  Result<SyntaxPtr> syntax;
  for (auto _ : state) {
    syntax = expression::Parse(kind, text);
    benchmark::DoNotOptimize(syntax);
  }
  Expect(state, syntax && *syntax != nullptr, "does not parse");
}
void ExpressionParseCondition(benchmark::State& state) { ParseText(state, ExpressionKind::kCondition, kCondition); }
void ExpressionParseUpdate(benchmark::State& state) { ParseText(state, ExpressionKind::kUpdate, kUpdate); }
void ExpressionParseProjection(benchmark::State& state) { ParseText(state, ExpressionKind::kProjection, kProjection); }
BENCHMARK(ExpressionParseCondition);
BENCHMARK(ExpressionParseUpdate);
BENCHMARK(ExpressionParseProjection);

void ExpressionParseThroughCache(benchmark::State& state) {
  ExpressionCache cache;
  const SyntaxPtr first = cache.Parse(ExpressionKind::kCondition, kCondition).value();
  Result<SyntaxPtr> syntax;
  for (auto _ : state) {
    syntax = cache.Parse(ExpressionKind::kCondition, kCondition);
    benchmark::DoNotOptimize(syntax);
  }
  Expect(state, syntax && *syntax == first, "not the tree that was parsed first");
}
BENCHMARK(ExpressionParseThroughCache);

// The request's placeholders included.
void ExpressionBindCondition(benchmark::State& state) {
  const SyntaxPtr syntax = Parse(ExpressionKind::kCondition, kCondition).value();
  bool good = true;
  for (auto _ : state) {
    Bindings bindings = MakeBindings();
    auto condition = Condition::Bind(ExpressionKind::kCondition, syntax, bindings);
    good = condition.has_value() && bindings.CheckAllUsed().has_value() && good;
    benchmark::DoNotOptimize(condition);
  }
  Expect(state, good, "does not bind");
}
BENCHMARK(ExpressionBindCondition);

void ExpressionBindUpdate(benchmark::State& state) {
  const SyntaxPtr syntax = Parse(ExpressionKind::kUpdate, kUpdate).value();
  bool good = true;
  for (auto _ : state) {
    Bindings bindings = MakeBindings();
    auto update = Update::Bind(syntax, bindings);
    good = update.has_value() && good;
    benchmark::DoNotOptimize(update);
  }
  Expect(state, good, "does not bind");
}
BENCHMARK(ExpressionBindUpdate);

void ExpressionEvaluateCondition(benchmark::State& state) {
  const Condition condition = BoundCondition();
  const MapView attributes = SmallItem().attributes();
  bool fulfilled = true;
  for (auto _ : state) {
    fulfilled = condition.Evaluate(attributes) && fulfilled;
    benchmark::DoNotOptimize(fulfilled);
  }
  Expect(state, fulfilled && !condition.Evaluate(Item().attributes()), "true for the item, false for none");
}
BENCHMARK(ExpressionEvaluateCondition);

void ExpressionApplyUpdate(benchmark::State& state) {
  const Update update = BoundUpdate();
  Result<Item> updated;
  for (auto _ : state) {
    updated = update.Apply(SmallItem().attributes());
    benchmark::DoNotOptimize(updated);
  }
  Expect(state, updated && *updated == UpdatedItem(), "not the updated item");
}
BENCHMARK(ExpressionApplyUpdate);

void ExpressionApplyProjection(benchmark::State& state) {
  const Projection projection = BoundProjection();
  Item projected;
  for (auto _ : state) {
    projected = projection.Apply(SmallItem().attributes());
    benchmark::DoNotOptimize(projected);
  }
  const Item expected = NumberedKey(42).Set("stock", 555555).Set("status", "active");
  Expect(state, projected == expected, "not what was asked for");
}
BENCHMARK(ExpressionApplyProjection);

// What a conditional UpdateItem does with its expressions.
void ExpressionConditionAndUpdateOfRequest(benchmark::State& state) {
  ExpressionCache cache;
  const MapView attributes = SmallItem().attributes();
  bool good = true;
  Result<Item> updated;
  for (auto _ : state) {
    const auto condition_syntax = cache.Parse(ExpressionKind::kCondition, kCondition);
    const auto update_syntax = cache.Parse(ExpressionKind::kUpdate, kUpdate);
    Bindings bindings = MakeBindings();
    const auto condition = Condition::Bind(ExpressionKind::kCondition, *condition_syntax, bindings);
    const auto update = Update::Bind(*update_syntax, bindings);
    good = bindings.CheckAllUsed().has_value() && condition->Evaluate(attributes) && good;
    updated = update->Apply(attributes);
    benchmark::DoNotOptimize(updated);
  }
  Expect(state, good && updated && *updated == UpdatedItem(), "not the updated item");
}
BENCHMARK(ExpressionConditionAndUpdateOfRequest);

}  // namespace
}  // namespace taula::micro
