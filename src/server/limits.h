// What one server gives to its clients at most. Everything that a client can
// make grow has its bound here (docs/server.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace taula::server {

struct Limits {
  std::size_t header_bytes_max = 16 * 1024;
  std::size_t header_fields_max = 100;
  // As sent, and again after inflating. DynamoDB's own limit. Nor is more read from
  // a connection whose unanswered requests have more than this.
  std::size_t body_bytes_max = 16 * 1024 * 1024;

  // From the first byte of a request to the end of its header, and to its end.
  std::int64_t header_ms_max = 10'000;
  std::int64_t request_ms_max = 120'000;
  // Between two requests of a connection.
  std::int64_t idle_ms_max = 300'000;
  // Without the client taking a single byte of what waits for it.
  std::int64_t write_ms_max = 30'000;
  // For the client to take the answers that go out together, once they do not
  // go out at once. Else a byte now and then would hold their memory for ever.
  std::int64_t answer_ms_max = 120'000;
  // How long, and how far, a refused client is listened to, so that it gets to
  // read the refusal before the connection goes.
  std::int64_t linger_ms_max = 2'000;
  std::size_t linger_bytes_max = 64 * 1024 * 1024;

  std::size_t connections_max = 10'000;
  // Of one connection: requests not yet answered, bytes of answers not yet
  // taken. Above these no more is read from it.
  std::size_t pipeline_depth_max = 128;
  std::size_t queued_bytes_max = 4 * 1024 * 1024;
  // All request buffers beyond each connection's first block.
  std::size_t large_buffer_bytes_max = 1024 * 1024 * 1024;
  // All answers not yet taken, of connections that have more than a block of
  // them. Above this no connection's requests are taken, so what is in flight
  // by then can still exceed it.
  std::size_t answer_bytes_max = 1024 * 1024 * 1024;

  // Smaller answers are not worth compressing.
  std::size_t gzip_bytes_min = 16 * 1024;
};

}  // namespace taula::server
