#include "client/http.h"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>

namespace taula::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Kind = HttpFailure::Kind;

constexpr std::size_t kHeadBytesMax = 64 * 1024;

using Failed = std::unexpected<HttpFailure>;

Failed Fail(Kind kind, std::string what) { return Failed(HttpFailure{kind, std::move(what)}); }

// Nothing that ends a line, and so could add fields or whole requests.
bool IsFieldText(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) return false;
  }
  return true;
}

bool IsSound(const HttpRequest& request) {
  bool sound = IsFieldText(request.method) && IsFieldText(request.target);
  for (const auto& [name, value] : request.fields) sound = sound && IsFieldText(name) && IsFieldText(value);
  return sound;
}

std::string HeadOf(const HttpRequest& request, const Url& url) {
  std::string head = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", request.method, request.target, url.Authority());
  for (const auto& [name, value] : request.fields) head.append(name).append(": ").append(value).append("\r\n");
  return head.append(fmt::format("Content-Length: {}\r\nConnection: keep-alive\r\n\r\n", request.body.size()));
}

std::string Lowered(std::string message) {
  const bool is_capital = !message.empty() && message[0] >= 'A' && message[0] <= 'Z';
  const bool is_abbreviation = message.size() > 1 && message[1] <= 'Z';
  if (is_capital && !is_abbreviation) {
    message[0] = static_cast<char>(message[0] - 'A' + 'a');
  }
  return message;
}

}  // namespace

std::optional<std::string_view> HttpResponse::Find(std::string_view name) const {
  for (const auto& [each, value] : fields) {
    if (beast::iequals(each, beast::string_view(name.data(), name.size()))) return value;
  }
  return std::nullopt;
}

class HttpConnection::State {
 public:
  State(Url url, HttpOptions options) : url_(std::move(url)), options_(std::move(options)) {}

  std::expected<HttpResponse, HttpFailure> Send(const HttpRequest& request) {
    if (!IsSound(request)) return Fail(Kind::kBadField, "a field of the request holds a control character");
    const bool reused = IsOpen() && !HasEnded();
    if (!reused) {
      if (auto connected = Connect(); !connected) {
        Close();
        return Failed(connected.error());
      }
    }
    bool unanswered = false;
    auto response = Exchange(request, unanswered);
    if (response || !reused || !unanswered) return response;
    if (auto connected = Connect(); !connected) {
      Close();
      return Failed(connected.error());
    }
    return Exchange(request, unanswered);
  }

 private:
  using Plain = beast::tcp_stream;
  using Secure = beast::ssl_stream<beast::tcp_stream>;

  [[nodiscard]] bool IsOpen() const { return plain_ || secure_; }
  Plain& tcp_stream() { return secure_ ? secure_->next_layer() : *plain_; }

  // Whether an idle connection has been closed by the server, or has something
  // to read that nobody asked for.
  bool HasEnded() {
    char byte = 0;
    const ssize_t count = recv(tcp_stream().socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
  }

  void Close() {
    secure_.reset();
    plain_.reset();
    buffer_.clear();
  }

  void ExpireAfter(std::int64_t ms) { tcp_stream().expires_after(std::chrono::milliseconds(ms)); }

  // Runs an asynchronous operation to its end; only those can time out.
  template <typename Start>
  error_code Await(Start start) {
    error_code result;
    start([&result](error_code error, auto&&...) { result = error; });
    io_.restart();
    io_.run();
    return result;
  }

  std::expected<void, HttpFailure> Connect() {
    Close();
    tcp::resolver resolver(io_);
    error_code error;
    const auto found = resolver.resolve(url_.host, std::to_string(url_.port), tcp::resolver::numeric_service, error);
    if (error)
      return Fail(Kind::kUnknownHost, fmt::format("there is no host '{}' ({})", url_.host, Lowered(error.message())));
    if (url_.tls) {
      if (auto prepared = PrepareTls(); !prepared) return prepared;
    } else {
      plain_.emplace(io_);
    }
    ExpireAfter(options_.connect_ms_max);
    error = Await([&](auto done) { tcp_stream().async_connect(found, std::move(done)); });
    if (error) return ConnectFailure(error);
    tcp_stream().socket().set_option(tcp::no_delay(true), error);
    return url_.tls ? Handshake() : std::expected<void, HttpFailure>();
  }

  Failed ConnectFailure(error_code error) const {
    if (error == asio::error::connection_refused)
      return Fail(Kind::kRefused, "the connection was refused; nothing listens there");
    if (error == beast::error::timeout || error == asio::error::timed_out) {
      return Fail(Kind::kTimeout, fmt::format("no connection within {} s", Seconds(options_.connect_ms_max)));
    }
    return Fail(Kind::kRefused, "no connection (" + Lowered(error.message()) + ")");
  }

  std::expected<void, HttpFailure> PrepareTls() {
    if (!tls_) {
      tls_ = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_client);
      SSL_CTX_set_min_proto_version(tls_->native_handle(), TLS1_2_VERSION);
      tls_->set_verify_mode(asio::ssl::verify_peer);
      error_code error;
      if (options_.ca_file.empty()) {
        tls_->set_default_verify_paths(error);
      } else {
        tls_->load_verify_file(options_.ca_file, error);
      }
      if (error) {
        tls_.reset();
        return Fail(Kind::kTls,
                    fmt::format("certificates to trust cannot be read from {} ({})",
                                options_.ca_file.empty() ? "the system" : options_.ca_file, error.message()));
      }
    }
    secure_ = std::make_unique<Secure>(io_, *tls_);
    error_code not_an_address;
    asio::ip::make_address(url_.host, not_an_address);
    // A server may have several certificates; this tells it which one is meant.
    if (not_an_address) SSL_set_tlsext_host_name(secure_->native_handle(), url_.host.c_str());
    secure_->set_verify_callback(asio::ssl::host_name_verification(url_.host));
    return {};
  }

