// The constraints on single members of a request, which Amazon checks before
// anything else and reports together: "2 validation errors detected: …; …".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taula/error.h"

namespace taula::api {

inline constexpr std::string_view kMustNotBeNull = "Member must not be null";
[[nodiscard]] std::string LengthAtLeast(std::size_t length);
[[nodiscard]] std::string LengthAtMost(std::size_t length);
[[nodiscard]] std::string ValueAtLeast(std::int64_t value);
[[nodiscard]] std::string ValueAtMost(std::int64_t value);
[[nodiscard]] std::string MatchesPattern(std::string_view pattern);
// `values` as Amazon lists them, e.g. "[SIZE, NONE]".
[[nodiscard]] std::string IsOneOf(std::string_view values);

// Collects violations in the order in which they are to be reported.
class Constraints {
 public:
  Constraints() = default;
  // `within` comes before all paths: "tableCreationParameters.". It must outlive
  // this.
  explicit Constraints(std::string_view within) : within_(within) {}

  // "Value '<value>' at '<path>' failed to satisfy constraint: <constraint>";
  // the path is in camelCase.
  void Violated(std::string_view path, std::string_view value, std::string_view constraint);
  // "Value null at '<path>' failed to satisfy constraint: Member must not be null".
  void Missing(std::string_view path);
  // The form without the value, which Amazon uses since 2026 in places: "Value
  // at '<Path>' failed to satisfy constraint: <constraint>"; the path is in
  // PascalCase.
  void ViolatedUnechoed(std::string_view path, std::string_view constraint);
  // A violation in words of its own.
  void Add(std::string violation) { violations_.push_back(std::move(violation)); }

  // All of another's violations, in its order.
  void Add(const Constraints& others) {
    violations_.insert(violations_.end(), others.violations_.begin(), others.violations_.end());
  }

  [[nodiscard]] bool empty() const { return violations_.empty(); }
  void Clear() { violations_.clear(); }

  // The ValidationException for all of them, nothing when there is none.
  [[nodiscard]] Result<void> Check() const;

 private:
  std::string_view within_;
  std::vector<std::string> violations_;
};

// "1 validation error detected: <message>", the form in which Amazon's newer
// checks report what is wrong with a request as a whole.
[[nodiscard]] std::string InEnvelope(std::string_view message);

// The same for an error. Values without a type, or with more than one, are
// reported without it.
[[nodiscard]] Error InEnvelope(Error error);

[[nodiscard]] inline Result<void> InEnvelope(Result<void> result) {
  if (!result) result.error() = InEnvelope(std::move(result.error()));
  return result;
}

}  // namespace taula::api
