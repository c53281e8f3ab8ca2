// Signature Version 4: how Amazon's services know who sends a request.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client/fields.h"

namespace taula::client {

struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // of temporary ones; empty otherwise
};

// What is signed. All fields are, so those that a proxy may change (Connection,
// User-Agent) are added after signing.
struct SigningRequest {
  std::string_view method = "POST";
  std::string_view path = "/";
  std::string_view query;  // encoded
  const Fields& fields;    // with Host and X-Amz-Date
  std::string_view body;
};

struct SigningScope {
  std::string_view region;
  std::string_view service = "dynamodb";
};

// "20260102T030405Z", the value of X-Amz-Date.
[[nodiscard]] std::string AmzDate(std::int64_t time_ms);

[[nodiscard]] std::string CanonicalRequest(const SigningRequest& request);

// The value of the Authorization field.
[[nodiscard]] std::string Authorization(const SigningRequest& request, const Credentials& credentials,
                                        const SigningScope& scope, std::string_view amz_date);

}  // namespace taula::client
