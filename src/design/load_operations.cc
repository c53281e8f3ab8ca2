#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "design/load_parts.h"
#include "design/members.h"

namespace taula::design {
namespace {

// Where an operation stands decides which kinds it may have.
enum class Role : std::uint8_t { kNamed, kStep, kRead };

constexpr std::int64_t kLimitMax = 1000;

std::vector<std::string_view> KnownMembers() {
  std::vector<std::string_view> names;
  for (const OperationKindName& kind : kOperationKinds) names.push_back(kind.name);
  for (const OperationMember& member : kOperationMembers) names.push_back(member.name);
  return names;
}

bool IsAllowed(OperationKind kind, Role role) {
  switch (role) {
    case Role::kNamed:
      return kind != OperationKind::kCheck;
    case Role::kStep:
      return kind == OperationKind::kCreate || kind == OperationKind::kPut || kind == OperationKind::kUpdate ||
             kind == OperationKind::kDelete || kind == OperationKind::kCheck;
    case Role::kRead:
      return kind == OperationKind::kGet || kind == OperationKind::kQuery;
  }
  return false;
}

std::string_view AllowedKinds(Role role) {
  switch (role) {
    case Role::kNamed:
      return "get, create, put, update, delete, query, scan, batch-get, batch-put, verify or transaction";
    case Role::kStep:
      return "create, put, update, delete or check";
    case Role::kRead:
      return "get, or query with one: true";
  }
  return "";
}

// "query, verify"
std::string Listed(OperationKinds kinds) {
  std::string listed;
  for (const OperationKindName& each : kOperationKinds) {
    if (kinds.Has(each.kind)) listed += fmt::format("{}{}", listed.empty() ? "" : ", ", each.name);
  }
  return listed;
}

// One operation and what it is read from.
class OperationReader {
 public:
  OperationReader(std::string name, Place place, const YamlNode& node, Role role, const Design& design,
                  Complaints& complaints)
      : design_(design),
        complaints_(complaints),
        role_(role),
        reader_(node, Describe(name, role), KnownMembers(), complaints),
        operation_{.name = std::move(name), .place = place} {}

  Operation Read() {
    const YamlMember* kind = ReadKind();
    if (kind == nullptr) return std::move(operation_);
    RefuseMembersOfOtherKinds();
    if (operation_.kind == OperationKind::kTransaction) {
      ReadSteps(kind->value);
    } else {
      ReadEntityNames(*kind);
    }
    ReadWhatIsRead();
    ReadWhatIsWritten();
    ReadParameters();
    ReadNamedReads();
    ReadVerify();
    return std::move(operation_);
  }

 private:
  static std::string Describe(std::string_view name, Role role) {
    if (role == Role::kStep) return fmt::format("a step of '{}'", name);
    return fmt::format("{} '{}'", role == Role::kRead ? "read" : "operation", name);
  }

  // The member that says what kind of operation it is.
  const YamlMember* ReadKind() {
    const YamlMember* kind = nullptr;
    for (const OperationKindName& each : kOperationKinds) {
      const YamlMember* member = reader_.FindMember(each.name);
      if (member == nullptr) continue;
      if (kind != nullptr) {
        complaints_.Error("wrong-kind", std::max(member->place, kind->place),
                          fmt::format("{} is both '{}' and '{}'", reader_.owner(), kind->name, member->name),
                          "An operation is of one kind; several writes at once are a transaction.");
        return nullptr;
      }
      kind = member;
      operation_.kind = each.kind;
    }
    // Of a map with nothing but mistaken names those are said already.
    if (kind == nullptr && (!reader_.members().empty() || reader_.is_empty_map())) {
      complaints_.Error("wrong-kind", reader_.place(), fmt::format("{} does not say what it does", reader_.owner()),
                        fmt::format("It needs one of {}.", AllowedKinds(role_)));
    } else if (kind != nullptr && !IsAllowed(operation_.kind, role_)) {
      complaints_.Error("wrong-kind", kind->place, fmt::format("{} cannot be '{}'", reader_.owner(), kind->name),
                        fmt::format("It is {}.", AllowedKinds(role_)));
      return nullptr;
    }
    return kind;
  }

