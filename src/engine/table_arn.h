// The Amazon resource names of tables and what belongs to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace taula::engine {

// arn:aws:dynamodb:<region>:<account>:<resource>, in its parts.
struct Arn {
  std::string_view partition;
  std::string_view service;
  std::string_view region;
  std::string_view account;
  std::string_view resource;  // "table/Orders", "table/Orders/index/ByDate"
};

// Nothing when the text does not have the form of an ARN. The parts are views
// of the text.
[[nodiscard]] std::optional<Arn> ParseArn(std::string_view text);

[[nodiscard]] inline bool LooksLikeArn(std::string_view text) { return text.starts_with("arn:"); }

[[nodiscard]] std::string TableArn(std::string_view region, std::string_view account, std::string_view table);
[[nodiscard]] std::string IndexArn(std::string_view table_arn, std::string_view index);
[[nodiscard]] std::string StreamArn(std::string_view table_arn, std::string_view label);
// `key` is a key's id, its alias or its whole ARN; without one it is the key
// that Amazon manages for an account.
[[nodiscard]] std::string KmsKeyArn(std::string_view region, std::string_view account,
                                    const std::optional<std::string>& key);

}  // namespace taula::engine
