#include "api/statement_token.h"

#include <utility>

#include "api/fingerprint.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "value/encoding.h"

namespace taula::api {
namespace {

// version, fingerprint, number of the read as a varint, key or nothing
constexpr char kVersion = 1;
constexpr std::size_t kFingerprintBytes = 32;
constexpr std::size_t kReadNumberBytes = 4;

std::unexpected<Error> Invalid() { return ValidationError("Invalid NextToken"); }

}  // namespace

std::string EncodeToken(const StatementPosition& position, const partiql::BoundStatementPtr& statement) {
  std::string bytes(1, kVersion);
  bytes += Fingerprint(std::span(&statement, 1));
  base::AppendBigEndianU32(bytes, position.read);
  if (position.start_key) bytes += position.start_key->encoded();
  std::string token;
  base::AppendBase64(token, bytes);
  return token;
}

Result<StatementPosition> DecodeToken(std::string_view token, const partiql::BoundStatementPtr& statement) {
  std::string bytes;
  if (!base::AppendBase64Decoded(bytes, token)) return Invalid();
  std::string_view rest = bytes;
  if (rest.size() < 1 + kFingerprintBytes + kReadNumberBytes || rest.front() != kVersion) return Invalid();
  rest.remove_prefix(1);
  if (rest.substr(0, kFingerprintBytes) != Fingerprint(std::span(&statement, 1))) {
    return ValidationError("NextToken does not match request");
  }
  rest.remove_prefix(kFingerprintBytes);
  StatementPosition position;
  position.read = base::ReadBigEndianU32(rest.data());
  rest.remove_prefix(kReadNumberBytes);
  if (rest.empty()) return position;
  if (!value::IsWellFormedValue(rest) || static_cast<Type>(rest.front()) != Type::kMap) return Invalid();
  position.start_key = Item::FromEncoded(std::string(rest));
  return position;
}

}  // namespace taula::api
