#include "server/authenticator.h"

#include <algorithm>
#include <array>
#include <string>

namespace taula::server {
namespace {

using Name = RequestHead::FieldName;

std::optional<Error> Refuse(ErrorCode code, std::string message) {
  return Error{code, std::move(message), std::nullopt, {}};
}

template <typename Visit>
void ForEachPart(std::string_view text, char separator, Visit visit) {
  while (true) {
    const std::size_t at = text.find(separator);
    visit(text.substr(0, at));
    if (at == std::string_view::npos) return;
    text.remove_prefix(at + 1);
  }
}

// Notes for each of `names` whether `name=value` says something of it; the last
// one counts.
template <std::size_t kCount>
void NoteParameter(std::string_view parameter, const std::array<std::string_view, kCount>& names,
                   std::array<bool, kCount>& given) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t length = names[i].size();
    if (parameter.size() < length || (parameter.size() > length && parameter[length] != '=')) continue;
    if (parameter.starts_with(names[i])) given[i] = parameter.size() > length + 1;
  }
}

bool HasParameter(std::string_view query, std::string_view name) {
  bool has = false;
  ForEachPart(query, '&', [&](std::string_view part) { has |= part.substr(0, part.find('=')) == name; });
  return has;
}

std::optional<Error> CheckHeader(const RequestHead& head, std::string_view authorization) {
  static constexpr std::array<std::string_view, 3> kNames = {"Credential", "Signature", "SignedHeaders"};
  std::array<bool, 3> given{};
  // The first word is the algorithm.
  const std::string_view parameters =
      authorization.substr(std::min(std::min(authorization.find(' '), authorization.find(',')), authorization.size()));
  ForEachPart(parameters, ',', [&](std::string_view part) {
    ForEachPart(part, ' ', [&](std::string_view parameter) { NoteParameter(parameter, kNames, given); });
  });
  std::string missing;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (!given[i]) missing.append("Authorization header requires '").append(kNames[i]).append("' parameter. ");
  }
  if (!head.Find("X-Amz-Date") && !head.Has(Name::date)) {
    missing.append("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (missing.empty()) return std::nullopt;
  return Refuse(ErrorCode::kIncompleteSignatureException, missing.append("Authorization=").append(authorization));
}

std::optional<Error> CheckQuery(std::string_view query) {
  static constexpr std::array<std::string_view, 5> kNames = {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature",
                                                             "X-Amz-SignedHeaders", "X-Amz-Date"};
  std::array<bool, 5> given{};
  ForEachPart(query, '&', [&](std::string_view parameter) { NoteParameter(parameter, kNames, given); });
  std::string missing;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (!given[i]) missing.append("AWS query-string parameters must include '").append(kNames[i]).append("'. ");
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
