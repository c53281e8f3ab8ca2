// From the errors of a server to the failures of operations.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "design/run.h"
#include "taula/error.h"

namespace taula::design {

template <typename T>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> Fail(FailureCode code, std::string message, std::string parameter = {}) {
  return std::unexpected(Failure{code, std::move(message), std::move(parameter)});
}

[[nodiscard]] inline std::unexpected<Failure> Invalid(std::string parameter, std::string message) {
  return Fail(FailureCode::kInvalidParameter, std::move(message), std::move(parameter));
}

// What a table that keeps its design says of an item that breaks its rules: the
// failure, with the attribute that the message begins with. Nothing when the
// message is another one.
[[nodiscard]] std::optional<Failure> BrokenRule(std::string_view message);

// An error that is not about a condition.
[[nodiscard]] Failure FailureOf(const Error& error);

}  // namespace taula::design
