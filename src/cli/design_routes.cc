#include "cli/design_routes.h"

#include <fmt/format.h>

#include <expected>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/json_writer.h"
#include "design/closest_name.h"
#include "design/openapi.h"
#include "design/summary.h"

namespace taula::cli {
namespace {

using design::FailureCode;
using server::RouteError;
using server::RouteRequest;
using server::RouteResponder;
using server::RouteResponse;
using server::WrongMethod;
using Verb = server::RequestHead::Verb;

// Operations that wait for a thread.
constexpr std::size_t kWaitingMax = 256;

int StatusOf(FailureCode code) {
  switch (code) {
    case FailureCode::kInvalidParameter:
    case FailureCode::kRefused:
      return 400;
    case FailureCode::kWrongCredentials:
      return 401;
    case FailureCode::kUnknownOperation:
    case FailureCode::kNotFound:
      return 404;
    case FailureCode::kAlreadyExists:
    case FailureCode::kNotUnique:
    case FailureCode::kConditionFailed:
    case FailureCode::kConflict:
      return 409;
    case FailureCode::kThrottled:
      return 429;
    case FailureCode::kUnavailable:
      return 503;
  }
  return 500;
}

RouteResponse FailureResponse(const design::Failure& failure) {
  RouteResponse response{.status = StatusOf(failure.code)};
  codec::JsonWriter json(response.body);
  json.BeginObject();
  json.Key("error").BeginObject();
  json.Key("code").String(design::NameOf(failure.code));
  json.Key("message").String(failure.message);
  if (!failure.parameter.empty()) json.Key("parameter").String(failure.parameter);
  json.EndObject();
  json.EndObject();
  return response;
}

std::string ListOf(const std::vector<const design::Design*>& designs) {
  std::string out;
  codec::JsonWriter json(out);
  json.BeginObject();
  json.Key("designs").BeginArray();
  for (const design::Design* const each : designs) {
    json.BeginObject();
    json.Key("name").String(each->name);
    if (!each->description.empty()) json.Key("description").String(each->description);
    json.Key("operations").Integer(static_cast<std::int64_t>(each->operations.size()));
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return out;
}

// "a/b/c" to "a" and "b/c".
std::pair<std::string_view, std::string_view> CutAtSlash(std::string_view path) {
  const std::size_t slash = std::min(path.find('/'), path.size());
  return {path.substr(0, slash), path.substr(std::min(slash + 1, path.size()))};
}

// A page of another site can send a body, but not as JSON without asking.
std::optional<RouteResponse> FindFault(const RouteRequest& request) {
  if (request.method != Verb::post) return WrongMethod("POST");
  if (request.media_type != "application/json") {
    return RouteError(415, "UnsupportedMediaType", "The parameters come as JSON: Content-Type: application/json.");
  }
  const std::size_t first = request.body.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && request.body[first] != '{') {
    return RouteError(400, "InvalidParameter", "The body is not a JSON object of parameters.");
  }
  return std::nullopt;
}

std::string UnknownOperation(const design::Design& design, std::string_view name) {
  std::vector<std::string_view> known;
  for (const design::Operation& operation : design.operations) known.push_back(operation.name);
  const std::string_view closest = design::ClosestName(name, known);
  return fmt::format("The design '{0}' has no operation '{1}'{2}; GET /designs/{0} lists them.", design.name, name,
                     closest.empty() ? "" : fmt::format(", but '{}'", closest));
}

}  // namespace

DesignRoutes::DesignRoutes(const std::vector<const design::Design*>& designs, const std::string& stage,
                           design::Backend& backend, std::size_t threads_max)
    : list_(ListOf(designs)), worker_(kWaitingMax, threads_max) {
  for (const design::Design* const each : designs) {
    served_.emplace_back(new Served{each, design::Runner(*each, stage, backend), design::DesignSummary(*each, stage),
                                    design::OpenApiDocument(*each)});
  }
}

const DesignRoutes::Served* DesignRoutes::Find(std::string_view name) const {
  for (const auto& served : served_) {
    if (served->design->name == name) return served.get();
  }
  return nullptr;
}

void DesignRoutes::Handle(const RouteRequest& request, RouteResponder responder) {
  const auto [name, rest] = CutAtSlash(CutAtSlash(request.path.substr(1)).second);
  const bool reads = request.method == Verb::get;
  if (name.empty()) return responder.Send(reads ? RouteResponse{.body = list_} : WrongMethod("GET"));
  const Served* const served = Find(name);
  if (served == nullptr) {
    return responder.Send(
        RouteError(404, "UnknownDesign", fmt::format("There is no design '{}' here; GET /designs lists them.", name)));
  }
  if (rest.empty()) return responder.Send(reads ? RouteResponse{.body = served->summary} : WrongMethod("GET"));
  if (rest == "openapi.json")
    return responder.Send(reads ? RouteResponse{.body = served->openapi} : WrongMethod("GET"));
  if (served->design->FindOperation(rest) == nullptr) {
    return responder.Send(
        RouteError(404, design::NameOf(FailureCode::kUnknownOperation), UnknownOperation(*served->design, rest)));
  }
  if (auto fault = FindFault(request)) return responder.Send(*std::move(fault));
  Run(*served, rest, request, std::move(responder));
}

// Passwords take a while to hash, and the backend waits for the disk.
void DesignRoutes::Run(const Served& served, std::string_view operation, const RouteRequest& request,
                       RouteResponder responder) {
  const auto kept = std::make_shared<RouteResponder>(std::move(responder));
  const bool taken = worker_.Do([&served, operation, request, kept] {
    const bool empty = request.body.find_first_not_of(" \t\r\n") == std::string_view::npos;
    auto answer = served.runner.Run(operation, empty ? std::string_view("{}") : request.body);
    kept->Send(answer ? RouteResponse{.body = *std::move(answer)} : FailureResponse(answer.error()));
  });
  if (taken) return;
  RouteResponse busy =
      RouteError(503, design::NameOf(FailureCode::kThrottled), "Too many operations are waiting; try again.");
  busy.fields = "Retry-After: 1\r\n";
  kept->Send(std::move(busy));
}

}  // namespace taula::cli
