#include "engine/table_arn.h"

#include <fmt/format.h>

namespace taula::engine {

std::optional<Arn> ParseArn(std::string_view text) {
  if (!LooksLikeArn(text)) return std::nullopt;
  text.remove_prefix(4);
  Arn arn;
  for (std::string_view* part : {&arn.partition, &arn.service, &arn.region, &arn.account}) {
    const std::size_t end = text.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    *part = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  arn.resource = text;
  return arn;
}

std::string TableArn(std::string_view region, std::string_view account, std::string_view table) {
  return fmt::format("arn:aws:dynamodb:{}:{}:table/{}", region, account, table);
}

std::string IndexArn(std::string_view table_arn, std::string_view index) {
  return fmt::format("{}/index/{}", table_arn, index);
}

std::string StreamArn(std::string_view table_arn, std::string_view label) {
  return fmt::format("{}/stream/{}", table_arn, label);
}

std::string KmsKeyArn(std::string_view region, std::string_view account, const std::optional<std::string>& key) {
  constexpr std::string_view kManagedKey = "00000000-0000-4000-8000-000000000000";
  if (!key || *key == "alias/aws/dynamodb") {
    return fmt::format("arn:aws:kms:{}:{}:key/{}", region, account, kManagedKey);
  }
  if (LooksLikeArn(*key)) return *key;
  const std::string_view kind = key->starts_with("alias/") ? "" : "key/";
  return fmt::format("arn:aws:kms:{}:{}:{}{}", region, account, kind, *key);
}

}  // namespace taula::engine