  void RefuseMembersOfOtherKinds() {
    for (const OperationMember& member : kOperationMembers) {
      const YamlMember* found = reader_.FindMember(member.name);
      if (found == nullptr) continue;
      if (!member.kinds.Has(operation_.kind)) {
        complaints_.Error(
            "misplaced-member", found->place,
            fmt::format("'{}' means nothing in an operation of kind '{}'", member.name, NameOf(operation_.kind)),
            fmt::format("It belongs to operations of kind {}.", Listed(member.kinds)));
      } else if (member.name == "for" && role_ != Role::kStep) {
        complaints_.Error("misplaced-member", found->place, "'for' is only for the steps of a transaction");
      }
    }
  }

  void ReadEntityNames(const YamlMember& kind) {
    operation_.entities_place = kind.value.place;
    const std::vector<PlacedName> names = reader_.Names(kind.name);
    const bool may_be_several = operation_.kind == OperationKind::kQuery || operation_.kind == OperationKind::kScan;
    const bool are_several = names.size() > 1;
    if (names.empty() || (are_several && !may_be_several)) {
      complaints_.Error("wrong-type", kind.value.place, fmt::format("'{}' needs the name of one entity", kind.name));
      return;
    }
    std::vector<std::string_view> known;
    for (const Entity& entity : design_.entities) known.push_back(entity.name);
    for (const PlacedName& name : names) {
      const Entity* entity = design_.FindEntity(name.text);
      if (entity == nullptr) {
        complaints_.UnknownName(name.place, "the design", "entity", name.text, known);
      } else if (!entities_.empty() && entities_.front()->table != entity->table) {
        complaints_.Error("wrong-kind", name.place,
                          fmt::format("'{}' and '{}' are in different tables, and one {} reads one table",
                                      entities_.front()->name, name.text, kind.name));
      } else {
        entities_.push_back(entity);
        operation_.entities.push_back(name.text);
      }
    }
  }

  // Names of attributes of any of the operation's entities.
  std::vector<std::string> ReadAttributeNames(std::string_view member) {
    std::vector<std::string> names;
    for (PlacedName& name : reader_.Names(member)) {
      RequirePath(name.text, name.place);
      names.push_back(std::move(name.text));
    }
    return names;
  }

  // "status", "data.title" or a field of a map attribute.
  void RequirePath(std::string_view path, Place place) {
    if (entities_.empty()) return;
    std::vector<std::string_view> known;
    for (const Entity* entity : entities_) {
      if (IsPathOf(*entity, path)) return;
      for (const Attribute& attribute : entity->attributes) known.push_back(attribute.name);
    }
    complaints_.UnknownName(place, fmt::format("entity '{}'", entities_.front()->name), "attribute", path, known);
  }

  static bool IsPathOf(const Entity& entity, std::string_view path) {
    const std::size_t dot = path.find('.');
    if (!entity.map.empty() && path.substr(0, dot) == entity.map) {
      return dot == std::string_view::npos || entity.Find(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1));
    }
    const Attribute* attribute = entity.Find(path.substr(0, dot));
    if (attribute == nullptr || dot == std::string_view::npos) return attribute != nullptr;
    return attribute->type == AttributeType::kMap || attribute->type == AttributeType::kAny;
  }

  void ReadWhatIsRead() {
    operation_.description = reader_.Text("description");
    for (PlacedName& row : reader_.Names("covers")) operation_.covers.push_back(std::move(row.text));
    operation_.by = ReadAttributeNames("by");
    operation_.by_place = operation_.entities_place;
    if (const YamlNode* by = reader_.Find("by")) operation_.by_place = by->place;
    operation_.key = ReadAssignments("key");
    ReadIndexName();
    ReadWhere();
    operation_.filter = ReadCondition("filter");
    operation_.condition = ReadCondition("if");
    constexpr std::array<std::pair<std::string_view, bool>, 2> kOrders = {{{"ascending", false}, {"descending", true}}};
    operation_.descending = reader_.Choice<bool>("order", kOrders, false);
    operation_.limit = reader_.Integer("limit", 1, kLimitMax);
    operation_.one = reader_.Boolean("one");
    constexpr std::array<std::pair<std::string_view, bool>, 2> kDeleted = {{{"include", true}, {"exclude", false}}};
    operation_.include_deleted = reader_.Choice<bool>("deleted", kDeleted, false);
    operation_.consistent = reader_.Boolean("consistent");
    operation_.returns = ReadAttributeNames("returns");
  }

