#include "design/raw_request.h"

#include <algorithm>
#include <array>
#include <map>

#include "codec/json_request.h"
#include "expression/parser.h"

namespace taula::design {
namespace {

using codec::JsonStruct;
using codec::JsonValue;
using expression::ExpressionKind;
using expression::Node;
using expression::NodeId;
using expression::Operator;
using expression::PathStep;
using expression::Syntax;
using Kind = Access::Kind;

constexpr std::array<std::string_view, 10> kOperations = {
    "GetItem", "PutItem",      "UpdateItem",     "DeleteItem",       "Query",
    "Scan",    "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"};

// Names and values of one request or one action of a transaction.
class RequestPlaceholders {
 public:
  explicit RequestPlaceholders(const JsonStruct& members) {
    if (const auto names = members["ExpressionAttributeNames"].Map("String")) {
      for (const auto& [placeholder, name] : *names) names_[std::string(placeholder)] = name.String().value_or("");
    }
    if (const auto values = members["ExpressionAttributeValues"].Map("AttributeValue")) {
      std::optional<codec::ValueFault> fault;
      for (const auto& [placeholder, value] : *values) {
        if (auto read = value.Attribute(fault)) values_.emplace(placeholder, *std::move(read));
      }
    }
  }

  [[nodiscard]] std::string NameOf(const Syntax& syntax, const PathStep& step) const {
    if (step.type == PathStep::Type::kName) return std::string(step.name);
    if (step.type == PathStep::Type::kIndex) return "";
    const auto found = names_.find(syntax.name_placeholders()[step.number]);
    return found == names_.end() ? std::string() : found->second;
  }

  // "data.title"; a list's element is the list.
  [[nodiscard]] std::string PathOf(const Syntax& syntax, const Node& path) const {
    std::string out;
    for (const PathStep& step : syntax.steps(path)) {
      if (step.type == PathStep::Type::kIndex) break;
      out.append(out.empty() ? "" : ".").append(NameOf(syntax, step));
    }
    return out;
  }

