// A client of DynamoDB's API, for Amazon's service and for any other server
// that speaks it.
//
//   auto client = client::Client::Open({.endpoint = "http://localhost:8000"});
//   if (!client) return Complain(client.error());
//   auto tables = (*client)->Call("ListTables", "{}");
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "client/credentials.h"
#include "client/http.h"
#include "client/sigv4.h"
#include "client/url.h"
#include "taula/error.h"

namespace taula::client {

struct ClientOptions {
  std::string endpoint;
  std::string region;  // empty: see FindRegion
  HttpOptions http;    // without a ca_file, AWS_CA_BUNDLE is looked at
};

// Calls may come from several threads; each has a connection of its own, which
// is kept for the next call.
class Client {
 public:
  // Does not connect yet. The error is a sentence or two.
  [[nodiscard]] static std::expected<std::unique_ptr<Client>, std::string> Open(
      const ClientOptions& options, const Environment& environment = ProcessEnvironment());

  // The answer of an operation of DynamoDB or its streams, both in DynamoDB's JSON. The server's errors
  // come as they would from an embedded database. No answer at all is a
  // kServiceUnavailable that says why. Nothing is tried twice, except on a
  // connection that turns out to be closed.
  [[nodiscard]] Result<std::string> Call(std::string_view operation, const std::string& body);

  // The same, with more fields in the request, and the answer as it came,
  // whatever its status.
  [[nodiscard]] Result<HttpResponse> Send(std::string_view operation, const std::string& body, const Fields& more = {});

  [[nodiscard]] const Url& endpoint() const { return url_; }

 private:
  Client(Url url, std::string region, Credentials credentials, HttpOptions http);
  [[nodiscard]] HttpRequest Signed(std::string_view operation, const std::string& body, const Fields& more) const;
  [[nodiscard]] std::unique_ptr<HttpConnection> TakeConnection();
  void Keep(std::unique_ptr<HttpConnection> connection);
  [[nodiscard]] std::unexpected<Error> NotDynamoDb(const HttpResponse& response) const;

  const Url url_;
  const std::string region_;
  const Credentials credentials_;
  const HttpOptions http_;
  const base::Clock& clock_ = base::Clock::System();
  std::mutex mutex_;
  std::vector<std::unique_ptr<HttpConnection>> idle_;
};

}  // namespace taula::client
