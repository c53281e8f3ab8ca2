#include "server/authenticator.h"

#include <array>
#include <string>

namespace taula::server {
namespace {

using Name = RequestHead::FieldName;

std::optional<Error> Refuse(ErrorCode code, std::string message) {
  return Error{code, std::move(message), std::nullopt, {}};
}

// Cuts the text before the first of `separators` off the front of `rest`.
std::string_view NextToken(std::string_view& rest, std::string_view separators) {
  const std::size_t at = rest.find_first_of(separators);
  const std::string_view token = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return token;
}

// The last `name=value` with this name, without its value when there is none.
std::string_view Parameter(std::string_view list, std::string_view separators, std::string_view name) {
  std::string_view found;
  while (!list.empty()) {
    const std::string_view token = NextToken(list, separators);
    const std::size_t equals = token.find('=');
    if (token.substr(0, equals) == name) {
      found = equals == std::string_view::npos ? std::string_view() : token.substr(equals + 1);
    }
  }
  return found;
}

bool HasParameter(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::string_view token = NextToken(list, "&");
    if (token.substr(0, token.find('=')) == name) return true;
  }
  return false;
}

std::optional<Error> CheckHeader(const RequestHead& head, std::string_view authorization) {
  std::string_view parameters = authorization;
  NextToken(parameters, ", ");
  std::string missing;
  for (const std::string_view name : {"Credential", "Signature", "SignedHeaders"}) {
    if (!Parameter(parameters, ", ", name).empty()) continue;
    missing.append("Authorization header requires '").append(name).append("' parameter. ");
  }
  if (!head.Find("X-Amz-Date") && !head.Has(Name::date)) {
    missing.append("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (missing.empty()) return std::nullopt;
  return Refuse(ErrorCode::kIncompleteSignatureException, missing.append("Authorization=").append(authorization));
}

std::optional<Error> CheckQuery(std::string_view query) {
  std::string missing;
  for (const std::string_view name :
       {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"}) {
    if (!Parameter(query, "&", name).empty()) continue;
    missing.append("AWS query-string parameters must include '").append(name).append("'. ");
  }
  if (missing.empty()) return std::nullopt;
  return Refuse(ErrorCode::kIncompleteSignatureException, missing.append("Re-examine the query-string parameters."));
}

}  // namespace

std::optional<Error> AnyCredentials::Check(const RequestHead& head, std::string_view /*body*/) const {
  const std::string_view authorization = head.Find(Name::authorization).value_or(std::string_view());
  const std::size_t question = head.target.find('?');
  const std::string_view query =
      question == std::string_view::npos ? std::string_view() : head.target.substr(question + 1);
  const bool by_query = HasParameter(query, "X-Amz-Algorithm");

  if (!authorization.empty() && by_query) {
    return Refuse(ErrorCode::kInvalidSignatureException,
                  "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (by_query) return CheckQuery(query);
  if (!authorization.starts_with("AWS4-")) {
    return Refuse(ErrorCode::kMissingAuthenticationTokenException, "Request is missing Authentication Token");
  }
  return CheckHeader(head, authorization);
}

}  // namespace taula::server
