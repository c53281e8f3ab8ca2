// What CloudWatch answers when it does not succeed. Its errors are not those of
// DynamoDB, and have one name in the Query protocol and another in the newer ones.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace taula::cloudwatch {

struct Fault {
  std::string_view code;  // "InvalidParameterValue", of the Query protocol
  std::string_view type;  // "com.amazonaws.cloudwatch#InvalidParameterValueException"
  std::string message;
  int status = 400;
};

template <typename T>
using Outcome = std::expected<T, Fault>;

[[nodiscard]] inline std::unexpected<Fault> InvalidValue(std::string message) {
  return std::unexpected(
      Fault{"InvalidParameterValue", "com.amazonaws.cloudwatch#InvalidParameterValueException", std::move(message)});
}

[[nodiscard]] inline std::unexpected<Fault> InvalidCombination(std::string message) {
  return std::unexpected(Fault{"InvalidParameterCombination",
                               "com.amazonaws.cloudwatch#InvalidParameterCombinationException", std::move(message)});
}

[[nodiscard]] inline std::unexpected<Fault> Missing(std::string_view parameter) {
  return std::unexpected(Fault{"MissingParameter", "com.amazonaws.cloudwatch#MissingRequiredParameterException",
                               std::string("The parameter ").append(parameter).append(" is required.")});
}

// What GetMetricData finds wrong with its queries.
[[nodiscard]] inline std::unexpected<Fault> ValidationError(std::string message) {
  return std::unexpected(Fault{"ValidationError", "com.amazon.coral.validate#ValidationException", std::move(message)});
}

[[nodiscard]] inline std::unexpected<Fault> InvalidNextToken() {
  return std::unexpected(
      Fault{"InvalidNextToken", "com.amazonaws.cloudwatch#InvalidNextToken", "The next token specified is invalid."});
}

[[nodiscard]] inline std::unexpected<Fault> NotFound(std::string message) {
  constexpr int kNotFound = 404;
  return std::unexpected(Fault{"ResourceNotFoundException", "com.amazonaws.cloudwatch#ResourceNotFoundException",
                               std::move(message), kNotFound});
}

// A body that cannot be read.
[[nodiscard]] inline std::unexpected<Fault> Malformed(std::string message) {
  return std::unexpected(
      Fault{"MalformedInput", "com.amazon.coral.service#SerializationException", std::move(message)});
}

}  // namespace taula::cloudwatch
