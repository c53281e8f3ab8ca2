#include "api/constraints.h"

#include <fmt/format.h>

#include <algorithm>

namespace taula::api {
namespace {

// Amazon stops collecting here.
constexpr std::size_t kReportedMax = 10;

}  // namespace

std::string LengthAtLeast(std::size_t length) {
  return fmt::format("Member must have length greater than or equal to {}", length);
}

std::string LengthAtMost(std::size_t length) {
  return fmt::format("Member must have length less than or equal to {}", length);
}

std::string ValueAtLeast(std::int64_t value) {
  return fmt::format("Member must have value greater than or equal to {}", value);
}

std::string ValueAtMost(std::int64_t value) {
  return fmt::format("Member must have value less than or equal to {}", value);
}

std::string MatchesPattern(std::string_view pattern) {
  return fmt::format("Member must satisfy regular expression pattern: {}", pattern);
}

std::string IsOneOf(std::string_view values) { return fmt::format("Member must satisfy enum value set: {}", values); }

void Constraints::Violated(std::string_view path, std::string_view value, std::string_view constraint) {
  Add(fmt::format("Value '{}' at '{}{}' failed to satisfy constraint: {}", value, within_, path, constraint));
}

void Constraints::Missing(std::string_view path) {
  Add(fmt::format("Value null at '{}{}' failed to satisfy constraint: {}", within_, path, kMustNotBeNull));
}

void Constraints::ViolatedUnechoed(std::string_view path, std::string_view constraint) {
  Add(fmt::format("Value at '{}{}' failed to satisfy constraint: {}", within_, path, constraint));
}

Result<void> Constraints::Check() const {
  if (violations_.empty()) return {};
  const std::size_t count = std::min(violations_.size(), kReportedMax);
  std::string message = fmt::format("{} validation error{} detected: ", count, count == 1 ? "" : "s");
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) message += "; ";
    message += violations_[i];
  }
  return ValidationError(std::move(message));
}

std::string InEnvelope(std::string_view message) { return fmt::format("1 validation error detected: {}", message); }

Error InEnvelope(Error error) {
  if (error.code == ErrorCode::kValidationException && !error.message.starts_with("Supplied AttributeValue ")) {
    error.message = InEnvelope(std::string_view(error.message));
  }
  return error;
}

}  // namespace taula::api