  void ReadIndexName() {
    const YamlNode* node = reader_.Find("index");
    if (node == nullptr) return;
    operation_.index = reader_.Text("index");
    operation_.index_place = node->place;
    if (entities_.empty()) return;
    const Table* table = design_.FindTable(entities_.front()->table);
    if (table == nullptr || table->FindIndex(operation_.index) != nullptr) return;
    std::vector<std::string_view> known;
    for (const Index& index : table->indexes) known.push_back(index.name);
    complaints_.UnknownName(node->place, fmt::format("table '{}'", table->id), "index", operation_.index, known);
  }

  void ReadWhere() {
    const YamlNode* node = reader_.Find("where");
    if (node == nullptr) return;
    const MapReader where(*node, "'where'", complaints_);
    for (const YamlMember* member : where.members()) {
      RequirePath(member->name, member->place);
      ReadBounds(*member);
    }
  }

  void ReadBounds(const YamlMember& member) {
    constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisons = {
        {{"after", Comparison::kAfter},
         {"from", Comparison::kFrom},
         {"before", Comparison::kBefore},
         {"until", Comparison::kUntil},
         {"between", Comparison::kBetween},
         {"starts-with", Comparison::kStartsWith}}};
    const MapReader reader(member.value, fmt::format("'where' on '{}'", member.name), kBoundMembers, complaints_);
    if (member.value.kind == YamlNode::Kind::kMap && reader.members().empty()) {
      complaints_.Error("missing-member", member.place, fmt::format("'{}' has no bound", member.name),
                        "Give it after, from, before, until, between or starts-with.");
    }
    for (const YamlMember* bound : reader.members()) {
      const auto* const found =
          std::ranges::find(kComparisons, bound->name, &decltype(kComparisons)::value_type::first);
      if (found != kComparisons.end()) AddBound(member.name, found->second, *bound);
    }
    JoinFromAndUntil();
  }

  void AddBound(const std::string& attribute, Comparison comparison, const YamlMember& member) {
    Bound bound{.attribute = attribute, .comparison = comparison, .place = member.place};
    if (comparison != Comparison::kBetween) {
      bound.low = ReadTerm(member.value, complaints_);
    } else if (member.value.kind == YamlNode::Kind::kList && member.value.list.size() == 2) {
      bound.low = ReadTerm(member.value.list[0], complaints_);
      bound.high = ReadTerm(member.value.list[1], complaints_);
    } else {
      complaints_.Error("wrong-type", member.value.place, "'between' needs a list of two values");
    }
    operation_.where.push_back(std::move(bound));
  }

  // "from" with "until" on one attribute is what BETWEEN says in one condition.
  void JoinFromAndUntil() {
    if (operation_.where.size() < 2) return;
    Bound& first = *(operation_.where.end() - 2);
    Bound& second = operation_.where.back();
    if (first.attribute != second.attribute) return;
    if (first.comparison == Comparison::kUntil) std::swap(first, second);
    if (first.comparison != Comparison::kFrom || second.comparison != Comparison::kUntil) return;
    first.comparison = Comparison::kBetween;
    first.high = std::move(second.low);
    operation_.where.pop_back();
  }

  std::optional<ConditionText> ReadCondition(std::string_view member) {
    const YamlNode* node = reader_.Find(member);
    if (node == nullptr) return std::nullopt;
    return ConditionText{.text = reader_.Text(member), .place = node->place};
  }

  std::vector<Assignment> ReadAssignments(std::string_view member) {
    const YamlNode* node = reader_.Find(member);
    if (node == nullptr) return {};
    std::vector<Assignment> assignments;
    const MapReader values(*node, fmt::format("'{}'", member), complaints_);
    for (const YamlMember* value : values.members()) {
      RequirePath(value->name, value->place);
      assignments.push_back({.path = value->name, .value = ReadTerm(value->value, complaints_), .place = value->place});
    }
    return assignments;
  }

  void ReadWhatIsWritten() {
    operation_.change = ReadAttributeNames("change");
    operation_.set = ReadAssignments("set");
    operation_.add = ReadAssignments("add");
    operation_.remove = ReadAttributeNames("remove");
    operation_.let = ReadTerms("let");
    const YamlNode* node = reader_.Find("for");
    if (node != nullptr) ReadFor(*node);
  }

  // "item in items"
  void ReadFor(const YamlNode& node) {
    const std::string text = reader_.Text("for");
    const std::size_t in = text.find(" in ");
    if (in == std::string::npos || in == 0 || in + 4 >= text.size()) {
      complaints_.Error("wrong-type", node.place, "'for' is written 'item in items'");
      return;
    }
    operation_.for_each_variable = text.substr(0, in);
    operation_.for_each_list = text.substr(in + 4);
    RequireName(operation_.for_each_variable, node.place, "a variable", complaints_);
    RequireName(operation_.for_each_list, node.place, "a parameter", complaints_);
  }

