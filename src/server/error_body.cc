#include "server/error_body.h"

#include <string_view>

#include "codec/error_name.h"
#include "codec/json_writer.h"

namespace taula::server {
namespace {

constexpr std::string_view kService = "com.amazon.coral.service#";
constexpr std::string_view kValidate = "com.amazon.coral.validate#";
constexpr std::string_view kAvailability = "com.amazon.coral.availability#";
constexpr std::string_view kDynamoDb = "com.amazonaws.dynamodb.v20120810#";

constexpr std::string_view kLower = "message";
constexpr std::string_view kUpper = "Message";

// How Amazon writes each of its exceptions.
struct Form {
  std::string_view prefix;
  std::string_view message_key = kLower;
  int status = 400;
};

Form FormOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidationException:
      return {kValidate};
    case ErrorCode::kThrottlingException:
      return {kAvailability};
    case ErrorCode::kSerializationException:
    case ErrorCode::kAccessDeniedException:
      return {kService, kUpper};
    case ErrorCode::kMissingAuthenticationTokenException:
    case ErrorCode::kIncompleteSignatureException:
    case ErrorCode::kInvalidSignatureException:
    case ErrorCode::kUnrecognizedClientException:
    case ErrorCode::kUnknownOperationException:
      return {kService};
    case ErrorCode::kServiceUnavailable:
      return {kService, kLower, 503};
    case ErrorCode::kTransactionCanceledException:
    case ErrorCode::kTransactionInProgressException:
    case ErrorCode::kIdempotentParameterMismatchException:
      return {kDynamoDb, kUpper};
    case ErrorCode::kInternalServerError:
      return {kDynamoDb, kLower, 500};
    default:
      return {kDynamoDb};
  }
}

void WriteReasons(codec::JsonWriter& json, const std::vector<CancellationReason>& reasons) {
  json.Key("CancellationReasons").BeginArray();
  for (const CancellationReason& reason : reasons) {
    json.BeginObject();
    json.Key("Code").String(reason.code);
    if (reason.item) json.Key("Item").Item(reason.item->attributes());
    if (!reason.message.empty()) json.Key("Message").String(reason.message);
    json.EndObject();
  }
  json.EndArray();
}

void WriteReasons(codec::JsonWriter& json, std::string_view name, const std::vector<ThrottlingReason>& reasons) {
  json.Key(name).BeginArray();
  for (const ThrottlingReason& each : reasons) {
    json.BeginObject();
    json.Key("reason").String(each.reason);
    json.Key("resource").String(each.resource);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

int HttpStatus(ErrorCode code) { return FormOf(code).status; }

void AppendErrorBody(const Error& error, std::string& out) {
  const Form form = FormOf(error.code);
  std::string type(form.prefix);
  type.append(codec::ErrorName(error.code));
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("__type").String(type);
  if (error.code == ErrorCode::kTransactionCanceledException) WriteReasons(json, error.cancellation_reasons);
  if (!error.throttling_reasons.empty()) {
    const bool lower = error.code == ErrorCode::kThrottlingException;
    WriteReasons(json, lower ? "throttlingReasons" : "ThrottlingReasons", error.throttling_reasons);
  }
  if (error.item) json.Key("Item").Item(error.item->attributes());
  // Some exceptions come without a word.
  if (!error.message.empty()) json.Key(form.message_key).String(error.message);
  json.EndObject();
}

}  // namespace taula::server
