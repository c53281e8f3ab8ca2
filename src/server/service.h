// Another of Amazon's services on DynamoDB's port, for whoever answers it.
#pragma once

#include <string_view>

#include "server/route.h"
#include "taula/error.h"

namespace taula::server {

// The views are valid until the responder has been used.
struct ServiceRequest {
  std::string_view target;  // of X-Amz-Target
  std::string_view path;    // as it was sent, with the query
  std::string_view media_type;
  std::string_view body;  // padded as Request::body is
};

class ServiceHandler {
 public:
  virtual ~ServiceHandler() = default;

  // Whether a POST is for this service. Asked only about what DynamoDB would
  // refuse, so it costs its own requests nothing.
  [[nodiscard]] virtual bool Wants(const ServiceRequest& request) const = 0;

  // The answer to credentials that do not pass, in the service's own form.
  [[nodiscard]] virtual RouteResponse Refuse(const ServiceRequest& request, const Error& error) const = 0;

  // As RouteHandler::Handle.
  virtual void Handle(const ServiceRequest& request, RouteResponder responder) = 0;
};

}  // namespace taula::server
