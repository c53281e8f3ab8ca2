// What an operation takes: the attributes and values that its caller gives.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/model.h"

namespace taula::design {

struct Parameter {
  std::string name;
  Attribute shape;  // type, values, fields, description
  bool required = false;
};

// In the order in which a person would give them: keys first.
[[nodiscard]] std::vector<Parameter> ParametersOf(const Design& design, const Operation& operation);

// A sentence for a parameter that there is not: what was meant, or what there is.
[[nodiscard]] std::string UnknownParameter(std::string_view name, std::span<const Parameter> parameters);

// The JSON object for Runner::Run from "name=value" as on a command line:
// values by the parameter's type, lists and maps as JSON, "name=@file" from a
// file. The error is a sentence.
[[nodiscard]] std::expected<std::string, std::string> ParametersFromText(
    const Design& design, const Operation& operation, const std::vector<std::pair<std::string, std::string>>& given);

// How a transaction's step, or an operation of its own, comes by an attribute
// of its entity: a value in `set`, a parameter, or not at all.
[[nodiscard]] const Assignment* FindAssignment(const Operation& operation, const Entity& entity,
                                               std::string_view attribute);

// Whether an attribute is taken from the parameters by its name where a create
// or put does not set it.
[[nodiscard]] bool IsImplied(const Entity& entity, const Attribute& attribute, const Operation& operation,
                             bool in_transaction);

}  // namespace taula::design
