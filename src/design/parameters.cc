#include "design/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "codec/json_writer.h"
#include "design/closest_name.h"
#include "design/condition.h"
#include "design/item_path.h"
#include "design/plain_json.h"
#include "design/terms.h"

namespace taula::design {
namespace {

constexpr int kLimitMax = 1000;

Attribute ShapeOf(std::string_view name, AttributeType type, std::string_view description = {}) {
  Attribute shape;
  shape.name = name;
  shape.type = type;
  shape.description = description;
  return shape;
}

// What a value is compared with or added to says its type, not its limits.
std::optional<Attribute> WithoutLimits(const Attribute* shape) {
  if (shape == nullptr) return std::nullopt;
  Attribute loose = *shape;
  loose.min.reset();
  loose.max.reset();
  loose.min_length.reset();
  loose.max_length.reset();
  loose.default_value.reset();
  return loose;
}

const Attribute* FieldOf(const Attribute* shape, std::string_view name) {
  if (shape == nullptr) return nullptr;
  const auto found = std::ranges::find(shape->fields, name, &Attribute::name);
  return found == shape->fields.end() ? nullptr : &*found;
}

bool IsMark(const Entity& entity, std::string_view name) {
  return std::ranges::any_of(entity.type, [&](const auto& mark) { return mark.first == name; });
}

// Gathers the parameters of one operation, its reads and its steps.
class Collector {
 public:
  Collector(const Design& design, const Operation& operation) : design_(design), operation_(operation) {}

  std::vector<Parameter> Collect() {
    for (const auto& [name, term] : operation_.let) own_names_.push_back(name);
    for (const NamedRead& read : operation_.read) own_names_.push_back(read.name);
    AddOperation(operation_, Standing::kAlone);
    // What the other steps already take by its name is not an element's field.
    for (const Operation& step : operation_.steps) {
      if (step.for_each_list.empty()) AddOperation(step, Standing::kStep);
    }
    for (const Operation& step : operation_.steps) {
      if (!step.for_each_list.empty()) AddLoop(step);
    }
    ApplyDeclarations();
    AddPaging();
    return std::move(parameters_);
  }

 private:
  Parameter* Find(std::string_view name) {
    const auto found = std::ranges::find(parameters_, name, &Parameter::name);
    return found == parameters_.end() ? nullptr : &*found;
  }

  const Attribute* Declared(std::string_view name) const {
    const auto found = std::ranges::find(operation_.parameters, name, &Attribute::name);
    return found == operation_.parameters.end() ? nullptr : &*found;
  }

  bool IsOwnName(std::string_view name) const { return std::ranges::find(own_names_, name) != own_names_.end(); }

  void Add(std::string_view name, const Attribute* shape, bool required) {
    if (IsMade(name) || IsOwnName(name)) return;
    Parameter* const known = Find(name);
    if (known == nullptr) {
      Attribute copy = shape != nullptr ? *shape : ShapeOf(name, AttributeType::kAny);
      copy.name = name;
      parameters_.push_back({std::string(name), std::move(copy), required});
      return;
    }
    known->required |= required;
    if (known->shape.type == AttributeType::kAny && shape != nullptr) {
      known->shape = *shape;
      known->shape.name = name;
    }
  }

  // "name", or "name.field" of a loop's element or a map.
  void AddReference(std::string_view reference, const Attribute* shape, bool required) {
    const std::size_t dot = reference.find('.');
    if (dot == std::string_view::npos) {
      Add(reference, shape != nullptr ? shape : entity_ != nullptr ? entity_->Find(reference) : nullptr, required);
      return;
    }
    const std::string_view root = reference.substr(0, dot);
    const std::string_view rest = reference.substr(dot + 1);
    const std::string_view field = rest.substr(0, rest.find('.'));
    const Attribute* const field_shape = field.size() == rest.size() ? shape : nullptr;
    if (root == variable_) {
      AddField(field, field_shape, required);
    } else if (!IsOwnName(root)) {
      const Attribute map = ShapeOf(root, AttributeType::kMap);
      Add(root, &map, required);
    }
  }

  void AddField(std::string_view field, const Attribute* shape, bool required) {
    Parameter* const list = Find(list_);
    if (list == nullptr || list->shape.elements.empty()) return;
    Attribute& element = list->shape.elements.front();
    if (const Attribute* const declared = FieldOf(DeclaredElement(), field)) shape = declared;
    const auto known = std::ranges::find(element.fields, field, &Attribute::name);
    if (known != element.fields.end()) {
      known->required |= required;
      return;
    }
    element.type = AttributeType::kMap;
    element.fields.push_back(shape != nullptr ? *shape : ShapeOf(field, AttributeType::kAny));
    element.fields.back().name = field;
    element.fields.back().required = required;
  }

