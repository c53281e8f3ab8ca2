#include "api/fingerprint.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace taula::api {
namespace {

// What the content of most actions needs, so that it grows in one allocation.
constexpr std::size_t kUsualActionBytes = 256;

// Looking for the algorithm takes OpenSSL as long as hashing some hundred bytes,
// and a lock; so it is found once.
const EVP_MD* Sha256() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

// Each part with its length, so that no two contents read alike.
void AppendPart(std::string& out, std::string_view part) {
  base::AppendVarint(out, static_cast<std::uint32_t>(part.size()));
  out += part;
}

void AppendOptionalPart(std::string& out, std::optional<std::string_view> part) {
  out.push_back(part ? 1 : 0);
  if (part) AppendPart(out, *part);
}

void AppendPlaceholders(std::string& out, const ExpressionAttributes& attributes) {
  std::vector<std::pair<std::string_view, std::string_view>> placeholders;
  if (attributes.names) {
    for (const auto& [placeholder, name] : *attributes.names) placeholders.emplace_back(placeholder, name);
  }
  if (attributes.values) {
    for (const auto& [placeholder, value] : *attributes.values) placeholders.emplace_back(placeholder, value.encoded());
  }
  std::ranges::sort(placeholders);
  base::AppendVarint(out, static_cast<std::uint32_t>(placeholders.size()));
  for (const auto& [placeholder, meaning] : placeholders) {
    AppendPart(out, placeholder);
    AppendPart(out, meaning);
  }
}

std::string HashOf(std::string_view content) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int length = 0;
  EVP_Digest(content.data(), content.size(), digest.data(), &length, Sha256(), nullptr);
  return std::string(reinterpret_cast<const char*>(digest.data()), length);
}

}  // namespace

std::string Fingerprint(const std::vector<TransactWriteAction>& actions) {
  std::string content;
  content.reserve(actions.size() * kUsualActionBytes);
  for (const TransactWriteAction& action : actions) {
    content.push_back(static_cast<char>(action.index()));
    std::visit(
        [&content](const auto& one) {
          AppendPart(content, std::string_view(one.table_name));
          if constexpr (requires { one.item; }) {
            AppendPart(content, std::string_view(one.item.encoded()));
          } else {
            AppendPart(content, std::string_view(one.key.encoded()));
          }
          if constexpr (requires { one.update_expression; }) {
            AppendPart(content, std::string_view(one.update_expression));
          }
          AppendOptionalPart(content, one.condition_expression);
          AppendPlaceholders(content, one.attributes);
        },
        action);
  }
  return HashOf(content);
}

std::string Fingerprint(std::span<const partiql::BoundStatementPtr> statements) {
  // No action's number, so that no transaction of the other kind has the same.
  std::string content(1, '\x7F');
  for (const partiql::BoundStatementPtr& statement : statements) {
    AppendPart(content, std::string_view(statement->text()));
    base::AppendVarint(content, static_cast<std::uint32_t>(statement->parameters().size()));
    for (const Value& parameter : statement->parameters()) {
      AppendPart(content, std::string_view(parameter.encoded()));
    }
  }
  return HashOf(content);
}

}  // namespace taula::api
