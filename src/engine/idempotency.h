// What is remembered of a transaction that came with a client token, so that
// sending it again within ten minutes does nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/batch.h"
#include "storage/store.h"

namespace taula::engine {

inline constexpr std::int64_t kTokenLifetimeMs = 10 * 60 * 1000;

struct TokenRecord {
  std::int64_t created_ms = 0;
  std::string fingerprint;
  std::vector<std::uint32_t> image_bytes;  // of each action, for what a repetition costs

  [[nodiscard]] bool expired(std::int64_t now_ms) const { return now_ms - created_ms >= kTokenLifetimeMs; }
};

[[nodiscard]] std::string TokenKey(std::string_view token);

// Nothing when the bytes are not a record.
[[nodiscard]] std::optional<TokenRecord> DecodeToken(std::string_view stored);

// Remembers a token, and when it may be forgotten.
void PutToken(storage::Batch& batch, std::string_view token, const TokenRecord& record);

// Forgets tokens that have expired; returns how many. For the background.
std::size_t ForgetExpiredTokens(storage::Store& store, std::int64_t now_ms);

}  // namespace taula::engine
