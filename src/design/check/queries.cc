// Whether keys and indexes serve what operations ask for.
#include <fmt/core.h>

#include <algorithm>

#include "design/check/families.h"
#include "design/check/portable_form.h"
#include "design/item_path.h"
#include "design/key_language.h"
#include "design/key_plan.h"
#include "design/terms.h"

namespace taula::design {
namespace {

using Reach = KeyPlan::Reach;

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool Includes(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  return std::ranges::all_of(some, [&](const std::string& name) { return Contains(all, name); });
}

// Whether a term makes a new id each time, perhaps through a name of `let`.
bool MakesId(const Term& term, const Operation& whole) {
  if (term.kind != Term::Kind::kText) return false;
  return std::ranges::any_of(term.text.parts(), [&](const Template::Part& part) {
    if (part.reference == "ulid" || part.reference == "uuid") return true;
    const auto let = std::ranges::find(whole.let, part.reference, &std::pair<std::string, Term>::first);
    return let != whole.let.end() && MakesId(let->second, Operation{});
  });
}

// Whether no two items can have one value, because every operation that writes
// new ones makes it.
bool IsMadeId(const Design& design, const Entity& entity, const Attribute& attribute) {
  if (attribute.generated) return true;
  bool is_made = false;
  bool is_given = false;
  const auto look = [&](const Operation& whole, const Operation& operation) {
    const bool makes_items = operation.kind == OperationKind::kCreate || operation.kind == OperationKind::kPut ||
                             operation.kind == OperationKind::kBatchPut;
    if (!makes_items || !Contains(operation.entities, entity.name)) return;
    const auto set = std::ranges::find(operation.set, attribute.name, &Assignment::path);
    const bool makes_it = set != operation.set.end() && MakesId(set->value, whole);
    (makes_it ? is_made : is_given) = true;
  };
  for (const Operation& operation : design.operations) {
    look(operation, operation);
    for (const Operation& step : operation.steps) look(operation, step);
  }
  const bool is_id = attribute.type == AttributeType::kUlid || attribute.type == AttributeType::kUuid;
  return !is_given && (is_made || is_id);
}

class QueryCheck {
 public:
  QueryCheck(const Design& design, const Operation& operation, Findings& findings)
      : design_(design),
        operation_(operation),
        entity_(*design.FindEntity(operation.entities.front())),
        findings_(findings) {}

  void Run() {
    const std::expected<KeyPlan, std::string> plan = PlanKeys(design_, operation_);
    if (!plan) {
      const bool has_index = !operation_.index.empty();
      findings_.Error("unserved-operation", has_index ? operation_.index_place : operation_.by_place,
                      {.what = fmt::format("'{}' cannot run: {}", operation_.name, plan.error()),
                       .why = "Only items with all attributes of an index's key are in it.",
                       .fix = fmt::format("Give the entity templates for the index, or read it through another.")});
      return;
    }
    if (IsLookup() && operation_.index.empty()) {
      CheckWholeKey(*plan);
    } else if (plan->partition == Reach::kWhole) {
      CheckRest(*plan);
      CheckOthers(*plan);
      CheckUnique();
    } else {
      CheckRefused(*plan);
    }
    CheckConsistent(*plan);
  }

 private:
  [[nodiscard]] bool IsLookup() const {
    return operation_.kind == OperationKind::kUpdate || operation_.kind == OperationKind::kDelete;
  }

  // An update or a delete whose `by` is not an index's.
  void CheckWholeKey(const KeyPlan& plan) {
    const bool has_all = plan.partition == Reach::kWhole && (plan.sort_part() == nullptr || plan.sort == Reach::kWhole);
    if (has_all && plan.filtered_by.empty()) return;
    findings_.Error(
        "unserved-operation", operation_.by_place,
        {.what = fmt::format("'{}' does not tell which item it writes", operation_.name),
         .why = fmt::format("The key of '{}' consists of {}.", entity_.name, Listed(KeyAttributes(entity_))),
         .fix = "Leave out 'by', so that the caller gives the key; or add the 'index' through which the "
                "item is found."});
  }

