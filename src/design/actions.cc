#include "design/actions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random_id.h"
#include "codec/json_writer.h"
#include "expression/bindings.h"
#include "expression/condition.h"
#include "expression/parser.h"
#include "expression/update.h"

namespace taula::design {
namespace {

constexpr std::size_t kActionsMax = 100;

using Outcome = std::expected<Performed, NotPerformed>;

std::unexpected<NotPerformed> Failed(Failure failure) { return std::unexpected(NotPerformed{std::move(failure)}); }

std::string_view OperationOf(Action::Kind kind) {
  switch (kind) {
    case Action::Kind::kPut:
      return "PutItem";
    case Action::Kind::kUpdate:
      return "UpdateItem";
    case Action::Kind::kDelete:
      return "DeleteItem";
    case Action::Kind::kCheck:
      break;
  }
  return "ConditionCheck";
}

std::string_view MemberOf(Action::Kind kind) {
  switch (kind) {
    case Action::Kind::kPut:
      return "Put";
    case Action::Kind::kUpdate:
      return "Update";
    case Action::Kind::kDelete:
      return "Delete";
    case Action::Kind::kCheck:
      break;
  }
  return "ConditionCheck";
}

std::string_view VerbOf(Action::Purpose purpose) {
  switch (purpose) {
    case Action::Purpose::kCreate:
      return "create";
    case Action::Purpose::kPut:
      return "put";
    case Action::Purpose::kUpdate:
      return "update";
    case Action::Purpose::kDelete:
      return "delete";
    default:
      return "check";
  }
}

void WriteMembers(codec::JsonWriter& json, const Action& action) {
  json.Key("TableName").String(action.table);
  if (action.kind == Action::Kind::kPut) {
    json.Key("Item").Item(action.item.attributes());
  } else {
    json.Key("Key").Item(action.key.attributes());
  }
  const std::string update = action.UpdateExpression();
  if (!update.empty()) json.Key("UpdateExpression").String(update);
  if (!action.condition.empty()) {
    json.Key("ConditionExpression").String(action.condition);
    json.Key("ReturnValuesOnConditionCheckFailure").String("ALL_OLD");
  }
  action.placeholders.Write(json);
}

std::string SingleBody(const Action& action) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  WriteMembers(json, action);
  if (action.kind == Action::Kind::kUpdate) json.Key("ReturnValues").String("ALL_NEW");
  if (action.kind == Action::Kind::kDelete) json.Key("ReturnValues").String("ALL_OLD");
  json.EndObject();
  return body;
}

std::string TransactionBody(std::span<const Action> actions) {
  std::string body;
  codec::JsonWriter json(body);
  json.BeginObject();
  json.Key("ClientRequestToken").String(base::UuidV4());
  json.Key("TransactItems").BeginArray();
  for (const Action& action : actions) {
    json.BeginObject();
    json.Key(MemberOf(action.kind)).BeginObject();
    WriteMembers(json, action);
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return body;
}

// "Step 2, update Product: …"
std::string Placed(const Action& action, std::string text) {
  if (!action.step || action.entity == nullptr) return text;
  return fmt::format("Step {}, {} {}: {}", *action.step + 1, VerbOf(action.purpose), action.entity->name, text);
}

bool IsDeletedSoftly(const Action& action, const std::optional<Item>& item) {
  if (!action.must_not_be_deleted || !item) return false;
  const Attribute* const attribute = action.entity->Find(action.entity->soft_delete);
  std::optional<ValueView> inside = item->view();
  if (!attribute->map.empty()) inside = inside->Find(attribute->map);
  if (!inside || inside->type() != Type::kMap) return false;
  const auto deleted = inside->Find(attribute->name);
  return deleted && deleted->type() != Type::kNull;
}

NotPerformed OfError(const Error& error, const Action& action) {
  if (std::optional<Failure> broken = BrokenRule(error.message)) {
    broken->message = Placed(action, std::move(broken->message));
    return {*std::move(broken)};
  }
  if (error.code == ErrorCode::kConditionalCheckFailedException) return Unmet(action, error.item);
  return {FailureOf(error)};
}

Result<void> AddPlaceholders(const Placeholders& placeholders, expression::Bindings& bindings) {
  for (const auto& [placeholder, name] : placeholders.names()) {
    if (auto added = bindings.AddName(placeholder, name); !added) return added;
  }
  for (const auto& [placeholder, value] : placeholders.values()) {
    if (auto added = bindings.AddValue(placeholder, value.view()); !added) return added;
  }
  return {};
}

// The first action that did not do says most; those that only met another
// transaction say least.
NotPerformed OfReasons(const Error& error, std::span<const Action> actions) {
  std::optional<NotPerformed> first;
  for (std::size_t i = 0; i < std::min(actions.size(), error.cancellation_reasons.size()); ++i) {
    const CancellationReason& reason = error.cancellation_reasons[i];
    if (reason.code == "None" || reason.code == "TransactionConflict") continue;
    NotPerformed here;
    if (std::optional<Failure> broken = BrokenRule(reason.message)) {
      broken->message = Placed(actions[i], std::move(broken->message));
      here.failure = *std::move(broken);
    } else if (reason.code == "ConditionalCheckFailed") {
      here = Unmet(actions[i], reason.item);
    } else {
      const bool is_load = reason.code == "ThrottlingError" || reason.code == "ProvisionedThroughputExceeded";
      here.failure = {is_load ? FailureCode::kThrottled : FailureCode::kRefused,
                      Placed(actions[i], reason.message.empty() ? reason.code : reason.message),
                      {}};
    }
    // What was read and has changed comes before what that may have caused.
    if (here.has_changed) return here;
    if (!first) first = std::move(here);
  }
  if (first) return *std::move(first);
  return {FailureOf(error)};
}

Outcome PerformOne(const Calls& calls, const Action& action) {
  const auto answer = calls.Call(OperationOf(action.kind), SingleBody(action), Calls::Repeat::kHarmful);
  if (!answer) return std::unexpected(OfError(answer.error(), action));
  Result<std::optional<Item>> attributes = Calls::ItemIn(*answer, "Attributes");
  if (!attributes) return Failed(FailureOf(attributes.error()));
  return Performed{*std::move(attributes)};
}

std::string TargetOf(const Action& action) { return action.table + '\0' + action.key.encoded(); }

// DynamoDB takes each item once a transaction.
std::optional<Failure> FindRepeated(std::span<const Action> actions) {
  std::vector<std::pair<std::string, const Action*>> targets;
  for (const Action& action : actions) targets.emplace_back(TargetOf(action), &action);
  std::ranges::stable_sort(targets, {}, &std::pair<std::string, const Action*>::first);
  const auto repeated = std::ranges::adjacent_find(targets, {}, &std::pair<std::string, const Action*>::first);
  if (repeated == targets.end()) return std::nullopt;
  const Action& action = *(repeated + 1)->second;
  if (action.purpose == Action::Purpose::kGuard) {
    return Failure{FailureCode::kNotUnique, fmt::format("Two items would have {}.", action.meaning), {}};
  }
  return Failure{FailureCode::kInvalidParameter,
                 Placed(action, "It is about an item that another step is about, and a transaction takes each once."),
                 {}};
}

}  // namespace

NotPerformed Unmet(const Action& action, const std::optional<Item>& item) {
  const std::string name = action.entity == nullptr ? std::string("item") : action.entity->name;
  const auto failed = [&](FailureCode code, std::string text) {
    return NotPerformed{{code, Placed(action, std::move(text)), {}}};
  };
  if (action.purpose == Action::Purpose::kGuard) {
    return failed(FailureCode::kNotUnique, fmt::format("Another item has {}.", action.meaning));
  }
  const auto is_broken = [&](const Binding& binding) { return item ? !binding.Holds(item->view()) : true; };
  if (!action.bindings.empty() && (item || action.purpose == Action::Purpose::kRead) &&
      std::ranges::any_of(action.bindings, is_broken)) {
    NotPerformed changed = failed(FailureCode::kConflict, "What was read has changed since; try again.");
    changed.has_changed = true;
    return changed;
  }
  if (action.purpose == Action::Purpose::kRead) {
    NotPerformed changed = failed(FailureCode::kConflict, "What was read is gone; try again.");
    changed.has_changed = true;
    return changed;
  }
  if (action.purpose == Action::Purpose::kCreate && (item || !action.has_own_condition)) {
    return failed(FailureCode::kAlreadyExists, fmt::format("There is such a {} already.", name));
  }
  const bool is_change = action.purpose == Action::Purpose::kUpdate || action.purpose == Action::Purpose::kDelete;
  const bool is_absent = !item || IsDeletedSoftly(action, item);
  // Of a step with a condition it is the condition that is not met; alone, that
  // there is nothing to change says more.
  if (is_change && is_absent && (!action.has_own_condition || !action.step)) {
    return failed(FailureCode::kNotFound, fmt::format("There is no such {}.", name));
  }
  return failed(FailureCode::kConditionFailed, fmt::format("The {} does not meet the condition.", name));
}

bool Binding::Holds(ValueView item) const {
  std::optional<ValueView> at = item;
  for (const std::string& step : path) {
    if (at->type() != Type::kMap) return !expected;
    at = at->Find(step);
    if (!at) return !expected;
  }
  return expected && *at == expected->view();
}

void Action::Bind(Binding binding) {
  const std::string path = placeholders.Path(binding.path);
  const std::string clause = binding.expected ? fmt::format("{} = {}", path, placeholders.Value(*binding.expected))
                                              : fmt::format("attribute_not_exists({})", path);
  condition = And(condition, clause);
  bindings.push_back(std::move(binding));
}

std::string Action::UpdateExpression() const {
  std::string text;
  if (!set.empty()) text = fmt::format("SET {}", fmt::join(set, ", "));
  if (!remove.empty()) text.append(fmt::format("{}REMOVE {}", text.empty() ? "" : " ", fmt::join(remove, ", ")));
  return text;
}

Result<Item> ApplyLocally(const Action& update, ValueView before) {
  const std::string text = update.UpdateExpression();
  if (text.empty()) return Item(before);
  const auto syntax = expression::Parse(expression::ExpressionKind::kUpdate, text);
  if (!syntax) return std::unexpected(syntax.error());
  expression::Bindings bindings;
  if (const auto added = AddPlaceholders(update.placeholders, bindings); !added) return std::unexpected(added.error());
  const auto bound = expression::Update::Bind(*syntax, bindings);
  if (!bound) return std::unexpected(bound.error());
  return bound->Apply(before.map());
}

Result<bool> MeetsCondition(const Action& action, const std::optional<Item>& item) {
  if (action.condition.empty()) return true;
  const auto syntax = expression::Parse(expression::ExpressionKind::kCondition, action.condition);
  if (!syntax) return std::unexpected(syntax.error());
  expression::Bindings bindings;
  if (const auto added = AddPlaceholders(action.placeholders, bindings); !added) return std::unexpected(added.error());
  const auto bound = expression::Condition::Bind(expression::ExpressionKind::kCondition, *syntax, bindings);
  if (!bound) return std::unexpected(bound.error());
  return bound->Evaluate(item ? item->attributes() : Item().attributes());
}

std::expected<Performed, NotPerformed> Perform(const Calls& calls, std::span<const Action> actions) {
  if (actions.empty()) return Performed{};
  if (actions.size() == 1 && actions.front().kind != Action::Kind::kCheck) return PerformOne(calls, actions.front());
  if (actions.size() > kActionsMax) {
    return Failed(
        {FailureCode::kInvalidParameter,
         fmt::format("That would be {} writes and checks; a transaction takes {}.", actions.size(), kActionsMax),
         {}});
  }
  if (std::optional<Failure> repeated = FindRepeated(actions)) return Failed(*std::move(repeated));
  // The token in the body makes a second try of the same body harmless.
  const auto answer = calls.Call("TransactWriteItems", TransactionBody(actions), Calls::Repeat::kHarmless);
  if (answer) return Performed{};
  const Error& error = answer.error();
  if (error.code == ErrorCode::kTransactionCanceledException && !error.cancellation_reasons.empty()) {
    return std::unexpected(OfReasons(error, actions));
  }
  return Failed(FailureOf(error));
}

}  // namespace taula::design
