#include "server/route.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "client/url.h"
#include "codec/error_name.h"
#include "codec/json_writer.h"
#include "server/exchange.h"
#include "server/mailbox.h"

namespace taula::server {
namespace {

using Name = RequestHead::FieldName;
using Verb = RequestHead::Verb;

bool IsOfThisMachine(std::string_view origin) {
  const auto url = client::ParseUrl(origin);
  return url && url->IsLoopback();
}

void AllowOrigin(const RequestHead& head, std::string_view origin, std::string& fields) {
  fmt::format_to(std::back_inserter(fields), "Access-Control-Allow-Origin: {}\r\nVary: Origin\r\n", origin);
  if (head.method != Verb::options) return;
  fields.append("Access-Control-Max-Age: 600\r\nAccess-Control-Allow-Methods: GET, POST, PUT, DELETE\r\n");
  if (const auto names = head.Find(Name::access_control_request_headers)) {
    fmt::format_to(std::back_inserter(fields), "Access-Control-Allow-Headers: {}\r\n", *names);
  }
}

bool IsReading(Verb method) { return method == Verb::get || method == Verb::head; }

}  // namespace

RouteResponse RouteError(int status, std::string_view code, std::string_view message) {
  RouteResponse response{.status = status};
  codec::JsonWriter json(response.body);
  json.BeginObject();
  json.Key("error").BeginObject();
  json.Key("code").String(code);
  json.Key("message").String(message);
  json.EndObject();
  json.EndObject();
  return response;
}

RouteResponse WrongMethod(std::string_view allowed) {
  RouteResponse response = RouteError(405, "WrongMethod", fmt::format("This path takes {} only.", allowed));
  response.fields = fmt::format("Allow: {}\r\n", allowed);
  return response;
}

void FillAnswer(Exchange& exchange, RouteResponse response) {
  exchange.status = response.status;
  exchange.response_body = std::move(response.body);
  if (!response.content_type.empty()) {
    exchange.extra_fields.append("Content-Type: ").append(response.content_type).append("\r\n");
  }
  exchange.extra_fields.append(response.fields);
}

RouteResponder::RouteResponder(std::unique_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
RouteResponder::RouteResponder(RouteResponder&& other) noexcept = default;

RouteResponder& RouteResponder::operator=(RouteResponder&& other) noexcept {
  RouteResponder gone(std::move(*this));
  exchange_ = std::move(other.exchange_);
  return *this;
}

RouteResponder::~RouteResponder() {
  if (exchange_) Send(RouteError(500, "InternalError", "The request was not answered."));
}

void RouteResponder::Send(RouteResponse response) {
  if (!exchange_) return;
  FillAnswer(*exchange_, std::move(response));
  Return(std::move(exchange_));
}

RouteHandler* Router::Search(std::string_view target) const {
  const std::string_view path = target.substr(0, target.find('?'));
  for (RouteHandler* const handler : handlers_) {
    const std::string_view prefix = handler->prefix();
    if (path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/')) return handler;
  }
  return nullptr;
}

void Router::Handle(RouteHandler& handler, std::unique_ptr<Exchange> exchange) const {
  const RequestHead& head = exchange->head;
  exchange->head_only = head.method == Verb::head;
  std::optional<RouteResponse> refusal;
  if (const auto origin = head.Find(Name::origin)) {
    if (IsOfThisMachine(*origin)) {
      AllowOrigin(head, *origin, exchange->extra_fields);
      if (head.method == Verb::options) refusal = RouteResponse{.content_type = ""};
    } else if (!IsReading(head.method)) {
      refusal = RouteError(403, "Forbidden", "Pages of other sites may not call this server.");
    }
  }
  if (!refusal && authenticator_.verifies()) {
    if (const auto error = authenticator_.Check(head, exchange->body)) {
      refusal = RouteError(403, codec::ErrorName(error->code), error->message);
    }
  }
  if (!refusal && exchange->body.size() > handler.body_bytes_max()) {
    refusal = RouteError(413, "TooLarge", fmt::format("The body may have {} bytes at most.", handler.body_bytes_max()));
  }
  const std::size_t question = std::min(head.target.find('?'), head.target.size());
  const RouteRequest request{
      .method = exchange->head_only ? Verb::get : head.method,
      .path = head.target.substr(0, question),
      .query = head.target.substr(std::min(question + 1, head.target.size())),
      .host = head.Find(Name::host).value_or(std::string_view()),
      .media_type = head.MediaType(),
      .body = exchange->body,
  };
  RouteResponder responder(std::move(exchange));
  if (refusal) {
    responder.Send(*std::move(refusal));
  } else {
    handler.Handle(request, std::move(responder));
  }
}

}  // namespace taula::server
