#include "server/gate.h"

#include <simdjson.h>

#include <string_view>
#include <utility>

#include "server/error_body.h"

namespace taula::server {
namespace {

static_assert(kBodyPadding >= simdjson::SIMDJSON_PADDING);

using Name = RequestHead::FieldName;
using Verb = RequestHead::Verb;

constexpr int kOk = 200;
constexpr int kNotFound = 404;

void Answer(Exchange& exchange, int status, std::string_view body) {
  exchange.status = status;
  exchange.response_body.assign(body);
}

bool IsJson(std::string_view body) {
  simdjson::dom::parser parser;
  return parser.parse(body.data(), body.size(), false).error() == simdjson::SUCCESS;
}

Error Bare(ErrorCode code) { return {code, "", std::nullopt, {}}; }

ServiceRequest ServiceRequestOf(const Exchange& exchange) {
  return {.target = exchange.head.operation(),
          .path = exchange.head.target,
          .media_type = exchange.head.MediaType(),
          .body = exchange.body};
}

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

Gate::Gate(const std::string& region, const Authenticator& authenticator, const Handler& handler,
           std::vector<ServiceHandler*> services)
    // The space at the end is Amazon's.
    : health_("healthy: dynamodb." + region + ".amazonaws.com "),
      authenticator_(authenticator),
      handler_(handler),
      services_(std::move(services)) {}

std::optional<Request> Gate::Admit(Exchange& exchange) const {
  const RequestHead& head = exchange.head;
  if (head.Has(Name::origin)) {
    AppendField(exchange.extra_fields, "Access-Control-Allow-Origin", "*");
    if (head.method == Verb::options) {
      AnswerPreflight(exchange);
      return std::nullopt;
    }
    AppendField(exchange.extra_fields, "Access-Control-Expose-Headers",
                "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,x-amz-crc32,Date");
  }
  if (head.method == Verb::get || head.method == Verb::head) {
    exchange.head_only = head.method == Verb::head;
    Answer(exchange, kOk, health_);
    return std::nullopt;
  }
  const std::string_view media_type = head.MediaType();
  const bool amz_json = media_type == "application/x-amz-json-1.0";
  if (head.method != Verb::post || (!exchange.body.empty() && !amz_json && media_type != "application/json")) {
    if (!IsForService(exchange)) Answer(exchange, kNotFound, "<UnknownOperationException/>\n");
    return std::nullopt;
  }
  exchange.content_type = amz_json ? ContentType::kAmzJson10 : ContentType::kJson;

  Request request;
  std::optional<Error> fault = FindFault(exchange, request);
  if (!fault) return request;
  if (fault->code == ErrorCode::kUnknownOperationException && IsForService(exchange)) return std::nullopt;
  // Amazon reads the body first. The operation does so for a request that gets
  // that far, so only the others pay for it here.
  if (!exchange.body.empty() && !IsJson(exchange.body)) fault = Bare(ErrorCode::kSerializationException);
  exchange.status = HttpStatus(fault->code);
  AppendErrorBody(*fault, exchange.response_body);
  return std::nullopt;
}

// Notes the service of the exchange, or answers for it.
bool Gate::IsForService(Exchange& exchange) const {
  if (exchange.head.method != Verb::post || services_.empty()) return false;
  const ServiceRequest request = ServiceRequestOf(exchange);
  for (ServiceHandler* const service : services_) {
    if (!service->Wants(request)) continue;
    exchange.content_type = ContentType::kNone;
    if (const auto refused = authenticator_.Check(exchange.head, exchange.body)) {
      FillAnswer(exchange, service->Refuse(request, *refused));
    } else {
      exchange.service = service;
    }
    return true;
  }
  return false;
}

void Gate::HandOver(std::unique_ptr<Exchange> exchange) {
  ServiceHandler& service = *std::exchange(exchange->service, nullptr);
  const ServiceRequest request = ServiceRequestOf(*exchange);
  service.Handle(request, RouteResponder(std::move(exchange)));
}

void Gate::AnswerPreflight(Exchange& exchange) const {
  const RequestHead& head = exchange.head;
  std::string& out = exchange.extra_fields;
  AppendField(out, "Access-Control-Max-Age", "172800");
  if (const auto headers = head.Find(Name::access_control_request_headers)) {
    AppendField(out, "Access-Control-Allow-Headers", *headers);
  }
  if (const auto method = head.Find(Name::access_control_request_method)) {
    AppendField(out, "Access-Control-Allow-Methods", *method);
  }
  Answer(exchange, kOk, "");
}

std::optional<Error> Gate::FindFault(const Exchange& exchange, Request& request) const {
  const std::string_view target = exchange.head.operation();
  const std::size_t dot = target.find('.');
  if (dot == std::string_view::npos) return Bare(ErrorCode::kUnknownOperationException);
  const std::string_view service = target.substr(0, dot);
  const std::string_view operation = target.substr(dot + 1);
  const std::optional<std::uint16_t> number = handler_.Find(service, operation);
  if (!number) return Bare(ErrorCode::kUnknownOperationException);
  request = {service, operation, *number, exchange.body, exchange.head.explain};
  if (auto refused = authenticator_.Check(exchange.head, exchange.body)) return refused;
  if (exchange.body.empty()) return Bare(ErrorCode::kSerializationException);
  return std::nullopt;
}

}  // namespace taula::server
