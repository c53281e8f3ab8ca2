#include "server/response_head.h"

#include <fmt/format.h>

#include "base/random_id.h"
#include "server/crc32.h"

namespace taula::server {
namespace {

std::string_view StatusLine(int status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\n";
    case 404:
      return "HTTP/1.1 404 Not Found\r\n";
    case 408:
      return "HTTP/1.1 408 Request Timeout\r\n";
    case 413:
      return "HTTP/1.1 413 Request Entity Too Large\r\n";
    case 415:
      return "HTTP/1.1 415 Unsupported Media Type\r\n";
    case 417:
      return "HTTP/1.1 417 Expectation Failed\r\n";
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

void AppendNumber(std::string& out, std::uint64_t number) {
  const fmt::format_int text(number);
  out.append(text.data(), text.size());
}

}  // namespace

void WriteResponseHead(Exchange& exchange, std::string_view date) {
  std::string& out = exchange.response_head;
  out.clear();
  out.append(StatusLine(exchange.status));
  out.append("Server: Server\r\nDate: ").append(date);
  if (exchange.content_type == ContentType::kAmzJson10) out.append("\r\nContent-Type: application/x-amz-json-1.0");
  if (exchange.content_type == ContentType::kJson) out.append("\r\nContent-Type: application/json");
  out.append("\r\nContent-Length: ");
  AppendNumber(out, exchange.response_body.size());
  out.append(exchange.close_after ? "\r\nConnection: close" : "\r\nConnection: keep-alive");
  out.append("\r\nx-amzn-RequestId: ");
  const std::size_t id = out.size();
  out.resize(id + base::kRequestIdChars);
  base::WriteRequestId(out.data() + id);
  out.append("\r\nx-amz-crc32: ");
  AppendNumber(out, Crc32(exchange.response_body));
  out.append("\r\n");
  out.append(exchange.extra_fields);
  out.append("\r\n");
}

std::string RefusalResponse(int status, std::string_view date) {
  std::string out(StatusLine(status));
  out.append("Server: Server\r\nDate: ").append(date).append("\r\nConnection: close\r\n");
  // Amazon's answer to a body that is too large is chunked and empty.
  out.append(status == 413 ? "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" : "Content-Length: 0\r\n\r\n");
  return out;
}

}  // namespace taula::server
