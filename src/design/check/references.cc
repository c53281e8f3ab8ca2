// Names in values and conditions of operations that refer to nothing, and
// parameters that nothing refers to.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "design/check/families.h"
#include "design/closest_name.h"
#include "design/condition.h"
#include "design/item_path.h"
#include "design/terms.h"

namespace taula::design {
namespace {

std::string_view FirstStep(std::string_view reference) { return reference.substr(0, reference.find('.')); }

// One operation of the design, with its steps and reads: they share their names.
class ReferenceCheck {
 public:
  ReferenceCheck(const Design& design, const Operation& whole, Findings& findings)
      : design_(design), whole_(whole), findings_(findings) {
    for (const Attribute& parameter : whole.parameters) names_.insert(parameter.name);
    for (const auto& [name, term] : whole.let) names_.insert(name);
    for (const NamedRead& read : whole.read) names_.insert(read.name);
    AddAttributes(whole);
    for (const Operation& step : whole.steps) AddAttributes(step);
    if (!whole.with.empty()) names_.insert(whole.with);
    used_.insert(whole.with);
  }

  void Run() {
    for (const auto& [name, term] : whole_.let) CheckTerm(term, whole_);
    for (const auto& [name, term] : whole_.parameter_defaults) CheckTerm(term, whole_);
    for (const NamedRead& read : whole_.read) {
      for (const Operation& each : read.operation) CheckOperation(each);
    }
    CheckOperation(whole_);
    for (const Operation& step : whole_.steps) {
      CheckLoop(step);
      CheckOperation(step);
    }
    CheckUnused();
  }

 private:
  void AddAttributes(const Operation& operation) {
    for (const std::string& name : operation.entities) {
      for (const Attribute& attribute : design_.FindEntity(name)->attributes) attributes_.insert(attribute.name);
    }
  }

  void CheckOperation(const Operation& operation) {
    for (const Bound& bound : operation.where) {
      CheckTerm(bound.low, operation);
      if (bound.comparison == Comparison::kBetween) CheckTerm(bound.high, operation);
    }
    for (const auto* assignments : {&operation.key, &operation.set, &operation.add}) {
      for (const Assignment& assignment : *assignments) CheckTerm(assignment.value, operation);
    }
    if (operation.filter) CheckCondition(*operation.filter, operation);
    if (operation.condition) CheckCondition(*operation.condition, operation);
  }

  void CheckTerm(const Term& term, const Operation& operation) {
    for (const std::string& reference : ReferencesOf(term)) CheckReference(reference, term.place, operation);
  }

  void CheckReference(const std::string& reference, Place place, const Operation& operation) {
    const std::string first(FirstStep(reference));
    used_.insert(first);
    if (first == operation.for_each_variable) {
      CheckField(reference, ElementOf(operation), place, operation.for_each_list);
      return;
    }
    const auto read = std::ranges::find(whole_.read, first, &NamedRead::name);
    if (read != whole_.read.end()) {
      CheckRead(reference, *read, place);
      return;
    }
    if (names_.contains(first) || attributes_.contains(first)) return;
    Unknown(reference, place, "there is no parameter or attribute of that name", Known(operation), first);
  }

  [[nodiscard]] std::vector<std::string_view> Known(const Operation& operation) const {
    std::vector<std::string_view> known(names_.begin(), names_.end());
    known.insert(known.end(), attributes_.begin(), attributes_.end());
    if (!operation.for_each_variable.empty()) known.push_back(operation.for_each_variable);
    for (const std::string_view made : {"now", "today", "ulid", "uuid"}) known.push_back(made);
    return known;
  }

  void Unknown(std::string_view reference, Place place, std::string_view why, std::span<const std::string_view> known,
               std::string_view name) {
    findings_.Error(
        "unknown-reference", place,
        {.what = fmt::format("{{{}}} in '{}' refers to nothing: {}", reference, whole_.name, why),
         .why = "",
         .fix = fmt::format("{} A value that is no attribute is declared in 'parameters'.", SuggestName(name, known))});
  }

  // The declared shape of what a loop runs over.
  [[nodiscard]] const Attribute* ElementOf(const Operation& step) const {
    const auto list = std::ranges::find(whole_.parameters, step.for_each_list, &Attribute::name);
    return list == whole_.parameters.end() || list->elements.empty() ? nullptr : &list->elements.front();
  }

  void CheckField(std::string_view reference, const Attribute* shape, Place place, std::string_view list) {
    if (shape == nullptr || shape->fields.empty() || reference.find('.') == std::string_view::npos) return;
    const std::string_view field = FirstStep(reference.substr(reference.find('.') + 1));
    std::vector<std::string_view> known;
    for (const Attribute& each : shape->fields) known.push_back(each.name);
    if (std::ranges::find(known, field) != known.end()) return;
    Unknown(reference, place, fmt::format("an element of '{}' has no field '{}'", list, field), known, field);
  }

