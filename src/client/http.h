// A connection to one HTTP server, which waits for each answer: plain, or
// through TLS with the server's certificate checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/fields.h"
#include "client/url.h"

namespace taula::client {

struct HttpRequest {
  std::string method = "POST";
  std::string target = "/";
  Fields fields;  // Host, Content-Length and Connection are added
  std::string_view body;
};

struct HttpResponse {
  int status = 0;
  Fields fields;
  std::string body;

  // The first of that name; case does not matter.
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view name) const;
};

struct HttpFailure {
  enum class Kind : std::uint8_t {
    kUnknownHost,
    kRefused,   // nobody listens there
    kTimeout,   // no connection or no answer in time
    kTls,       // no encryption that can be trusted
    kNotHttp,   // what came is no answer of an HTTP server
    kTooLarge,  // the answer exceeds HttpOptions::response_bytes_max
    kClosed,    // the connection broke; the request may have been carried out
    kBadField,  // a field of the request that would break the request
  };
  Kind kind = Kind::kClosed;
  std::string what;  // the end of a sentence that begins "Cannot reach http://…: "
};

struct HttpOptions {
  std::int64_t connect_ms_max = 10'000;
  std::int64_t answer_ms_max = 60'000;  // from the first byte sent to the last one received
  std::size_t response_bytes_max = std::size_t{64} << 20;
  std::string ca_file;  // roots to trust; empty: the system's
};

// For one thread at a time.
class HttpConnection {
 public:
  // Connects with the first request.
  explicit HttpConnection(const Url& url, HttpOptions options = {});
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Keeps the connection for the next request if the server does. One that the
  // server has closed in between is made anew, and the request sent again, if
  // nothing of an answer has come.
  [[nodiscard]] std::expected<HttpResponse, HttpFailure> Send(const HttpRequest& request);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace taula::client
