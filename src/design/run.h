// Runs a design's operations by name, on this database or on any server that
// speaks DynamoDB's API.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "design/model.h"
#include "taula/error.h"

namespace taula::design {

class Deriver;

// Who answers DynamoDB's operations. Calls wait for the answer, and may come
// from several threads.
class Backend {
 public:
  virtual ~Backend() = default;
  // `body` and the answer are DynamoDB's JSON.
  [[nodiscard]] virtual Result<std::string> Call(std::string_view operation, const std::string& body) = 0;
  // Whether it derives keys, sets timestamps and keeps unique rules itself.
  // Otherwise the runner does all of that, with a guard item for each unique
  // value, written in the same transaction.
  [[nodiscard]] virtual bool keeps_designs() const = 0;
};

enum class FailureCode : std::uint8_t {
  kUnknownOperation,
  kInvalidParameter,
  kNotFound,
  kAlreadyExists,
  kNotUnique,
  kConditionFailed,
  kWrongCredentials,
  kConflict,     // with another transaction; may be tried again
  kThrottled,    // may be tried again
  kRefused,      // by the server, for any other reason
  kUnavailable,  // no answer
};

[[nodiscard]] std::string_view NameOf(FailureCode code);  // "NotFound"

struct Failure {
  FailureCode code = FailureCode::kRefused;
  std::string message;    // a sentence or two
  std::string parameter;  // the one that is wrong, if it is one
  bool lacks_table = false;
};

// For any number of threads.
class Runner {
 public:
  // All must live as long as the runner. An empty stage is the design's own.
  Runner(const Design& design, std::string stage, Backend& backend, const base::Clock& clock = base::Clock::System());

  // The operation of this name. `parameters` is a JSON object; the answer is one too (docs/design-files.md).
  // May wait, for the backend and for bcrypt.
  [[nodiscard]] std::expected<std::string, Failure> Run(std::string_view name, std::string_view parameters) const;

 private:
  const Design& design_;
  std::string stage_;
  Backend& backend_;
  const base::Clock& clock_;
  std::shared_ptr<const Deriver> deriver_;
};

}  // namespace taula::design