  [[nodiscard]] bool ServesNothing(const KeyPlan& plan) const {
    return plan.filtered_by.size() == operation_.by.size() && plan.filtered_where.size() == operation_.where.size();
  }

  void CheckRefused(const KeyPlan& plan) {
    const std::string read = NameOf(*plan.table, plan.index);
    if (ServesNothing(plan)) {
      const bool asks = !operation_.by.empty() || !operation_.where.empty();
      findings_.Error(
          "unserved-operation", operation_.by_place,
          {.what = asks ? fmt::format("no key of {} serves '{}'", read, operation_.name)
                        : fmt::format("'{}' does not say which items of {} it reads", operation_.name, read),
           .why = fmt::format("The partition key of '{}' there is \"{}\", and a query needs all of it.", entity_.name,
                              PartitionText(plan)),
           .fix = asks ? fmt::format("Add an index, such as {}.", IndexFor(design_, operation_))
                       : "Add 'by' with the attributes of the partition key, or make it a scan."});
      return;
    }
    const bool allowed = plan.table->range_queries;
    findings_.Add(
        allowed ? Severity::kWarning : Severity::kError, "refused-query", WhereItIsSaid(),
        {.what = fmt::format("'{}' asks for {}, which Amazon's service refuses", operation_.name, Asked(plan)),
         .why = fmt::format("A query there needs the whole partition key, \"{}\". {}", PartitionText(plan),
                            allowed ? "It runs on Taula because of the extension range-queries."
                                    : "Taula answers it only with extensions: [range-queries]."),
         .fix = PortableForm(design_, operation_, plan)});
  }

  [[nodiscard]] Place WhereItIsSaid() const {
    return operation_.by.empty() && !operation_.where.empty() ? operation_.where.front().place : operation_.by_place;
  }

  [[nodiscard]] std::string_view Asked(const KeyPlan& plan) const {
    return AsksForPartitions(design_, operation_, plan) ? "a range over partition keys"
                                                        : "a range of the sort key over all partitions";
  }

  [[nodiscard]] std::string PartitionText(const KeyPlan& plan) const {
    const auto text = TemplateFor(design_, entity_, plan.index, plan.partition_part());
    return text ? text->text() : plan.partition_part().name;
  }

  // What only a filter can do.
  void CheckRest(const KeyPlan& plan) {
    std::vector<std::string> rest = plan.filtered_by;
    for (const Bound* bound : plan.filtered_where) {
      if (!IsInKeyByDay(plan, bound->attribute)) rest.push_back(bound->attribute);
    }
    if (rest.empty()) return;
    findings_.Warning("unserved-operation", WhereItIsSaid(),
                      {.what = fmt::format("the key of {} does not serve {} in '{}'", NameOf(*plan.table, plan.index),
                                           Listed(rest), operation_.name),
                       .why = "The rest of the partition is read, paid for, and thrown away.",
                       .fix = fmt::format("Put it next into the sort key, or add an index, such as {}.",
                                          IndexFor(design_, operation_))});
  }

  // A day in the key serves a time well enough.
  [[nodiscard]] bool IsInKeyByDay(const KeyPlan& plan, std::string_view attribute) const {
    if (plan.sort_part() == nullptr) return false;
    const auto text = TemplateFor(design_, entity_, plan.index, *plan.sort_part());
    return text && std::ranges::any_of(text->parts(), [&](const Template::Part& part) {
             return part.reference == attribute && part.transform == Transform::kDate;
           });
  }

