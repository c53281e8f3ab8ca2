#include "design/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/attribute_check.h"
#include "design/closest_name.h"
#include "design/execution.h"
#include "design/page_token.h"
#include "design/parameters.h"
#include "design/password.h"
#include "design/plain_json.h"
#include "design/problems.h"

namespace taula::design {
namespace {

Failure UnknownOperation(const Design& design, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Operation& operation : design.operations) known.push_back(operation.name);
  return {FailureCode::kUnknownOperation,
          fmt::format("The design '{}' has no operation '{}'. {}", design.name, name, SuggestName(name, known)),
          {}};
}

std::string NameIn(std::string_view path) { return std::string(path.substr(0, path.find_first_of(".["))); }

Failure OfMisfit(const Misfit& misfit, std::span<const Parameter> parameters) {
  if (misfit.path.empty()) {
    return {FailureCode::kInvalidParameter, fmt::format("What was sent {}.", misfit.what), {}};
  }
  const std::string name = NameIn(misfit.path);
  const bool is_known = std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
  if (!is_known) return {FailureCode::kInvalidParameter, UnknownParameter(name, parameters), name};
  return {FailureCode::kInvalidParameter, fmt::format("{} {}.", misfit.path, misfit.what), name};
}

// A password comes as it is, and is checked as text; what is stored is a hash.
Attribute AsGiven(const Attribute& shape) {
  Attribute given = shape;
  if (given.type == AttributeType::kBcrypt) given.type = AttributeType::kString;
  for (Attribute& field : given.fields) field = AsGiven(field);
  for (Attribute& element : given.elements) element = AsGiven(element);
  return given;
}

Outcome<void> Check(const Parameter& parameter, ValueView value) {
  const Attribute shape = AsGiven(parameter.shape);
  // Of an entity to be written the derivation says more; here is what a list's
  // elements are asked for.
  Problems problems;
  CheckValue(shape, value, {.name = parameter.name}, problems);
  if (problems.empty()) return {};
  std::string message = problems.Message("");
  message.erase(0, message.find_first_not_of(": "));
  return Invalid(parameter.name, message + ".");
}

// The parameters by their names, checked, with the defaults of those that are
// not given.
class ParameterReader {
 public:
  ParameterReader(const Design& design, const Operation& operation)
      : operation_(operation), parameters_(ParametersOf(design, operation)) {}

  Outcome<Scope> Read(std::string_view json, std::int64_t now_ms) {
    const auto shape_of = [&](std::string_view name) -> const Attribute* {
      const Parameter* const parameter = Find(name);
      return parameter == nullptr ? nullptr : &parameter->shape;
    };
    auto given = ReadPlainObject(json.empty() ? "{}" : json, shape_of);
    if (!given) return std::unexpected(OfMisfit(given.error(), parameters_));
    Scope scope(TimeOf(*given, now_ms));
    for (auto& [name, value] : *given) {
      if (value.type() != Type::kNull) {
        if (Outcome<void> checked = Check(*Find(name), value.view()); !checked) {
          return std::unexpected(checked.error());
        }
      }
      scope.Set(name, std::move(value));
    }
    if (Outcome<void> filled = FillDefaults(scope); !filled) return std::unexpected(filled.error());
    for (const Parameter& parameter : parameters_) {
      if (parameter.required && !scope.Find(parameter.name)) {
        return Invalid(parameter.name, fmt::format("{} is missing.", parameter.name));
      }
    }
    return scope;
  }

 private:
  const Parameter* Find(std::string_view name) const {
    const auto found = std::ranges::find(parameters_, name, &Parameter::name);
    return found == parameters_.end() ? nullptr : &*found;
  }

  // All pages of a query see one time, that of the first.
  static std::int64_t TimeOf(const JsonMembers& given, std::int64_t now_ms) {
    for (const auto& [name, value] : given) {
      if (name != "next" || value.type() != Type::kString) continue;
      if (const auto token = PageToken::Decode(value.view().bytes())) return token->now_ms;
    }
    return now_ms;
  }

  Outcome<void> FillDefaults(Scope& scope) const {
    for (const auto& [name, term] : operation_.parameter_defaults) {
      if (scope.Find(name)) continue;
      const Parameter* const parameter = Find(name);
      auto value = Evaluate(term, scope, parameter == nullptr ? nullptr : &parameter->shape);
      if (!value) return Invalid(name, value.error() + ".");
      if (*value) scope.Set(name, **std::move(value));
    }
    return {};
  }

  const Operation& operation_;
  std::vector<Parameter> parameters_;
};

Outcome<std::string> Dispatch(Execution& execution) {
  switch (execution.operation.kind) {
    case OperationKind::kGet:
      return RunGet(execution);
    case OperationKind::kQuery:
    case OperationKind::kScan:
      return RunQuery(execution);
    case OperationKind::kBatchGet:
      return RunBatchGet(execution);
    case OperationKind::kBatchPut:
      return RunBatchPut(execution);
    case OperationKind::kVerify:
      return RunVerify(execution);
    default:
      return RunWrite(execution);
  }
}

// Servers do not say which table it is that they lack.
Failure WithTables(Failure failure, const Design& design, const std::string& stage, const Operation& operation) {
  std::vector<std::string> names;
  const auto add = [&](const Operation& each) {
    for (const std::string& entity : each.entities) {
      std::string name = design.TableName(design.TableOf(*design.FindEntity(entity)), stage);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  };
  add(operation);
  std::ranges::for_each(operation.steps, add);
  for (const NamedRead& read : operation.read) std::ranges::for_each(read.operation, add);
  failure.message = fmt::format(
      "The server does not have table {}, or not with all of its indexes; `taula design create` makes them.",
      fmt::join(names, " or "));
  return failure;
}

}  // namespace

Runner::Runner(const Design& design, std::string stage, Backend& backend, const base::Clock& clock)
    : design_(design),
      stage_(std::move(stage)),
      backend_(backend),
      clock_(clock),
      deriver_(std::make_shared<const Deriver>(design)) {}

std::expected<std::string, Failure> Runner::Run(std::string_view name, std::string_view parameters) const {
  const Operation* const operation = design_.FindOperation(name);
  if (operation == nullptr) return std::unexpected(UnknownOperation(design_, name));
  Outcome<Scope> scope = ParameterReader(design_, *operation).Read(parameters, clock_.NowMs());
  if (!scope) return std::unexpected(scope.error());
  Execution execution{design_, stage_, *deriver_, *operation, Calls(backend_), *std::move(scope), {}};
  Outcome<std::string> answer = Dispatch(execution);
  if (!answer && answer.error().lacks_table) {
    return std::unexpected(WithTables(std::move(answer.error()), design_, stage_, *operation));
  }
  return answer;
}

}  // namespace taula::design