  [[nodiscard]] const Value* ValueOf(const Syntax& syntax, const Node& node) const {
    if (node.op != Operator::kValue) return nullptr;
    const auto found = values_.find(syntax.value_placeholders()[node.begin]);
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, Value, std::less<>> values_;
};

expression::SyntaxPtr ParseMember(const JsonStruct& members, std::string_view name, ExpressionKind kind) {
  const auto text = members[name].String();
  if (!text) return nullptr;
  auto syntax = expression::Parse(kind, *text);
  return syntax ? *std::move(syntax) : nullptr;
}

// Visits the parts of a conjunction.
template <typename Visit>
void ForEachConjunct(const Syntax& syntax, NodeId id, Visit visit) {
  const Node& node = syntax.node(id);
  if (node.op != Operator::kAnd) {
    visit(node);
    return;
  }
  for (const NodeId operand : syntax.operands(node)) ForEachConjunct(syntax, operand, visit);
}

KeyRange RangeFor(Operator op, const Value& first, const Value* second) {
  KeyRange range;
  switch (op) {
    case Operator::kEqual:
      return KeyRange::Of(first);
    case Operator::kLess:
    case Operator::kLessOrEqual:
      range.high = {first, op == Operator::kLess};
      return range;
    case Operator::kGreater:
    case Operator::kGreaterOrEqual:
      range.low = {first, op == Operator::kGreater};
      return range;
    case Operator::kBetween:
      range.low = {first, false};
      if (second != nullptr) range.high = {*second, false};
      return range;
    case Operator::kBeginsWith:
      return first.type() == Type::kString ? KeyRange::OfPrefix(std::string(first.view().bytes())) : range;
    default:
      return range;
  }
}

void AddKeyCondition(Access& access, std::string attribute, const KeyRange& range) {
  for (Access::KeyCondition& known : access.keys) {
    if (known.attribute != attribute) continue;
    known.range.Intersect(range);
    known.twice = true;
    return;
  }
  access.keys.push_back({std::move(attribute), range, false});
}

void ReadKeyExpression(const JsonStruct& members, const RequestPlaceholders& placeholders, Access& access) {
  const auto syntax = ParseMember(members, "KeyConditionExpression", ExpressionKind::kKeyCondition);
  if (!syntax) return;
  ForEachConjunct(*syntax, syntax->root(), [&](const Node& node) {
    const auto operands = syntax->operands(node);
    if (operands.size() < 2 || syntax->node(operands[0]).op != Operator::kPath) return;
    const Value* const first = placeholders.ValueOf(*syntax, syntax->node(operands[1]));
    const Value* const second =
        operands.size() > 2 ? placeholders.ValueOf(*syntax, syntax->node(operands[2])) : nullptr;
    if (first == nullptr) return;
    AddKeyCondition(access, placeholders.PathOf(*syntax, syntax->node(operands[0])), RangeFor(node.op, *first, second));
  });
}

// KeyConditions, which were before expressions.
void ReadKeyConditions(const JsonStruct& members, Access& access) {
  static const std::map<std::string_view, Operator> kOperators = {{"EQ", Operator::kEqual},
                                                                  {"LT", Operator::kLess},
                                                                  {"LE", Operator::kLessOrEqual},
                                                                  {"GT", Operator::kGreater},
                                                                  {"GE", Operator::kGreaterOrEqual},
                                                                  {"BETWEEN", Operator::kBetween},
                                                                  {"BEGINS_WITH", Operator::kBeginsWith}};
  const auto conditions = members["KeyConditions"].Map("Condition");
  if (!conditions) return;
  for (const auto& [attribute, json] : *conditions) {
    const auto condition = json.Struct("Condition");
    if (!condition) continue;
    const auto op = kOperators.find((*condition)["ComparisonOperator"].String().value_or(""));
    const auto list = (*condition)["AttributeValueList"].List();
    if (op == kOperators.end() || !list) continue;
    std::vector<Value> values;
    std::optional<codec::ValueFault> fault;
    for (const JsonValue each : *list) values.push_back(each.Attribute(fault).value_or(Value()));
    if (values.empty()) continue;
    AddKeyCondition(access, std::string(attribute),
                    RangeFor(op->second, values[0], values.size() > 1 ? &values[1] : nullptr));
  }
}

void ReadFilter(const JsonStruct& members, const RequestPlaceholders& placeholders, Access& access) {
  access.filtered =
      members["FilterExpression"].present() || members["QueryFilter"].present() || members["ScanFilter"].present();
  const auto syntax = ParseMember(members, "FilterExpression", ExpressionKind::kFilter);
  if (!syntax) return;
  ForEachConjunct(*syntax, syntax->root(), [&](const Node& node) {
    if (node.op != Operator::kEqual) return;
    for (const NodeId operand : syntax->operands(node)) {
      const Node& path = syntax->node(operand);
      if (path.op == Operator::kPath) access.filter_equals.push_back(placeholders.PathOf(*syntax, path));
    }
  });
}

void ReadUpdate(const JsonStruct& members, const RequestPlaceholders& placeholders, Access& access) {
  if (const auto syntax = ParseMember(members, "UpdateExpression", ExpressionKind::kUpdate)) {
    for (const auto& action : syntax->actions()) {
      access.written.push_back(placeholders.PathOf(*syntax, syntax->node(action.path)));
    }
  }
  if (const auto updates = members["AttributeUpdates"].Map("AttributeValueUpdate")) {
    for (const auto& [name, update] : *updates) access.written.emplace_back(name);
  }
}

// Of one operation, or one action of a transaction.
Access ReadAccess(Kind kind, const JsonStruct& members) {
  const RequestPlaceholders placeholders(members);
  std::optional<codec::ValueFault> fault;
  Access access;
  access.kind = kind;
  access.table = members["TableName"].String().value_or("");
  access.index = members["IndexName"].String().value_or("");
  access.item = members[kind == Kind::kPut ? "Item" : "Key"].Item(fault).value_or(Item());
  access.conditional = members["ConditionExpression"].present() || members["Expected"].present();
  if (const auto limit = members["Limit"].Integer()) access.limit = *limit;
  access.descending = !members["ScanIndexForward"].Boolean().value_or(true);
  if (kind == Kind::kQuery) {
    ReadKeyExpression(members, placeholders, access);
    ReadKeyConditions(members, access);
  }
  if (kind == Kind::kQuery || kind == Kind::kScan) ReadFilter(members, placeholders, access);
  if (kind == Kind::kUpdate) ReadUpdate(members, placeholders, access);
  return access;
}

void ReadBatchGet(const JsonStruct& body, RawRequest& request) {
  const auto tables = body["RequestItems"].Map("KeysAndAttributes");
  if (!tables) return;
  for (const auto& [table, json] : *tables) {
    const auto members = json.Struct("KeysAndAttributes");
    const auto keys = members ? (*members)["Keys"].List() : std::nullopt;
    if (!keys) continue;
    for (const JsonValue key : *keys) {
      std::optional<codec::ValueFault> fault;
      request.accesses.push_back(
          {.kind = Kind::kGet, .table = std::string(table), .item = key.Item(fault).value_or(Item())});
    }
  }
}

void ReadBatchWrite(const JsonStruct& body, RawRequest& request) {
  const auto tables = body["RequestItems"].Map("java.util.List");
  if (!tables) return;
  for (const auto& [table, json] : *tables) {
    const auto writes = json.List();
    if (!writes) continue;
    for (const JsonValue write : *writes) {
      const auto members = write.Struct("WriteRequest");
      if (!members) continue;
      const auto put = (*members)["PutRequest"].Struct("PutRequest");
      const auto erase = (*members)["DeleteRequest"].Struct("DeleteRequest");
      if (!put && !erase) continue;
      request.accesses.push_back(put ? ReadAccess(Kind::kPut, *put) : ReadAccess(Kind::kDelete, *erase));
      request.accesses.back().table = table;
    }
  }
}

void ReadTransaction(const JsonStruct& body, RawRequest& request) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 5> kActions = {{{"Get", Kind::kGet},
                                                                                 {"Put", Kind::kPut},
                                                                                 {"Update", Kind::kUpdate},
                                                                                 {"Delete", Kind::kDelete},
                                                                                 {"ConditionCheck", Kind::kCheck}}};
  const auto items = body["TransactItems"].List();
  if (!items) return;
  for (const JsonValue item : *items) {
    const auto members = item.Struct("TransactWriteItem");
    if (!members) continue;
    for (const auto& [name, kind] : kActions) {
      if (const auto action = (*members)[name].Struct(name)) request.accesses.push_back(ReadAccess(kind, *action));
    }
  }
}

ReturnConsumedCapacity ReadWantedCapacity(const JsonStruct& body) {
  const std::string_view text = body["ReturnConsumedCapacity"].String().value_or("");
  if (text == "INDEXES") return ReturnConsumedCapacity::kIndexes;
  return text == "TOTAL" ? ReturnConsumedCapacity::kTotal : ReturnConsumedCapacity::kNone;
}

}  // namespace

const Access::KeyCondition* Access::FindKey(std::string_view attribute) const {
  const auto found = std::ranges::find(keys, attribute, &KeyCondition::attribute);
  return found == keys.end() ? nullptr : &*found;
}

bool IsItemOperation(std::string_view operation) {
  return std::ranges::find(kOperations, operation) != kOperations.end();
}

std::optional<RawRequest> ReadRawRequest(std::string_view operation, std::string_view body) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 6> kSingle = {{{"GetItem", Kind::kGet},
                                                                                {"PutItem", Kind::kPut},
                                                                                {"UpdateItem", Kind::kUpdate},
                                                                                {"DeleteItem", Kind::kDelete},
                                                                                {"Query", Kind::kQuery},
                                                                                {"Scan", Kind::kScan}}};
  if (!IsItemOperation(operation)) return std::nullopt;
  codec::JsonBody parser;
  const auto members = parser.Parse(body);
  if (!members) return std::nullopt;
  RawRequest request;
  request.operation = operation;
  request.wanted_capacity = ReadWantedCapacity(*members);
  for (const auto& [name, kind] : kSingle) {
    if (name == operation) request.accesses.push_back(ReadAccess(kind, *members));
  }
  if (operation == "BatchGetItem") ReadBatchGet(*members, request);
  if (operation == "BatchWriteItem") ReadBatchWrite(*members, request);
  if (operation.starts_with("Transact")) ReadTransaction(*members, request);
  return request;
}

}  // namespace taula::design
