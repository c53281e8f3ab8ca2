#include "cli/operation_help.h"

#include <fmt/format.h>

#include "cli/help_format.h"
#include "design/parameters.h"
#include "design/plain_json.h"

namespace taula::cli {
namespace {

// "userId=… [limit=…]"
std::string Signature(const design::Design& design, const design::Operation& operation) {
  std::string text;
  for (const design::Parameter& parameter : design::ParametersOf(design, operation)) {
    const std::string given = fmt::format("{}=…", parameter.name);
    text.append(parameter.required ? fmt::format(" {}", given) : fmt::format(" [{}]", given));
  }
  return text;
}

std::string Describe(const design::Parameter& parameter) {
  std::string text = design::DescribeType(parameter.shape);
  if (parameter.shape.type == design::AttributeType::kList && !parameter.shape.elements.empty()) {
    std::string fields;
    for (const design::Attribute& field : parameter.shape.elements.front().fields) {
      fields.append(fmt::format("{}{}", fields.empty() ? "" : ", ", field.name));
    }
    if (!fields.empty()) text.append(fmt::format(" of objects with {}", fields));
  }
  if (!parameter.required) text.append("; optional");
  if (!parameter.shape.description.empty()) text.append(fmt::format(". {}", parameter.shape.description));
  return text;
}

}  // namespace

std::string OperationList(const design::Design& design) {
  std::string text = design.description.empty() ? "" : design.description + "\n\n";
  text.append("Operations:\n");
  for (const design::Operation& operation : design.operations) {
    text.append(fmt::format("  {}{}\n", operation.name, Signature(design, operation)));
    if (!operation.description.empty()) text.append(fmt::format("      {}\n", operation.description));
  }
  text.append(fmt::format("\n'taula call {} OPERATION --help' tells more about one.\n", design.name));
  return text;
}

std::string OperationUsage(const design::Design& design, const design::Operation& operation) {
  std::string text = operation.description.empty() ? "" : operation.description + "\n\n";
  text.append(fmt::format("Usage: taula call {} {}{}\n", design.name, operation.name, Signature(design, operation)));
  const auto parameters = design::ParametersOf(design, operation);
  if (!parameters.empty()) text.append("\nParameters:\n");
  for (const design::Parameter& parameter : parameters) {
    text.append(HelpParagraph(parameter.name, Describe(parameter)));
    if (!text.ends_with('\n')) text.push_back('\n');
  }
  text.append("\nLists and objects are written as JSON; name=@file takes the value from a file.\n");
  return text;
}

}  // namespace taula::cli