  void CheckRead(std::string_view reference, const NamedRead& read, Place place) {
    if (read.operation.empty() || read.operation.front().entities.empty()) return;
    const Operation& operation = read.operation.front();
    if (reference.find('.') == std::string_view::npos) return;
    const std::string_view path = reference.substr(reference.find('.') + 1);
    if (ResolvePath(design_, operation.entities, path)) return;
    const Entity& entity = *design_.FindEntity(operation.entities.front());
    std::vector<std::string_view> known;
    for (const Attribute& each : entity.attributes) known.push_back(each.name);
    Unknown(reference, place, fmt::format("'{}' has no attribute '{}'", entity.name, path), known, path);
  }

  void CheckLoop(const Operation& step) {
    if (step.for_each_list.empty()) return;
    used_.insert(step.for_each_list);
    const auto list = std::ranges::find(whole_.parameters, step.for_each_list, &Attribute::name);
    if (list != whole_.parameters.end() && list->type == AttributeType::kList) return;
    findings_.Error("missing-parameter", step.place,
                    {.what = fmt::format("'{}' has no parameter '{}' that is a list", whole_.name, step.for_each_list),
                     .why = "The step runs once for each of its elements.",
                     .fix = fmt::format("Declare it: parameters: {{ {}: {{ type: list, items: {{ type: map, fields: "
                                        "… }} }} }}.",
                                        step.for_each_list)});
  }

  void CheckCondition(const ConditionText& condition, const Operation& operation) {
    const auto parsed = Condition::Parse(condition.text);
    if (!parsed) {
      findings_.Error(
          "condition-syntax", Inside(condition, parsed.error().offset),
          {.what = fmt::format("the condition of '{}' cannot be read: {}", whole_.name, parsed.error().what),
           .why = "",
           .fix = "Conditions are DynamoDB's, with attributes by their names, text in single quotes and "
                  "parameters in braces: stock >= {quantity} AND status = 'active'."});
      return;
    }
    for (const Condition::Use& use : parsed->references()) {
      CheckReference(use.reference, Inside(condition, use.offset), operation);
    }
    for (const Condition::Use& use : parsed->paths()) {
      const auto path = ResolvePath(design_, operation.entities, use.path);
      if (path) continue;
      std::vector<std::string_view> known(attributes_.begin(), attributes_.end());
      findings_.Error("unknown-name", Inside(condition, use.offset),
                      {.what = fmt::format("the condition of '{}' names '{}', which is no attribute of {}", whole_.name,
                                           use.path, Listed(operation.entities)),
                       .why = "",
                       .fix = SuggestName(use.path, known)});
    }
  }

  // Right for a condition without quotes on one line; otherwise its beginning.
  [[nodiscard]] Place Inside(const ConditionText& condition, std::size_t offset) const {
    const std::string_view file = design_.text;
    std::size_t line_begin = 0;
    for (int line = 1; line < condition.place.line && line_begin != std::string_view::npos; ++line) {
      const std::size_t end = file.find('\n', line_begin);
      line_begin = end == std::string_view::npos ? end : end + 1;
    }
    if (line_begin == std::string_view::npos) return condition.place;
    const std::string_view line = file.substr(line_begin, file.find('\n', line_begin) - line_begin);
    const std::size_t at = line.find(condition.text, static_cast<std::size_t>(condition.place.column - 1));
    if (at == std::string_view::npos) return condition.place;
    return {.line = condition.place.line, .column = static_cast<int>(at + offset) + 1};
  }

  void CheckUnused() {
    for (const Attribute& parameter : whole_.parameters) {
      // One with an attribute's name says more about it than the attribute does.
      if (used_.contains(parameter.name) || attributes_.contains(parameter.name)) continue;
      findings_.Warning("unused-parameter", parameter.place,
                        {.what = fmt::format("nothing in '{}' uses the parameter '{}'", whole_.name, parameter.name),
                         .why = "",
                         .fix = fmt::format("Remove it, or refer to it as {{{}}}.", parameter.name)});
    }
  }

  const Design& design_;
  const Operation& whole_;
  Findings& findings_;
  std::set<std::string, std::less<>> names_;       // that the operation itself has
  std::set<std::string, std::less<>> attributes_;  // of the entities in it
  std::set<std::string, std::less<>> used_;
};

}  // namespace

void CheckReferences(const Design& design, Findings& findings) {
  for (const Operation& operation : design.operations) ReferenceCheck(design, operation, findings).Run();
}

}  // namespace taula::design