  void CheckOthers(const KeyPlan& plan) {
    std::vector<std::string> others;
    for (const std::string& name : plan.others) {
      const Entity& other = *design_.FindEntity(name);
      const bool meets = std::ranges::any_of(operation_.entities, [&](const std::string& mine) {
        return CanStandInRange(plan, *design_.FindEntity(mine), other);
      });
      if (meets) others.push_back(name);
    }
    if (others.empty()) return;
    findings_.Warning("foreign-items", operation_.entities_place,
                      {.what = fmt::format("'{}' also reads items of {}", operation_.name, Listed(others)),
                       .why = "Their keys begin alike. They are left out of the answer, but they are paid for, and "
                              "pages come shorter than asked for.",
                       .fix = fmt::format("Let the keys of '{}' begin with a word of their own, or read {} too.",
                                          entity_.name, others.size() == 1 ? "it" : "them")});
  }

  [[nodiscard]] bool CanStandInRange(const KeyPlan& plan, const Entity& mine, const Entity& other) const {
    const auto meets = [&](const KeyPart& part) {
      const auto text = TemplateFor(design_, mine, plan.index, part);
      const auto theirs = TemplateFor(design_, other, plan.index, part);
      if (!text || !theirs) return false;
      const auto open = std::ranges::find_if(text->parts(), [&](const Template::Part& each) {
        return each.is_reference() && !Contains(operation_.by, each.reference);
      });
      const std::string separators = SeparatorsOf(*text) + SeparatorsOf(*theirs);
      const auto count = static_cast<std::size_t>(open - text->parts().begin());
      return KeyLanguage::OfBeginning(*text, count, mine, KeyLanguage::Text::kOrdinary, separators)
          .Intersects(KeyLanguage::Of(*theirs, other, KeyLanguage::Text::kOrdinary, separators));
    };
    return meets(plan.partition_part()) && (plan.sort_part() == nullptr || meets(*plan.sort_part()));
  }

  // One item is meant, and only a rule of the design can promise that.
  void CheckUnique() {
    const bool means_one = operation_.one || operation_.kind == OperationKind::kVerify || IsLookup();
    if (!means_one || operation_.index.empty() || Includes(operation_.by, KeyAttributes(entity_))) return;
    for (const std::vector<std::string>& rule : entity_.unique) {
      if (Includes(operation_.by, rule)) return;
    }
    for (const std::string& name : operation_.by) {
      const Attribute* attribute = entity_.Find(name);
      if (attribute != nullptr && IsMadeId(design_, entity_, *attribute)) return;
    }
    findings_.Warning(
        "unique-by-index-only", operation_.by_place,
        {.what = fmt::format("'{}' expects one '{}' by {}, and nothing makes that unique", operation_.name,
                             entity_.name, Listed(operation_.by)),
         .why = "An index holds any number of items with one key. Of two writes at once, each of which looked first, "
                "both succeed.",
         .fix = fmt::format("Add unique: [{}] to '{}'; then the database keeps it.",
                            operation_.by.size() == 1 ? operation_.by.front() : fmt::format("[{}]", Joined()),
                            entity_.name)});
  }

  [[nodiscard]] std::string Joined() const {
    std::string joined;
    for (const std::string& name : operation_.by) joined += (joined.empty() ? "" : ", ") + name;
    return joined;
  }

  void CheckConsistent(const KeyPlan& plan) {
    if (!operation_.consistent || plan.index == nullptr || plan.index->local) return;
    findings_.Error(
        "refused-query", operation_.index_place,
        {.what = fmt::format("'{}' asks for a consistent read of a global index", operation_.name),
         .why = "Global indexes follow their table a moment later, and a consistent read of one is refused.",
         .fix = "Leave out 'consistent', or read the table."});
  }

  const Design& design_;
  const Operation& operation_;
  const Entity& entity_;
  Findings& findings_;
};

}  // namespace

void CheckQueries(const Design& design, Findings& findings) {
  ForEachOperation(design, [&](const Operation& operation) {
    const bool reads = operation.kind == OperationKind::kQuery || operation.kind == OperationKind::kVerify;
    const bool looks_up = (operation.kind == OperationKind::kUpdate || operation.kind == OperationKind::kDelete) &&
                          (!operation.by.empty() || !operation.index.empty());
    if (reads || looks_up) QueryCheck(design, operation, findings).Run();
  });
}

}  // namespace taula::design