  const Attribute* DeclaredElement() const {
    const Attribute* const declared = Declared(list_);
    return declared == nullptr || declared->elements.empty() ? nullptr : &declared->elements.front();
  }

  void AddTerm(const Term& term, const Attribute* shape, bool required) {
    switch (term.kind) {
      case Term::Kind::kLiteral:
        return;
      case Term::Kind::kText:
        if (term.text.is_single_reference()) {
          AddReference(term.text.parts().front().reference, shape, required);
        } else {
          // "-{quantity}" is of the attribute's type, "ORDER#{id}" is not.
          const bool is_number =
              shape != nullptr && (shape->type == AttributeType::kNumber || shape->type == AttributeType::kInteger);
          for (const std::string& each : ReferencesOf(term)) AddReference(each, is_number ? shape : nullptr, true);
        }
        return;
      case Term::Kind::kList:
        for (const Term& element : term.list) {
          AddTerm(element, shape != nullptr && !shape->elements.empty() ? shape->elements.data() : nullptr, required);
        }
        return;
      case Term::Kind::kMap:
        for (const auto& [name, field] : term.map) AddTerm(field, FieldOf(shape, name), required);
        return;
    }
  }

  void AddCondition(const std::optional<ConditionText>& condition, const Operation& operation) {
    if (!condition) return;
    const auto parsed = Condition::Parse(condition->text);
    if (!parsed) return;
    for (const Condition::Use& use : parsed->references()) {
      const auto path =
          use.path.empty() ? std::unexpected(std::string()) : ResolvePath(design_, operation.entities, use.path);
      const std::optional<Attribute> shape = WithoutLimits(path ? path->shape : nullptr);
      AddReference(use.reference, shape ? &*shape : nullptr, true);
    }
  }

  // An attribute that is taken by its name.
  void AddImplied(const Attribute* shape, std::string_view name, bool required) {
    const bool in_loop = !variable_.empty() && !IsOwnName(name) && Find(name) == nullptr && Declared(name) == nullptr;
    const bool is_declared_field = FieldOf(DeclaredElement(), name) != nullptr;
    const bool has_fields = DeclaredElement() != nullptr && !DeclaredElement()->fields.empty();
    if (!variable_.empty() && (is_declared_field || (in_loop && !has_fields))) {
      AddField(name, shape, required);
    } else {
      Add(name, shape, required);
    }
  }

  void AddKey(const Operation& operation) {
    const std::vector<std::string> names = operation.by.empty() ? KeyAttributes(*entity_) : operation.by;
    for (const std::string& name : names) {
      if (const Assignment* const given = FindAssignment(operation.key, *entity_, name)) {
        AddTerm(given->value, entity_->Find(name), true);
      } else {
        AddImplied(entity_->Find(name), name, true);
      }
    }
  }

  void AddNewEntity(const Operation& operation, Standing standing) {
    const std::vector<std::string> keys = KeyAttributes(*entity_);
    const auto is_key = [&](const Attribute& attribute) {
      return std::ranges::find(keys, attribute.name) != keys.end();
    };
    for (const bool key_turn : {true, false}) {
      for (const Attribute& attribute : entity_->attributes) {
        if (is_key(attribute) != key_turn) continue;
        if (FindAssignment(operation.set, *entity_, attribute.name) != nullptr) continue;
        const bool is_field = FieldOf(DeclaredElement(), attribute.name) != nullptr;
        if (!is_field && !IsImplied(*entity_, attribute, standing)) continue;
        const bool made = attribute.generated || attribute.set != SetWhen::kNever || attribute.default_value;
        AddImplied(&attribute, attribute.name, (attribute.required || key_turn) && !made);
      }
    }
    for (const Assignment& assignment : operation.set) {
      const auto path = ResolvePath(design_, operation.entities, assignment.path);
      const Attribute* const shape = path ? path->shape : entity_->Find(assignment.path);
      AddTerm(assignment.value, shape, shape == nullptr || (shape->required && !shape->default_value));
    }
  }

  void AddUpdate(const Operation& operation) {
    AddKey(operation);
    for (const std::string& name : operation.change) Add(name, entity_->Find(name), false);
    const auto may_change = [&](const Assignment& assignment) {
      return std::ranges::find(operation.change, assignment.path) != operation.change.end();
    };
    for (const Assignment& assignment : operation.set) {
      const auto path = ResolvePath(design_, operation.entities, assignment.path);
      AddTerm(assignment.value, path ? path->shape : nullptr, !may_change(assignment));
    }
    for (const Assignment& assignment : operation.add) {
      const auto path = ResolvePath(design_, operation.entities, assignment.path);
      const std::optional<Attribute> shape = WithoutLimits(path ? path->shape : nullptr);
      AddTerm(assignment.value, shape ? &*shape : nullptr, !may_change(assignment));
    }
  }

