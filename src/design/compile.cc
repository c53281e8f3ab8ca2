#include "design/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/json_writer.h"
#include "design/condition.h"
#include "design/item_path.h"

namespace taula::design {
namespace {

bool IsKeyOf(const KeyPlan& plan, std::string_view attribute) {
  return plan.partition_part().name == attribute ||
         (plan.sort_part() != nullptr && plan.sort_part()->name == attribute);
}

// What marks the entities: everything else that stands in the range is left out
// by the server already, as far as marks tell.
std::string OnlyMarked(const Design& design, const Operation& operation, const KeyPlan& plan,
                       Placeholders& placeholders) {
  std::string condition;
  for (const auto& [mark, first_value] : design.FindEntity(operation.entities.front())->type) {
    std::vector<const Value*> marks;
    for (const std::string& name : operation.entities) {
      const Entity& entity = *design.FindEntity(name);
      const auto found = std::ranges::find(entity.type, mark, &std::pair<std::string, Value>::first);
      if (found != entity.type.end()) marks.push_back(&found->second);
    }
    const bool all_marked = marks.size() == operation.entities.size();
    if (!all_marked || IsKeyOf(plan, mark)) continue;
    std::vector<std::string> values;
    for (const Value* const value : marks) values.push_back(placeholders.Value(*value));
    const std::string path = placeholders.Name(mark);
    const std::string is_one = values.size() == 1 ? fmt::format("{} = {}", path, values.front())
                                                  : fmt::format("{} IN ({})", path, fmt::join(values, ", "));
    condition = And(condition, fmt::format("(attribute_not_exists({}) OR {})", path, is_one));
  }
  return condition;
}

Outcome<std::string> PathFor(const Design& design, const Operation& operation, const std::string& attribute,
                             Placeholders& placeholders) {
  const auto path = ResolvePath(design, operation.entities, attribute);
  if (!path) return Invalid(attribute, path.error() + ".");
  return placeholders.Path(path->steps);
}

// A bound that no key serves, as a filter.
Outcome<std::string> AsFilter(const Design& design, const Operation& operation, const Bound& bound, const Scope& scope,
                              Placeholders& placeholders) {
  const auto resolved = ResolvePath(design, operation.entities, bound.attribute);
  if (!resolved) return Invalid(bound.attribute, resolved.error() + ".");
  const std::string path = placeholders.Path(resolved->steps);
  const auto operand = [&](const Term& term) -> Outcome<std::string> {
    const bool is_start = bound.comparison == Comparison::kStartsWith;
    const auto value = Evaluate(term, scope, is_start ? nullptr : resolved->shape);
    if (!value) return Invalid(bound.attribute, value.error() + ".");
    if (!*value) return Invalid(bound.attribute, fmt::format("{} has no value to compare with.", bound.attribute));
    return placeholders.Value(**value);
  };
  const Outcome<std::string> low = operand(bound.low);
  if (!low) return low;
  switch (bound.comparison) {
    case Comparison::kAfter:
      return fmt::format("{} > {}", path, *low);
    case Comparison::kFrom:
      return fmt::format("{} >= {}", path, *low);
    case Comparison::kBefore:
      return fmt::format("{} < {}", path, *low);
    case Comparison::kUntil:
      return fmt::format("{} <= {}", path, *low);
    case Comparison::kStartsWith:
      return fmt::format("begins_with({}, {})", path, *low);
    case Comparison::kBetween:
      break;
  }
  const Outcome<std::string> high = operand(bound.high);
  if (!high) return high;
  return fmt::format("{} BETWEEN {} AND {}", path, *low, *high);
}

// What the keys do not serve, marks, deletion and the operation's own filter.
Outcome<std::string> CompileFilter(const Design& design, const Operation& operation, const KeyPlan& plan,
                                   const Scope& scope, Placeholders& placeholders) {
  std::string filter = OnlyMarked(design, operation, plan, placeholders);
  for (const std::string& attribute : plan.filtered_by) {
    const Outcome<std::string> path = PathFor(design, operation, attribute, placeholders);
    if (!path) return path;
    const std::optional<Value> value = scope.Implied(attribute);
    if (!value) return Invalid(attribute, fmt::format("{} has no value.", attribute));
    filter = And(filter, fmt::format("{} = {}", *path, placeholders.Value(*value)));
  }
  for (const Bound* const bound : plan.filtered_where) {
    const Outcome<std::string> condition = AsFilter(design, operation, *bound, scope, placeholders);
    if (!condition) return condition;
    filter = And(filter, *condition);
  }
  if (!operation.include_deleted) {
    std::vector<std::string> seen;
    for (const std::string& name : operation.entities) {
      std::string condition = NotDeleted(*design.FindEntity(name), placeholders);
      if (condition.empty() || std::ranges::find(seen, condition) != seen.end()) continue;
      filter = And(filter, condition);
      seen.push_back(std::move(condition));
    }
  }
  const Outcome<std::string> own = CompileCondition(design, operation, operation.filter, scope, placeholders);
  if (!own) return own;
  return And(filter, *own);
}

Failure AsFailure(const KeyProblem& problem) {
  return {FailureCode::kInvalidParameter, problem.what + ".", problem.parameter};
}

// All items of the entities, wherever they are.
Operation WholeTable(const Operation& operation) {
  Operation whole;
  whole.kind = operation.kind;
  whole.entities = operation.entities;
  return whole;
}

// A scan's filter may look at keys, which tells most other entities apart.
Outcome<std::string> OnlyKeysOf(const Design& design, const Operation& operation, const Scope& scope,
                                Placeholders& placeholders) {
  const Operation whole = WholeTable(operation);
  const auto plan = PlanKeys(design, whole);
  if (!plan) return Fail(FailureCode::kRefused, plan.error() + ".");
  const auto ranges = RangesOf(design, whole, *plan, scope);
  if (!ranges) return std::unexpected(AsFailure(ranges.error()));
  std::string condition = ranges->partition.Condition(plan->partition_part().name, placeholders);
  if (plan->sort_part() != nullptr) {
    condition = And(condition, ranges->sort.Condition(plan->sort_part()->name, placeholders));
  }
  return condition;
}

void AddPath(std::vector<std::vector<std::string>>& paths, std::vector<std::string> path) {
  const auto begins_with = [](const std::vector<std::string>& longer, const std::vector<std::string>& shorter) {
    return longer.size() >= shorter.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
  };
  // DynamoDB refuses paths of which one leads through another.
  for (const auto& known : paths) {
    if (begins_with(path, known)) return;
  }
  std::erase_if(paths, [&](const auto& known) { return begins_with(known, path); });
  paths.push_back(std::move(path));
}

}  // namespace

std::string ReadRequest::Body(std::int64_t limit, const std::optional<Item>& start_key) const {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("TableName").String(table);
  if (plan.index != nullptr) json.Key("IndexName").String(plan.index->name);
  if (!key_condition.empty()) json.Key("KeyConditionExpression").String(key_condition);
  if (!filter.empty()) json.Key("FilterExpression").String(filter);
  if (!projection.empty()) json.Key("ProjectionExpression").String(projection);
  placeholders.Write(json);
  if (descending && operation == "Query") json.Key("ScanIndexForward").Boolean(false);
  if (consistent) json.Key("ConsistentRead").Boolean(true);
  if (limit > 0) json.Key("Limit").Integer(limit);
  if (start_key) json.Key("ExclusiveStartKey").Item(start_key->attributes());
  json.EndObject();
  return body;
}

bool ReadRequest::Holds(ValueView item) const {
  if (operation != "Query") return true;
  const auto holds = [&](const KeyPart& part, const KeyRange& range) {
    const std::optional<ValueView> value = item.Find(part.name);
    return !value || range.Holds(*value);
  };
  if (!holds(plan.partition_part(), ranges.partition)) return false;
  return plan.sort_part() == nullptr || holds(*plan.sort_part(), ranges.sort);
}

std::string NotDeleted(const Entity& entity, Placeholders& placeholders) {
  const Attribute* const attribute = entity.soft_delete.empty() ? nullptr : entity.Find(entity.soft_delete);
  if (attribute == nullptr) return {};
  const std::string path = placeholders.Path(PathOf(*attribute).steps);
  // A client may have written it as NULL.
  return fmt::format("(attribute_not_exists({}) OR attribute_type({}, {}))", path, path,
                     placeholders.Value(Value("NULL")));
}

Outcome<std::string> CompileCondition(const Design& design, const Operation& operation,
                                      const std::optional<ConditionText>& condition, const Scope& scope,
                                      Placeholders& placeholders) {
  if (!condition) return std::string();
  const auto failed = [&](const ConditionError& error) {
    return Invalid({}, fmt::format("In the condition \"{}\": {}.", condition->text, error.what));
  };
  const auto parsed = Condition::Parse(condition->text);
  if (!parsed) return failed(parsed.error());
  const auto resolve = [&](std::string_view path) { return ResolvePath(design, operation.entities, path); };
  const auto text = parsed->Compile(resolve, scope, placeholders);
  if (!text) return failed(text.error());
  return *text;
}

std::string CompileProjection(const Design& design, const Operation& operation, Placeholders& placeholders) {
  if (operation.returns.empty()) return {};
  std::vector<std::vector<std::string>> paths;
  for (const std::string& name : operation.entities) {
    const Entity& entity = *design.FindEntity(name);
    const Table& table = design.TableOf(entity);
    const auto add_key = [&](const KeyPart& partition, const std::optional<KeyPart>& sort) {
      AddPath(paths, {partition.name});
      if (sort) AddPath(paths, {sort->name});
    };
    add_key(table.partition, table.sort);
    for (const Index& index : table.indexes) add_key(index.partition, index.sort);
    for (const auto& [mark, value] : entity.type) AddPath(paths, {mark});
    if (!entity.soft_delete.empty()) AddPath(paths, PathOf(*entity.Find(entity.soft_delete)).steps);
    const std::vector<std::string> own = {name};
    for (const std::string& path : operation.returns) {
      if (const auto resolved = ResolvePath(design, own, path)) AddPath(paths, resolved->steps);
    }
  }
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(placeholders.Path(path));
  return fmt::format("{}", fmt::join(texts, ", "));
}

Outcome<ReadRequest> CompileRead(const Design& design, std::string_view stage, const Operation& operation,
                                 const Scope& scope) {
  ReadRequest request;
  const bool is_scan = operation.kind == OperationKind::kScan;
  auto plan = PlanKeys(design, operation);
  if (!plan) return Fail(FailureCode::kRefused, plan.error() + ".");
  request.plan = *std::move(plan);
  request.table = design.TableName(*request.plan.table, stage);
  request.descending = operation.descending;
  request.consistent = operation.consistent;
  if (!is_scan) {
    auto ranges = RangesOf(design, operation, request.plan, scope);
    if (!ranges) return std::unexpected(AsFailure(ranges.error()));
    request.ranges = *std::move(ranges);
    request.key_condition =
        request.ranges.partition.Condition(request.plan.partition_part().name, request.placeholders);
    if (const KeyPart* const sort = request.plan.sort_part()) {
      request.key_condition =
          And(request.key_condition, request.ranges.sort.Condition(sort->name, request.placeholders));
    }
  }
  request.operation = request.key_condition.empty() ? "Scan" : "Query";
  if (request.operation == "Scan") {
    const Outcome<std::string> keys = OnlyKeysOf(design, operation, scope, request.placeholders);
    if (!keys) return std::unexpected(keys.error());
    request.filter = *keys;
  }
  const Outcome<std::string> filter = CompileFilter(design, operation, request.plan, scope, request.placeholders);
  if (!filter) return std::unexpected(filter.error());
  request.filter = And(request.filter, *filter);
  request.projection = CompileProjection(design, operation, request.placeholders);
  return request;
}

}  // namespace taula::design
