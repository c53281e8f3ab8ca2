#include "engine/idempotency.h"

#include <algorithm>

#include "base/bytes.h"
#include "codec/key_codec.h"

namespace taula::engine {
namespace {

// Persisted (docs/formats.md): do not change.
constexpr std::string_view kTokenPrefix = "Tt";
constexpr std::string_view kExpiryPrefix = "Te";
constexpr char kRecordFormat = 1;
// The format, the time and the length of the fingerprint.
constexpr std::size_t kRecordHeaderBytes = 1 + 8 + 1;
constexpr std::size_t kExpiryTimeBytes = 8;

// How many tokens one step of forgetting takes.
constexpr std::size_t kForgetChunk = 200;

std::string ExpiryKey(std::int64_t created_ms, std::string_view token) {
  std::string key;
  key.reserve(kExpiryPrefix.size() + kExpiryTimeBytes + token.size());
  key.append(kExpiryPrefix);
  base::AppendBigEndianU32(key, static_cast<std::uint32_t>(static_cast<std::uint64_t>(created_ms) >> 32));
  base::AppendBigEndianU32(key, static_cast<std::uint32_t>(created_ms));
  key.append(token);
  return key;
}

}  // namespace

std::string TokenKey(std::string_view token) {
  std::string key;
  key.reserve(kTokenPrefix.size() + token.size());
  key.append(kTokenPrefix).append(token);
  return key;
}

std::optional<TokenRecord> DecodeToken(std::string_view stored) {
  if (stored.size() < kRecordHeaderBytes || stored[0] != kRecordFormat) return std::nullopt;
  TokenRecord record;
  record.created_ms = static_cast<std::int64_t>(base::ReadU64(stored.data() + 1));
  const auto fingerprint_bytes = static_cast<std::uint8_t>(stored[9]);
  stored.remove_prefix(kRecordHeaderBytes);
  if (stored.size() < fingerprint_bytes || (stored.size() - fingerprint_bytes) % 4 != 0) return std::nullopt;
  record.fingerprint = stored.substr(0, fingerprint_bytes);
  for (stored.remove_prefix(fingerprint_bytes); !stored.empty(); stored.remove_prefix(4)) {
    record.image_bytes.push_back(base::ReadU32(stored.data()));
  }
  return record;
}

void PutToken(storage::Batch& batch, std::string_view token, const TokenRecord& record) {
  std::string stored;
  stored.reserve(kRecordHeaderBytes + record.fingerprint.size() + 4 * record.image_bytes.size());
  stored.push_back(kRecordFormat);
  base::AppendU64(stored, static_cast<std::uint64_t>(record.created_ms));
  stored.push_back(static_cast<char>(record.fingerprint.size()));
  stored.append(record.fingerprint);
  for (const std::uint32_t bytes : record.image_bytes) base::AppendU32(stored, bytes);
  batch.Put(TokenKey(token), stored);
  batch.Put(ExpiryKey(record.created_ms, token), {});
}

std::size_t ForgetExpiredTokens(storage::Store& store, std::int64_t now_ms) {
  std::size_t forgotten = 0;
  for (;;) {
    std::vector<storage::Key> expiries;
    std::vector<storage::Key> tokens;
    const storage::Range expired{std::string(kExpiryPrefix), ExpiryKey(now_ms - kTokenLifetimeMs, {})};
    const storage::Status status = store.Scan(expired, {}, [&](std::string_view key, std::string_view) {
      expiries.emplace_back(key);
      tokens.push_back(TokenKey(key.substr(kExpiryPrefix.size() + kExpiryTimeBytes)));
      return expiries.size() < kForgetChunk;
    });
    if (status != storage::Status::kOk || expiries.empty()) return forgotten;
    // The token may have been used again since, and then has a later expiry.
    const auto forget = [&](std::span<const std::optional<std::string_view>> values, storage::Batch& batch) {
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        batch.Delete(expiries[i]);
        if (!values[i]) continue;
        const std::optional<TokenRecord> record = DecodeToken(*values[i]);
        if (!record || record->expired(now_ms)) batch.Delete(tokens[i]);
      }
      return true;
    };
    if (storage::MutateAndWait(store, tokens, forget) != storage::Commit::kOk) return forgotten;
    forgotten += tokens.size();
  }
}

}  // namespace taula::engine
