#include "server/response_head.h"

#include <fmt/format.h>

#include <cstring>

#include "base/random_id.h"
#include "server/crc32.h"

namespace taula::server {
namespace {

std::string_view StatusLine(int status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 201:
      return "HTTP/1.1 201 Created\r\n";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\n";
    case 401:
      return "HTTP/1.1 401 Unauthorized\r\n";
    case 403:
      return "HTTP/1.1 403 Forbidden\r\n";
    case 404:
      return "HTTP/1.1 404 Not Found\r\n";
    case 405:
      return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 408:
      return "HTTP/1.1 408 Request Timeout\r\n";
    case 409:
      return "HTTP/1.1 409 Conflict\r\n";
    case 413:
      return "HTTP/1.1 413 Request Entity Too Large\r\n";
    case 415:
      return "HTTP/1.1 415 Unsupported Media Type\r\n";
    case 417:
      return "HTTP/1.1 417 Expectation Failed\r\n";
    case 429:
      return "HTTP/1.1 429 Too Many Requests\r\n";
    case 431:
      return "HTTP/1.1 431 Request Header Fields Too Large\r\n";
    case 501:
      return "HTTP/1.1 501 Not Implemented\r\n";
    case 503:
      return "HTTP/1.1 503 Service Unavailable\r\n";
    case 505:
      return "HTTP/1.1 505 HTTP Version Not Supported\r\n";
    default:
      return "HTTP/1.1 500 Internal Server Error\r\n";
  }
}

// What is in a head beside the status line and extra fields, at most.
constexpr std::size_t kFixedBytesMax = 512;

// Writes pieces one after the other into memory that is known to suffice.
class Pieces {
 public:
  explicit Pieces(char* out) : at_(out) {}

  void Text(std::string_view text) {
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  void Number(std::uint64_t number) {
    const fmt::format_int digits(number);
    Text({digits.data(), digits.size()});
  }
  void RequestId() {
    base::WriteRequestId(at_);
    at_ += base::kRequestIdChars;
  }
  [[nodiscard]] char* end() const { return at_; }

 private:
  char* at_;
};

std::string_view ContentTypeLine(ContentType type) {
  switch (type) {
    case ContentType::kAmzJson10:
      return "\r\nContent-Type: application/x-amz-json-1.0";
    case ContentType::kJson:
      return "\r\nContent-Type: application/json";
    case ContentType::kNone:
      break;
  }
  return "";
}

}  // namespace

void WriteResponseHead(Exchange& exchange, std::string_view date) {
  const std::string_view status_line = StatusLine(exchange.status);
  const std::size_t bytes_max = status_line.size() + exchange.extra_fields.size() + kFixedBytesMax;
  exchange.response_head.resize_and_overwrite(bytes_max, [&](char* out, std::size_t) {
    Pieces head(out);
    head.Text(status_line);
    head.Text("Server: Server\r\nDate: ");
    head.Text(date);
    head.Text(ContentTypeLine(exchange.content_type));
    head.Text("\r\nContent-Length: ");
    head.Number(exchange.response_body.size());
    head.Text(exchange.close_after ? "\r\nConnection: close" : "\r\nConnection: keep-alive");
    head.Text("\r\nx-amzn-RequestId: ");
    head.RequestId();
    head.Text("\r\nx-amz-crc32: ");
    head.Number(Crc32(exchange.response_body));
    head.Text("\r\n");
    head.Text(exchange.extra_fields);
    head.Text("\r\n");
    return static_cast<std::size_t>(head.end() - out);
  });
}

std::string RefusalResponse(int status, bool http11, std::string_view date) {
  std::string out(StatusLine(status));
  out.append("Server: Server\r\nDate: ").append(date).append("\r\nConnection: close\r\n");
  // Amazon's answer to a body that is too large is chunked and empty. Those who speak
  // HTTP/1.0 do not know chunks.
  out.append(status == 413 && http11 ? "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" : "Content-Length: 0\r\n\r\n");
  return out;
}

}  // namespace taula::server
