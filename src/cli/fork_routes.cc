#include "cli/fork_routes.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <expected>
#include <memory>
#include <optional>
#include <vector>

#include "base/timestamp.h"
#include "cli/forks.h"
#include "codec/json_writer.h"

namespace taula::cli {
namespace {

using server::RouteError;
using server::RouteRequest;
using server::RouteResponder;
using server::RouteResponse;
using Kind = ForkFault::Kind;
using Verb = server::RequestHead::Verb;

constexpr std::int64_t kIdleSecondsMax = std::int64_t{30} * 24 * 60 * 60;

// The fork is where its origin is, by the name that the client knows that by, on
// another port.
std::string Endpoint(std::string_view host, std::uint16_t port) {
  const std::size_t bracket = host.find(']');
  const std::size_t from = bracket == std::string_view::npos ? 0 : bracket;
  return fmt::format("http://{}:{}", host.substr(0, host.find(':', from)), port);
}

void Write(codec::JsonWriter& json, const ForkDescription& fork, std::string_view host) {
  json.BeginObject();
  json.Key("name").String(fork.name);
  json.Key("endpoint").String(Endpoint(host, fork.port));
  if (!fork.origin.empty()) json.Key("forkOf").String(fork.origin);
  json.Key("createdAt").String(base::IsoTimestamp(fork.created_ms));
  json.Key("idleSeconds").Integer(fork.idle_max.count());
  json.EndObject();
}

RouteResponse Described(int status, const ForkDescription& fork, std::string_view host) {
  RouteResponse response{.status = status};
  codec::JsonWriter json(response.body);
  Write(json, fork, host);
  return response;
}

RouteResponse Listed(const std::vector<ForkDescription>& forks, std::string_view host) {
  RouteResponse response;
  codec::JsonWriter json(response.body);
  json.BeginObject();
  json.Key("forks").BeginArray();
  for (const ForkDescription& fork : forks) Write(json, fork, host);
  json.EndArray();
  json.EndObject();
  return response;
}

RouteResponse Refused(const ForkFault& fault) {
  switch (fault.kind) {
    case Kind::kBadName:
      return RouteError(400, "InvalidName", fault.message);
    case Kind::kNameTaken:
      return RouteError(409, "AlreadyExists", fault.message);
    case Kind::kNoOrigin:
      return RouteError(404, "NotFound", fault.message);
    case Kind::kTooMany:
      return RouteError(429, "TooManyForks", fault.message);
    case Kind::kNoPort:
      return RouteError(503, "NoPort", fault.message);
    case Kind::kFailed:
      break;
  }
  return RouteError(500, "InternalError", fault.message);
}

RouteResponse NotFound(std::string_view name) {
  return RouteError(404, "NotFound", fmt::format("There is no fork '{}'; GET /forks lists them.", name));
}

RouteResponse Busy() { return RouteError(503, "Busy", "Too many requests for forks are waiting; try again."); }

// The error is a sentence.
std::expected<void, std::string> ReadMember(std::string_view name, const simdjson::dom::element& value,
                                            ForkRequest& request) {
  if (name == "name") {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return std::unexpected("'name' is a text.");
    request.name = text;
    return {};
  }
  if (name == "idleSeconds") {
    std::int64_t seconds = 0;
    if (value.get(seconds) != simdjson::SUCCESS || seconds < 0 || seconds > kIdleSecondsMax) {
      return std::unexpected(fmt::format("'idleSeconds' is a number from 0 (never) to {}.", kIdleSecondsMax));
    }
    request.idle_max = std::chrono::seconds(seconds);
    return {};
  }
  return std::unexpected(fmt::format("A fork has no '{}'; it has 'name' and 'idleSeconds'.", name));
}

std::expected<ForkRequest, std::string> ReadRequest(std::string_view body) {
  ForkRequest request;
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return request;
  simdjson::dom::parser parser;
  simdjson::dom::object members;
  if (parser.parse(body.data(), body.size()).get(members) != simdjson::SUCCESS) {
    return std::unexpected("The body is not a JSON object.");
  }
  for (const auto& [name, value] : members) {
    if (auto read = ReadMember(name, value, request); !read) return std::unexpected(std::move(read.error()));
  }
  return request;
}

}  // namespace

void ForkRoutes::Handle(const RouteRequest& request, RouteResponder responder) {
  const std::string name(request.path.substr(std::min(prefix().size() + 1, request.path.size())));
  if (name.empty()) {
    if (request.method == Verb::get) return responder.Send(Listed(forks_.List(), request.host));
    if (request.method == Verb::post) return Make(request, std::move(responder));
    return responder.Send(server::WrongMethod("GET, POST"));
  }
  if (request.method == Verb::delete_) return Delete(name, request, std::move(responder));
  if (request.method != Verb::get) return responder.Send(server::WrongMethod("GET, DELETE"));
  const auto fork = forks_.Find(name);
  responder.Send(fork ? Described(200, *fork, request.host) : NotFound(name));
}

void ForkRoutes::Make(const RouteRequest& request, RouteResponder responder) {
  auto wanted = ReadRequest(request.body);
  if (!wanted) return responder.Send(RouteError(400, "InvalidRequest", wanted.error()));
  wanted->origin = origin_;
  const auto kept = std::make_shared<RouteResponder>(std::move(responder));
  const auto work = [&forks = forks_, wanted = *std::move(wanted), host = request.host, kept] {
    const std::shared_ptr<Fork> origin = forks.Hold(wanted.origin);
    const auto made = forks.Make(wanted);
    kept->Send(made ? Described(201, *made, host) : Refused(made.error()));
  };
  if (!forks_.worker().Do(work)) kept->Send(Busy());
}

void ForkRoutes::Delete(const std::string& name, const RouteRequest& request, RouteResponder responder) {
  const auto kept = std::make_shared<RouteResponder>(std::move(responder));
  const bool asks_itself = name == origin_;
  const auto work = [&forks = forks_, name, asks_itself, host = std::string(request.host), kept] {
    const auto description = forks.Find(name);
    std::shared_ptr<Fork> fork = forks.Take(name);
    if (fork == nullptr || !description) return kept->Send(NotFound(name));
    // It waits for its requests to be answered, this one included.
    if (asks_itself) kept->Send(Described(200, *description, host));
    fork.reset();
    kept->Send(Described(200, *description, host));
  };
  if (!forks_.worker().Do(work)) kept->Send(Busy());
}

}  // namespace taula::cli