  void AddQuery(const Operation& operation) {
    for (const std::string& name : operation.by) AddImplied(AttributeNamed(operation, name), name, true);
    for (const Bound& bound : operation.where) {
      std::optional<Attribute> shape = WithoutLimits(AttributeNamed(operation, bound.attribute));
      // The beginning of a time or an id is none.
      if (shape && bound.comparison == Comparison::kStartsWith) *shape = ShapeOf({}, AttributeType::kString);
      AddTerm(bound.low, shape ? &*shape : nullptr, true);
      if (bound.comparison == Comparison::kBetween) AddTerm(bound.high, shape ? &*shape : nullptr, true);
    }
  }

  const Attribute* AttributeNamed(const Operation& operation, std::string_view name) const {
    for (const std::string& each : operation.entities) {
      if (const Attribute* const attribute = design_.FindEntity(each)->Find(name)) return attribute;
    }
    return nullptr;
  }

  void AddBatch(const Operation& operation) {
    const bool is_get = operation.kind == OperationKind::kBatchGet;
    Attribute list = ShapeOf(is_get ? "keys" : "items", AttributeType::kList,
                             is_get ? "The keys of what is read." : "What is written.");
    Attribute element = ShapeOf({}, AttributeType::kMap);
    if (is_get) {
      for (const std::string& name : KeyAttributes(*entity_)) {
        const Attribute* const shape = entity_->Find(name);
        element.fields.push_back(shape != nullptr ? *shape : ShapeOf(name, AttributeType::kString));
        element.fields.back().required = true;
      }
    } else {
      Operation put;
      put.kind = OperationKind::kPut;
      put.entities = operation.entities;
      put.set = operation.set;
      for (Parameter& parameter : Collector(design_, put).Collect()) {
        element.fields.push_back(std::move(parameter.shape));
        element.fields.back().required = parameter.required;
      }
    }
    list.elements.push_back(std::move(element));
    Add(list.name, &list, true);
  }

  void AddOperation(const Operation& operation, Standing standing) {
    entity_ = operation.entities.empty() ? nullptr : design_.FindEntity(operation.entities.front());
    for (const NamedRead& read : operation.read) {
      for (const Operation& each : read.operation) AddOperation(each, Standing::kStep);
    }
    entity_ = operation.entities.empty() ? nullptr : design_.FindEntity(operation.entities.front());
    for (const auto& [name, term] : operation.let) AddTerm(term, nullptr, true);
    switch (operation.kind) {
      case OperationKind::kGet:
      case OperationKind::kDelete:
      case OperationKind::kCheck:
        AddKey(operation);
        break;
      case OperationKind::kCreate:
      case OperationKind::kPut:
        AddNewEntity(operation, standing);
        break;
      case OperationKind::kUpdate:
        AddUpdate(operation);
        break;
      case OperationKind::kQuery:
        AddQuery(operation);
        break;
      case OperationKind::kVerify:
        AddQuery(operation);
        AddPassword(operation);
        break;
      case OperationKind::kBatchGet:
      case OperationKind::kBatchPut:
        AddBatch(operation);
        break;
      case OperationKind::kScan:
      case OperationKind::kTransaction:
        break;
    }
    AddCondition(operation.filter, operation);
    AddCondition(operation.condition, operation);
  }

  void AddPassword(const Operation& operation) {
    Attribute password = ShapeOf(operation.with, AttributeType::kString, "The password.");
    password.secret = true;
    Add(operation.with, &password, true);
  }

  void AddLoop(const Operation& step) {
    list_ = step.for_each_list;
    variable_ = step.for_each_variable;
    if (Find(list_) == nullptr && !IsOwnName(list_)) {
      Attribute list = ShapeOf(list_, AttributeType::kList);
      list.elements.push_back(ShapeOf(variable_, AttributeType::kAny));
      if (const Attribute* const declared = Declared(list_)) {
        list = *declared;
        if (list.elements.empty()) list.elements.push_back(ShapeOf(variable_, AttributeType::kAny));
      }
      Add(list_, &list, true);
    }
    own_names_.push_back(variable_);
    AddOperation(step, Standing::kLoop);
    own_names_.pop_back();
    list_.clear();
    variable_.clear();
  }

