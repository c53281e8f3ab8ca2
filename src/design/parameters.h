// What an operation takes: the attributes and values that its caller gives.
#pragma once

#include <cstdint>
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

// Where a create or put stands, which decides what it takes by its name.
enum class Standing : std::uint8_t { kAlone, kStep, kLoop };

// Whether an attribute of a new entity that `set` does not give is taken from a
// parameter of its name. In a loop what its element has is taken in any case.
[[nodiscard]] bool IsImplied(const Entity& entity, const Attribute& attribute, Standing standing);

// The value that `set` has for an attribute, if it has one.
[[nodiscard]] const Assignment* FindAssignment(const std::vector<Assignment>& assignments, const Entity& entity,
                                               std::string_view attribute);

}  // namespace taula::design
