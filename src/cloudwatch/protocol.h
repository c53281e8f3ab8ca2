// The protocols that CloudWatch's clients speak. Each reads a request as the name
// of an operation with its input, and writes the output or what was wrong:
//
//   query_protocol.h   forms in, XML out: the AWS CLI, boto3 and older SDKs
//   json_protocol.h    AWS JSON 1.0: newer SDKs
//   cbor_protocol.h    Smithy RPC v2 CBOR: newer SDKs as well
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cloudwatch/document.h"
#include "cloudwatch/fault.h"

namespace taula::cloudwatch {

enum class Protocol : std::uint8_t { kQuery, kJson, kCbor };

inline constexpr std::string_view kServiceName = "GraniteServiceVersion20100801";
inline constexpr std::string_view kVersion = "2010-08-01";
inline constexpr std::size_t kBodyBytesMax = std::size_t{1} << 20;

// What came over HTTP.
struct HttpRequest {
  std::string_view target;  // of X-Amz-Target
  std::string_view path;
  std::string_view media_type;
  std::string_view body;
};

struct HttpAnswer {
  int status = 200;
  std::string content_type;
  std::string fields;  // more of them, as whole lines
  std::string body;
};

struct Call {
  std::string operation;
  Document input;
};

// Nothing where the request is not for CloudWatch.
[[nodiscard]] std::optional<Protocol> ProtocolOf(const HttpRequest& request);

[[nodiscard]] Outcome<Call> ReadCall(Protocol protocol, const HttpRequest& request);
[[nodiscard]] HttpAnswer WriteOutput(Protocol protocol, std::string_view operation, const Document& output);
[[nodiscard]] HttpAnswer WriteFault(Protocol protocol, const Fault& fault);

// The fault that each protocol has of its own.
[[nodiscard]] Fault UnknownOperation(Protocol protocol, std::string_view operation);

}  // namespace taula::cloudwatch
