#include "design/failure.h"

#include <fmt/format.h>

#include <cctype>

namespace taula::design {
namespace {

constexpr std::string_view kNotUnique = "Not unique: ";
constexpr std::string_view kDoesNotFit = "Item does not fit ";

// "status must be …" is about status, "data.tags[3] is …" about data.
std::string FirstName(std::string_view clause) {
  std::size_t end = 0;
  while (end < clause.size() && (std::isalnum(static_cast<unsigned char>(clause[end])) != 0 || clause[end] == '_' ||
                                 clause[end] == '-' || clause[end] == '$')) {
    ++end;
  }
  return std::string(clause.substr(0, end));
}

}  // namespace

std::string_view NameOf(FailureCode code) {
  switch (code) {
    case FailureCode::kUnknownOperation:
      return "UnknownOperation";
    case FailureCode::kInvalidParameter:
      return "InvalidParameter";
    case FailureCode::kNotFound:
      return "NotFound";
    case FailureCode::kAlreadyExists:
      return "AlreadyExists";
    case FailureCode::kNotUnique:
      return "NotUnique";
    case FailureCode::kConditionFailed:
      return "ConditionFailed";
    case FailureCode::kWrongCredentials:
      return "WrongCredentials";
    case FailureCode::kConflict:
      return "Conflict";
    case FailureCode::kThrottled:
      return "Throttled";
    case FailureCode::kRefused:
      return "Refused";
    case FailureCode::kUnavailable:
      return "Unavailable";
  }
  return "Refused";
}

std::optional<Failure> BrokenRule(std::string_view message) {
  if (message.starts_with(kNotUnique)) {
    // "another item has …", as a sentence: the code says the rest.
    std::string sentence(message.substr(kNotUnique.size()));
    if (!sentence.empty())
      sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    return Failure{FailureCode::kNotUnique, sentence + ".", {}};
  }
  if (!message.starts_with(kDoesNotFit)) return std::nullopt;
  const std::size_t colon = message.find(": ");
  const std::string_view clauses = colon == std::string_view::npos ? message : message.substr(colon + 2);
  return Failure{FailureCode::kInvalidParameter, std::string(clauses) + ".", FirstName(clauses)};
}

Failure FailureOf(const Error& error) {
  if (std::optional<Failure> broken = BrokenRule(error.message)) return *std::move(broken);
  switch (error.code) {
    case ErrorCode::kResourceNotFoundException:
      return {FailureCode::kRefused, "The table or index is not there: " + error.message, {}, true};
    case ErrorCode::kTransactionConflictException:
    case ErrorCode::kTransactionInProgressException:
    case ErrorCode::kTransactionCanceledException:
      return {FailureCode::kConflict, "Another transaction changes the same items; try again.", {}};
    case ErrorCode::kProvisionedThroughputExceededException:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kThrottlingException:
      return {FailureCode::kThrottled, "The server takes no more requests for now; try again.", {}};
    case ErrorCode::kServiceUnavailable:
    case ErrorCode::kInternalServerError:
      return {FailureCode::kUnavailable, error.message.empty() ? "The server has no answer." : error.message, {}};
    default:
      return {FailureCode::kRefused, error.message, {}};
  }
}

}  // namespace taula::design
