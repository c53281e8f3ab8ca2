#include "cli/fault_routes.h"

#include <utility>

#include "base/log.h"
#include "cli/fault_file.h"

namespace taula::cli {
namespace {

using Verb = server::RequestHead::Verb;

}  // namespace

void FaultRoutes::Handle(const server::RouteRequest& request, server::RouteResponder responder) {
  switch (request.method) {
    case Verb::get:
      break;
    case Verb::put: {
      auto profile = ParseFaults(request.body);
      if (!profile) return responder.Send(server::RouteError(400, "InvalidProfile", profile.error()));
      service_.SetFaults(*std::move(profile));
      base::Log(base::LogLevel::kWarning, "Requests meet faults on purpose: {}", FaultsJson(service_.faults()));
      break;
    }
    case Verb::delete_:
      service_.SetFaults({});
      base::Log(base::LogLevel::kInfo, "Requests meet no faults any more");
      break;
    default:
      return responder.Send(server::WrongMethod("GET, PUT, DELETE"));
  }
  responder.Send({.body = FaultsJson(service_.faults())});
}

}  // namespace taula::cli
