#include "client/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "client/error_reader.h"

namespace taula::client {
namespace {

constexpr std::size_t kIdleMax = 16;
constexpr int kOk = 200;

constexpr std::array<std::string_view, 4> kOfStreams = {"DescribeStream", "GetRecords", "GetShardIterator",
                                                        "ListStreams"};

std::string Target(std::string_view operation) {
  const bool of_streams = std::ranges::find(kOfStreams, operation) != kOfStreams.end();
  return fmt::format("{}_20120810.{}", of_streams ? "DynamoDBStreams" : "DynamoDB", operation);
}

std::unexpected<Error> Unreachable(const Url& url, std::string_view why) {
  return Fail(ErrorCode::kServiceUnavailable, fmt::format("Cannot reach {}: {}.", url.Origin(), why));
}

}  // namespace

Client::Client(Url url, std::string region, Credentials credentials, HttpOptions http)
    : url_(std::move(url)), region_(std::move(region)), credentials_(std::move(credentials)), http_(std::move(http)) {}

std::expected<std::unique_ptr<Client>, std::string> Client::Open(const ClientOptions& options,
                                                                 const Environment& environment) {
  auto url = ParseUrl(options.endpoint);
  if (!url) return std::unexpected(url.error());
  auto credentials = FindCredentials(*url, environment);
  if (!credentials) return std::unexpected(credentials.error());
  HttpOptions http = options.http;
  if (http.ca_file.empty()) http.ca_file = environment("AWS_CA_BUNDLE").value_or("");
  std::string region = FindRegion(options.region, *url, environment);
  return std::unique_ptr<Client>(
      new Client(*std::move(url), std::move(region), *std::move(credentials), std::move(http)));
}

Result<std::string> Client::Call(std::string_view operation, const std::string& body) {
  auto response = Send(operation, body);
  if (!response) return std::unexpected(std::move(response.error()));
  if (response->status == kOk) {
    // Operations without an answer have an empty one: TagResource.
    if (response->body.empty()) return "{}";
    if (!response->body.starts_with('{')) return NotDynamoDb(*response);
    return std::move(response->body);
  }
  if (auto error = ReadError(response->status, response->body)) return std::unexpected(*std::move(error));
  return NotDynamoDb(*response);
}

Result<HttpResponse> Client::Send(std::string_view operation, const std::string& body, const Fields& more) {
  auto connection = TakeConnection();
  auto response = connection->Send(Signed(operation, body, more));
  if (!response) return Unreachable(url_, response.error().what);
  Keep(std::move(connection));
  return *std::move(response);
}

HttpRequest Client::Signed(std::string_view operation, const std::string& body, const Fields& more) const {
  const std::string date = AmzDate(clock_.NowMs());
  Fields fields = {
      {"Content-Type", "application/x-amz-json-1.0"}, {"X-Amz-Target", Target(operation)}, {"X-Amz-Date", date}};
  if (!credentials_.session_token.empty()) fields.emplace_back("X-Amz-Security-Token", credentials_.session_token);
  Fields to_sign = fields;
  to_sign.emplace_back("Host", url_.Authority());
  fields.emplace_back("Authorization",
                      Authorization({.path = url_.path, .query = url_.query, .fields = to_sign, .body = body},
                                    credentials_, {.region = region_}, date));
  fields.insert(fields.end(), more.begin(), more.end());
  return {.method = "POST", .target = url_.Target(), .fields = std::move(fields), .body = body};
}

std::unique_ptr<HttpConnection> Client::TakeConnection() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<HttpConnection>(url_, http_);
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

void Client::Keep(std::unique_ptr<HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kIdleMax) idle_.push_back(std::move(connection));
}

std::unexpected<Error> Client::NotDynamoDb(const HttpResponse& response) const {
  return Fail(ErrorCode::kServiceUnavailable,
              fmt::format("{} answers, but not as DynamoDB does (HTTP status {}). Is it the address of another server?",
                          url_.Origin(), response.status));
}

}  // namespace taula::client