  std::expected<void, HttpFailure> Handshake() {
    const error_code error =
        Await([&](auto done) { secure_->async_handshake(asio::ssl::stream_base::client, std::move(done)); });
    if (!error) return {};
    if (error == beast::error::timeout) {
      return Fail(Kind::kTimeout, fmt::format("no encrypted connection within {} s", Seconds(options_.connect_ms_max)));
    }
    const long verified = SSL_get_verify_result(secure_->native_handle());
    if (verified != X509_V_OK) {
      return Fail(Kind::kTls,
                  fmt::format("its certificate is not to be trusted ({})", X509_verify_cert_error_string(verified)));
    }
    return Fail(Kind::kTls, fmt::format("no encrypted connection ({})", Lowered(error.message())));
  }

  std::expected<HttpResponse, HttpFailure> Exchange(const HttpRequest& request, bool& unanswered) {
    auto response = secure_ ? ExchangeOn(*secure_, request, unanswered) : ExchangeOn(*plain_, request, unanswered);
    if (!response) Close();
    return response;
  }

  template <typename Stream>
  std::expected<HttpResponse, HttpFailure> ExchangeOn(Stream& stream, const HttpRequest& request, bool& unanswered) {
    ExpireAfter(options_.answer_ms_max);
    const std::string head = HeadOf(request, url_);
    const std::array<asio::const_buffer, 2> out = {asio::buffer(head), asio::buffer(request.body)};
    error_code error = Await([&](auto done) { asio::async_write(stream, out, std::move(done)); });
    http::response_parser<http::string_body> parser;
    parser.header_limit(kHeadBytesMax);
    parser.body_limit(options_.response_bytes_max);
    parser.eager(true);
    if (request.method == "HEAD") parser.skip(true);
    // A server that refuses a request may answer before it has read all of it.
    if (error != beast::error::timeout) {
      const error_code read = Await([&](auto done) { http::async_read(stream, buffer_, parser, std::move(done)); });
      if (!read || !error) error = read;
    }
    unanswered = !parser.got_some() && error != beast::error::timeout;
    if (error) return ReadFailure(error, parser.got_some());
    tcp_stream().expires_never();
    HttpResponse response;
    const auto& message = parser.get();
    response.status = static_cast<int>(message.result_int());
    for (const auto& field : message) response.fields.emplace_back(field.name_string(), field.value());
    const bool keep_alive = message.keep_alive();
    response.body = std::move(parser.get().body());
    if (!keep_alive) Close();
    return response;
  }

  Failed ReadFailure(error_code error, bool got_some) const {
    if (error == beast::error::timeout) {
      return Fail(Kind::kTimeout, fmt::format("no answer within {} s", Seconds(options_.answer_ms_max)));
    }
    if (error == http::error::body_limit || error == http::error::buffer_overflow) {
      return Fail(Kind::kTooLarge, fmt::format("its answer has more than {} bytes", options_.response_bytes_max));
    }
    const bool cut_off = error == http::error::partial_message || error == http::error::end_of_stream;
    if (!cut_off && error.category() == http::make_error_code(http::error::bad_version).category()) {
      return Fail(Kind::kNotHttp, fmt::format("what it answers is not HTTP ({})", error.message()));
    }
    return Fail(Kind::kClosed, got_some ? "the connection broke in the middle of the answer"
                                        : "the connection was closed before an answer came");
  }

  static std::string Seconds(std::int64_t ms) { return fmt::format("{:g}", static_cast<double>(ms) / 1000); }

  const Url url_;
  const HttpOptions options_;
  asio::io_context io_{1};
  std::unique_ptr<asio::ssl::context> tls_;
  std::optional<Plain> plain_;
  std::unique_ptr<Secure> secure_;
  beast::flat_buffer buffer_;
};

HttpConnection::HttpConnection(const Url& url, HttpOptions options)
    : state_(std::make_unique<State>(url, std::move(options))) {}
HttpConnection::~HttpConnection() = default;

std::expected<HttpResponse, HttpFailure> HttpConnection::Send(const HttpRequest& request) {
  return state_->Send(request);
}

}  // namespace taula::client
