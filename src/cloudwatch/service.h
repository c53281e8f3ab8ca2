// CloudWatch's API, from HTTP to HTTP.
#pragma once

#include "cloudwatch/operations.h"
#include "cloudwatch/protocol.h"
#include "taula/error.h"

namespace taula::cloudwatch {

// Used by any thread. Reading much takes a while and waits for the disk.
class Service {
 public:
  // What the context names must outlive it.
  explicit Service(const Context& context) : context_(context) {}

  [[nodiscard]] static bool Wants(const HttpRequest& request) { return ProtocolOf(request).has_value(); }
  // Of what it wants.
  [[nodiscard]] HttpAnswer Answer(const HttpRequest& request) const;
  // To credentials that do not pass, and to more requests than can be taken.
  [[nodiscard]] static HttpAnswer Refuse(const HttpRequest& request, const Error& error);

 private:
  Context context_;
};

}  // namespace taula::cloudwatch