  std::vector<std::pair<std::string, Term>> ReadTerms(std::string_view member) {
    std::vector<std::pair<std::string, Term>> terms;
    const YamlNode* node = reader_.Find(member);
    if (node == nullptr) return terms;
    const MapReader values(*node, fmt::format("'{}'", member), complaints_);
    for (const YamlMember* value : values.members()) {
      RequireName(value->name, value->place, "a value", complaints_);
      terms.emplace_back(value->name, ReadTerm(value->value, complaints_));
    }
    return terms;
  }

  void ReadParameters() {
    const YamlNode* node = reader_.Find("parameters");
    if (node == nullptr) return;
    const MapReader parameters(*node, "'parameters'", complaints_);
    for (const YamlMember* member : parameters.members()) {
      RequireName(member->name, member->place, "a parameter", complaints_);
      operation_.parameters.push_back(
          ReadAttribute(member->name, member->place, member->value, Defaults::kLeft, complaints_));
      if (const YamlNode* value = member->value.Find("default")) {
        operation_.parameter_defaults.emplace_back(member->name, ReadTerm(*value, complaints_));
      }
    }
  }

  void ReadSteps(const YamlNode& steps) {
    operation_.entities_place = steps.place;
    if (steps.kind != YamlNode::Kind::kList || steps.list.empty()) {
      complaints_.Error("wrong-type", steps.place, "a transaction is a list of steps");
      return;
    }
    for (const YamlNode& step : steps.list) {
      operation_.steps.push_back(
          OperationReader(operation_.name, step.place, step, Role::kStep, design_, complaints_).Read());
    }
  }

  void ReadNamedReads() {
    const YamlNode* node = reader_.Find("read");
    if (node == nullptr) return;
    const MapReader reads(*node, "'read'", complaints_);
    for (const YamlMember* member : reads.members()) {
      RequireName(member->name, member->place, "what is read", complaints_);
      NamedRead read{.name = member->name};
      read.operation.push_back(
          OperationReader(member->name, member->place, member->value, Role::kRead, design_, complaints_).Read());
      const Operation& operation = read.operation.back();
      if (operation.kind == OperationKind::kQuery && !operation.one) {
        complaints_.Error("wrong-kind", member->place,
                          fmt::format("'{}' reads one item, and a query may give many", member->name),
                          "Add one: true.");
      }
      operation_.read.push_back(std::move(read));
    }
  }

  void ReadVerify() {
    if (operation_.kind != OperationKind::kVerify) return;
    operation_.with = reader_.RequireText("with");
    operation_.secret = reader_.Text("secret");
    if (entities_.empty()) return;
    std::vector<std::string_view> secrets;
    for (const Attribute& attribute : entities_.front()->attributes) {
      if (attribute.type == AttributeType::kBcrypt) secrets.push_back(attribute.name);
    }
    const YamlNode* given = reader_.Find("secret");
    if (given == nullptr && secrets.size() == 1) {
      operation_.secret = secrets.front();
    } else if (given == nullptr) {
      complaints_.Error("missing-member", operation_.place,
                        fmt::format("entity '{}' has {} bcrypt attributes, so '{}' cannot tell which to verify",
                                    entities_.front()->name, secrets.empty() ? "no" : "several", operation_.name),
                        secrets.empty() ? "Give the attribute with the password the type bcrypt." : "Add 'secret'.");
    } else if (std::ranges::find(secrets, operation_.secret) == secrets.end()) {
      complaints_.UnknownName(given->place, fmt::format("entity '{}'", entities_.front()->name), "bcrypt attribute",
                              operation_.secret, secrets);
    }
  }

  const Design& design_;
  Complaints& complaints_;
  Role role_;
  MapReader reader_;
  Operation operation_;
  std::vector<const Entity*> entities_;  // those that were found
};

}  // namespace

std::vector<Operation> ReadOperations(const YamlNode& node, const Design& design, Complaints& complaints) {
  std::vector<Operation> operations;
  const MapReader reader(node, "'operations'", complaints);
  for (const YamlMember* member : reader.members()) {
    RequireName(member->name, member->place, "an operation", complaints);
    operations.push_back(
        OperationReader(member->name, member->place, member->value, Role::kNamed, design, complaints).Read());
  }
  return operations;
}

}  // namespace taula::design
