#include "server/content_coding.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "server/crc32.h"
#include "server/raw_client.h"

namespace taula::server {
namespace {

enum Window { kRaw = -15, kZlib = 15, kGzip = 31 };

std::string Deflate(std::string_view text, int window) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::string Text(std::size_t size) {
  std::string text;
  for (int i = 0; text.size() < size; ++i) text += std::to_string(i) + ",";
  text.resize(size);
  return text;
}

class InflaterTest : public testing::Test {
 protected:
  InflateStatus Inflate(std::string_view compressed, std::size_t bytes_max = 1'000'000) {
    std::shared_ptr<Buffer> out;
    std::size_t size = 0;
    const InflateStatus status = inflater_.Inflate(compressed, bytes_max, budget_, out, size);
    inflated_ = status == InflateStatus::kOk ? std::string(out->data(), size) : std::string();
    return status;
  }

  std::shared_ptr<BufferBudget> budget_ = std::make_shared<BufferBudget>(10'000'000);
  Inflater inflater_;
  std::string inflated_;
};

TEST_F(InflaterTest, ReadsGzipZlibAndBareDeflate) {
  for (const std::size_t size : {1UL, 100UL, 20'000UL, 900'000UL}) {
    for (const int window : {kGzip, kZlib, kRaw}) {
      EXPECT_EQ(Inflate(Deflate(Text(size), window)), InflateStatus::kOk);
      EXPECT_EQ(inflated_, Text(size));
    }
  }
}

TEST_F(InflaterTest, StopsAtItsLimit) {
  EXPECT_EQ(Inflate(Deflate(Text(1'000'000), kGzip)), InflateStatus::kOk);
  EXPECT_EQ(Inflate(Deflate(Text(1'000'001), kGzip)), InflateStatus::kTooLarge);
  EXPECT_EQ(Inflate(Deflate(std::string(50'000'000, 'x'), kGzip)), InflateStatus::kTooLarge);
  EXPECT_EQ(Inflate(Deflate(Text(100), kGzip), 99), InflateStatus::kTooLarge);
}

TEST_F(InflaterTest, RefusesWhatIsDamaged) {
  const std::string whole = Deflate(Text(10'000), kGzip);
  EXPECT_EQ(Inflate(whole.substr(0, whole.size() - 1)), InflateStatus::kMalformed);
  EXPECT_EQ(Inflate(whole + "x"), InflateStatus::kMalformed);
  EXPECT_EQ(Inflate("not compressed at all"), InflateStatus::kMalformed);
  EXPECT_EQ(Inflate("x"), InflateStatus::kMalformed);
  std::string changed = whole;
  changed[changed.size() / 2] ^= 1;
  EXPECT_EQ(Inflate(changed), InflateStatus::kMalformed);
  EXPECT_EQ(Inflate(whole), InflateStatus::kOk) << "and goes on afterwards";
}

TEST_F(InflaterTest, KeepsToTheBudget) {
  budget_ = std::make_shared<BufferBudget>(100'000);
  EXPECT_EQ(Inflate(Deflate(Text(500'000), kGzip)), InflateStatus::kNoMemory);
  EXPECT_EQ(Inflate(Deflate(Text(20'000), kGzip)), InflateStatus::kOk);
  EXPECT_TRUE(budget_->Take(100'000)) << "all of it was given back";
}

std::string Noise(std::size_t size) {
  std::minstd_rand random;
  std::string noise(size, '\0');
  for (char& c : noise) c = static_cast<char>(random() >> 8);
  return noise;
}

TEST(GzipCompressor, HandsOutNoMoreMemoryThanItFills) {
  GzipCompressor compressor;
  for (const std::string& text : {std::string(16'000'000, 'x'), Text(100'000), Noise(1'000'000), Text(1)}) {
    std::string compressed = text;
    ASSERT_TRUE(compressor.Compress(compressed));
    EXPECT_LE(compressed.capacity(), compressed.size() + 64);
    Inflater inflater;
    std::shared_ptr<Buffer> out;
    std::size_t size = 0;
    const auto budget = std::make_shared<BufferBudget>(100'000'000);
    ASSERT_EQ(inflater.Inflate(compressed, 16'000'000, budget, out, size), InflateStatus::kOk);
    EXPECT_TRUE(text == std::string_view(out->data(), size));
  }
}

TEST(AcceptsGzip, ReadsTheHeader) {
  for (const char* yes : {"gzip", "GZIP", "deflate, gzip", "gzip;q=0.5", "br;q=1.0, gzip;q=0.001, *;q=0"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no : {"", "identity", "deflate", "gzip;q=0", "gzip; q=0.000", "xgzip", "gzipx, br", ",,;,"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

TEST(ContentCoding, RequestsMayBeCompressed) {
  const RunningServer running;
  RawClient client = running.Connect();
  const std::string text = Text(300'000);
  for (const char* operation : {"Echo", "Later"}) {
    client.Send(Post(operation, Deflate(text, kGzip), "Content-Encoding: gzip\r\n"));
    EXPECT_EQ(client.Read()->body, text);
    client.Send(Post(operation, Deflate(text, kZlib), "Content-Encoding: deflate\r\n"));
    EXPECT_EQ(client.Read()->body, text);
    client.Send(Post(operation, "{}", "Content-Encoding: identity\r\n"));
    EXPECT_EQ(client.Read()->body, "{}");
  }
}

TEST(ContentCoding, CompressedRequestsAreBounded) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Echo", Deflate(std::string(200'000'000, ' '), kGzip), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(client.Read()->status, 413);
  client.Send(Post("Echo", "damaged", "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(client.Read()->status, 400);
  client.Send(Post("Echo", "{}", "Content-Encoding: br\r\n"));
  EXPECT_EQ(client.Read()->status, 415);
  client.Send(Post("Echo", "{}"));
  EXPECT_EQ(client.Read()->status, 200);
}

TEST(ContentCoding, WhatOneConnectionInflatesIsBounded) {
  ServerOptions options;
  options.limits.body_bytes_max = 100'000;
  RunningServer running(options);
  RawClient client = running.Connect();
  const std::string body(90'000, 'x');
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += Post("Hold", Deflate(body, kGzip), "Content-Encoding: gzip\r\n");
  ASSERT_TRUE(client.Send(requests));
  running.handler.AwaitHeld(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(running.handler.held(), 2U);
  for (int answered = 0; answered < 50; answered += 2) {
    running.handler.AwaitHeld(2);
    running.handler.Release();
    for (int i = 0; i < 2; ++i) ASSERT_EQ(client.Read()->body, body);
  }
}

TEST(ContentCoding, LargeAnswersAreCompressedForThoseWhoAsk) {
  const RunningServer running;
  RawClient client = running.Connect();
  const std::string text = Text(100'000);
  client.Send(Post("Later", text, "Accept-Encoding: gzip, deflate\r\n"));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  auto fields = response->fields;
  EXPECT_EQ(fields["content-encoding"], "gzip");
  EXPECT_LT(response->body.size(), text.size() / 2);
  EXPECT_EQ(fields["x-amz-crc32"], std::to_string(Crc32(response->body))) << "of the bytes as they are sent";
  Inflater inflater;
  std::shared_ptr<Buffer> out;
  std::size_t size = 0;
  ASSERT_EQ(inflater.Inflate(response->body, 1'000'000, std::make_shared<BufferBudget>(1'000'000), out, size),
            InflateStatus::kOk);
  EXPECT_EQ(std::string(out->data(), size), text);

  client.Send(Post("Later", "{}", "Accept-Encoding: gzip\r\n"));
  EXPECT_FALSE(client.Read()->fields.contains("content-encoding")) << "too small";
  client.Send(Post("Later", text, "Accept-Encoding: identity\r\n"));
  EXPECT_EQ(client.Read()->body, text);
}

}  // namespace
}  // namespace taula::server