  void ApplyDeclarations() {
    for (const Attribute& declared : operation_.parameters) {
      Add(declared.name, &declared, declared.required);
      Parameter& parameter = *Find(declared.name);
      // The fields that a loop asks of its elements stay, unless they are declared.
      const bool keeps_elements = declared.type == AttributeType::kList && !parameter.shape.elements.empty();
      std::vector<Attribute> elements = std::move(parameter.shape.elements);
      parameter.shape = declared;
      if (keeps_elements) parameter.shape.elements = std::move(elements);
      parameter.required = declared.required;
    }
  }

  void AddPaging() {
    const bool is_read = operation_.kind == OperationKind::kQuery || operation_.kind == OperationKind::kScan;
    if (!is_read || operation_.one) return;
    Attribute limit = ShapeOf("limit", AttributeType::kInteger, "How many items at most, 1 to 1000.");
    limit.min = Value(1);
    limit.max = Value(kLimitMax);
    Add("limit", &limit, false);
    const Attribute next = ShapeOf("next", AttributeType::kString, "Where the page before ended, from its answer.");
    Add("next", &next, false);
  }

  const Design& design_;
  const Operation& operation_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> own_names_;  // let, read and the variables of loops
  const Entity* entity_ = nullptr;      // of the operation or step that is looked at
  std::string list_;                    // of the loop, inside of one
  std::string variable_;
};

std::expected<std::string, std::string> FileContent(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (!file || !(content << file.rdbuf())) return std::unexpected(fmt::format("cannot read {}", path));
  return std::move(content).str();
}

}  // namespace

std::vector<Parameter> ParametersOf(const Design& design, const Operation& operation) {
  return Collector(design, operation).Collect();
}

const Assignment* FindAssignment(const std::vector<Assignment>& assignments, const Entity& entity,
                                 std::string_view attribute) {
  for (const Assignment& assignment : assignments) {
    std::string_view path = assignment.path;
    const bool in_map = !entity.map.empty() && path.starts_with(entity.map + ".");
    if (in_map && entity.Find(path.substr(entity.map.size() + 1)) != nullptr) path.remove_prefix(entity.map.size() + 1);
    if (path == attribute) return &assignment;
  }
  return nullptr;
}

bool IsImplied(const Entity& entity, const Attribute& attribute, Standing standing) {
  if (attribute.name == entity.soft_delete || IsMark(entity, attribute.name)) return false;
  if (standing == Standing::kAlone) return true;
  if (attribute.generated || attribute.set != SetWhen::kNever) return false;
  if (standing == Standing::kStep) return true;
  const std::vector<std::string> keys = KeyAttributes(entity);
  const bool is_key = std::ranges::find(keys, attribute.name) != keys.end();
  return is_key || (attribute.required && !attribute.default_value);
}

std::string UnknownParameter(std::string_view name, std::span<const Parameter> parameters) {
  if (parameters.empty()) return fmt::format("'{}' is unknown; there are no parameters.", name);
  std::vector<std::string_view> known;
  for (const Parameter& parameter : parameters) known.push_back(parameter.name);
  return fmt::format("'{}' is unknown. {}", name, SuggestName(name, known));
}

std::expected<std::string, std::string> ParametersFromText(
    const Design& design, const Operation& operation, const std::vector<std::pair<std::string, std::string>>& given) {
  const std::vector<Parameter> parameters = ParametersOf(design, operation);
  std::string json = "{";
  std::vector<std::string_view> seen;
  for (const auto& [name, text] : given) {
    const auto parameter = std::ranges::find(parameters, name, &Parameter::name);
    if (parameter == parameters.end()) return std::unexpected(UnknownParameter(name, parameters));
    if (std::ranges::find(seen, name) != seen.end()) return std::unexpected(fmt::format("{} is given twice", name));
    seen.push_back(name);
    std::string content = text;
    if (text.starts_with('@')) {
      auto file = FileContent(text.substr(1));
      if (!file) return std::unexpected(fmt::format("{}: {}", name, file.error()));
      content = *std::move(file);
    }
    const auto value = ValueFromText(content, parameter->shape);
    if (!value) {
      const std::string& path = value.error().path;
      const std::string dot = path.empty() || path.front() == '[' ? "" : ".";
      return std::unexpected(fmt::format("{}{}{} {}", name, dot, path, value.error().what));
    }
    if (json.size() > 1) json.push_back(',');
    codec::AppendStringJson(json, name);
    json.push_back(':');
    AppendPlainJson(json, value->view());
  }
  json.push_back('}');
  return json;
}

}  // namespace taula::design
