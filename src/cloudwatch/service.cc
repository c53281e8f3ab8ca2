#include "cloudwatch/service.h"

#include <array>
#include <utility>

namespace taula::cloudwatch {
namespace {

using Operation = Outcome<Document> (*)(const Context&, const Document&);

constexpr auto kOperations = std::to_array<std::pair<std::string_view, Operation>>({
    {"DescribeInsightRules", DescribeInsightRules},
    {"GetInsightRuleReport", GetInsightRuleReport},
    {"GetMetricData", GetMetricData},
    {"GetMetricStatistics", GetMetricStatistics},
    {"ListMetrics", ListMetrics},
});

Operation Find(std::string_view name) {
  for (const auto& [each, operation] : kOperations) {
    if (each == name) return operation;
  }
  return nullptr;
}

Fault FromError(const Error& error) {
  constexpr int kForbidden = 403;
  constexpr int kUnavailable = 503;
  const auto fault = [&](std::string_view code, std::string_view type, int status) {
    return Fault{code, type, error.message, status};
  };
  switch (error.code) {
    case ErrorCode::kMissingAuthenticationTokenException:
      return fault("MissingAuthenticationToken", "com.amazon.coral.service#MissingAuthenticationTokenException",
                   kForbidden);
    case ErrorCode::kIncompleteSignatureException:
      return fault("IncompleteSignature", "com.amazon.coral.service#IncompleteSignatureException", kForbidden);
    case ErrorCode::kInvalidSignatureException:
      return fault("SignatureDoesNotMatch", "com.amazon.coral.service#InvalidSignatureException", kForbidden);
    case ErrorCode::kUnrecognizedClientException:
      return fault("InvalidClientTokenId", "com.amazon.coral.service#UnrecognizedClientException", kForbidden);
    case ErrorCode::kAccessDeniedException:
      return fault("AccessDenied", "com.amazon.coral.service#AccessDeniedException", kForbidden);
    case ErrorCode::kThrottlingException:
      return fault("Throttling", "com.amazon.coral.availability#ThrottlingException", 400);
    default:
      return fault("ServiceUnavailable", "com.amazon.coral.service#ServiceUnavailableException", kUnavailable);
  }
}

}  // namespace

HttpAnswer Service::Answer(const HttpRequest& request) const {
  const Protocol protocol = ProtocolOf(request).value_or(Protocol::kJson);
  const Outcome<Call> call = ReadCall(protocol, request);
  if (!call) return WriteFault(protocol, call.error());
  const Operation operation = Find(call->operation);
  if (operation == nullptr) return WriteFault(protocol, UnknownOperation(protocol, call->operation));
  const Outcome<Document> output = operation(context_, call->input);
  return output ? WriteOutput(protocol, call->operation, *output) : WriteFault(protocol, output.error());
}

HttpAnswer Service::Refuse(const HttpRequest& request, const Error& error) {
  return WriteFault(ProtocolOf(request).value_or(Protocol::kJson), FromError(error));
}

}  // namespace taula::cloudwatch
