#include "server/chunked_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace taula::server {
namespace {

using Status = ChunkedDecoder::Status;

struct Decoded {
  Status status;
  std::string body;
  std::string rest;
};

// In place, as the server does it, in pieces of a given size.
Decoded Decode(std::string text, std::size_t piece, std::size_t body_max = 100, std::size_t framing_max = 100) {
  ChunkedDecoder decoder(body_max, framing_max);
  char* out = text.data();
  const char* in = text.data();
  const char* const end = text.data() + text.size();
  Status status = Status::kMore;
  while (status == Status::kMore && in < end) {
    status = decoder.Decode(in, std::min(in + piece, end), out);
  }
  return {status, std::string(text.data(), out), std::string(in, end)};
}

TEST(ChunkedDecoder, TakesTheFramingOff) {
  for (const std::size_t piece : {1UL, 2UL, 3UL, 7UL, 1000UL}) {
    const Decoded decoded = Decode("5\r\nhello\r\n00A;x=y\r\n, world!!!\r\n0\r\nA: b\r\nC: d\r\n\r\nGET /", piece);
    EXPECT_EQ(decoded.status, Status::kDone);
    EXPECT_EQ(decoded.body, "hello, world!!!");
    EXPECT_EQ(decoded.rest, "GET /");
  }
}

TEST(ChunkedDecoder, WaitsForTheEnd) {
  const std::string whole = "5\r\nhello\r\n0\r\n\r\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(Decode(whole.substr(0, length), 1000).status, Status::kMore) << length;
  }
}

TEST(ChunkedDecoder, BoundsTheBody) {
  EXPECT_EQ(Decode("5\r\nhello\r\n0\r\n\r\n", 1, 5).status, Status::kDone);
  EXPECT_EQ(Decode("5\r\nhello\r\n0\r\n\r\n", 1, 4).status, Status::kTooLarge);
  EXPECT_EQ(Decode("3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", 1, 4).status, Status::kTooLarge);
  EXPECT_EQ(Decode("FFFFFFFFFFFFFFFF0\r\n", 1).status, Status::kTooLarge) << "a size beyond 64 bits";
}

TEST(ChunkedDecoder, BoundsTheFramingOfEachChunk) {
  EXPECT_EQ(Decode("1;" + std::string(200, 'x'), 1000).status, Status::kTooLarge);
  EXPECT_EQ(Decode(std::string(200, '0'), 1000).status, Status::kTooLarge);
  std::string many;
  for (int i = 0; i < 50; ++i) many += "1\r\nx\r\n";
  EXPECT_EQ(Decode(many + "0\r\n\r\n", 1000).body.size(), 50U) << "many small chunks are fine";
}

}  // namespace
}  // namespace taula::server
