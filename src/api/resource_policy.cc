#include "api/resource_policy.h"

#include <simdjson.h>

#include "engine/index_rules.h"

namespace taula::api {

std::optional<Error> FindPolicyFault(std::string_view policy) {
  constexpr std::size_t kPolicyBytesMax = 20 * 1024;
  simdjson::dom::parser parser;
  simdjson::dom::object document;
  if (policy.size() > kPolicyBytesMax) {
    return engine::InvalidParameter("Invalid policy document: The policy is longer than 20 KB").error();
  }
  if (parser.parse(simdjson::padded_string(policy)).get_object().get(document) != simdjson::SUCCESS) {
    return engine::InvalidParameter("Invalid policy document: This policy contains invalid Json").error();
  }
  return std::nullopt;
}

}  // namespace taula::api
