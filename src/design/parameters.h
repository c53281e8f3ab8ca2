// What an operation takes: the attributes and values that its caller gives.
#pragma once

#include <expected>
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

// The JSON object for Runner::Run from "name=value" as on a command line:
// values by the parameter's type, lists and maps as JSON, "name=@file" from a
// file. The error is a sentence.
[[nodiscard]] std::expected<std::string, std::string> ParametersFromText(
    const Design& design, const Operation& operation, const std::vector<std::pair<std::string, std::string>>& given);

}  // namespace taula::design
