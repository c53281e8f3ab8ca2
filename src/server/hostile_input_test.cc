// What clients do that they should not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "server/raw_client.h"

namespace taula::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// More than the kernel takes off the server's hands.
const std::string kHugeAnswer = "64000000";
constexpr std::size_t kHugeAnswerBytes = 64'000'000;

// The status of the answer to some bytes, after which the server must close.
int Refusal(const RunningServer& running, std::string_view bytes) {
  RawClient client = running.Connect();
  client.Send(bytes);
  const auto response = client.Read();
  EXPECT_TRUE(client.AtEnd()) << bytes.substr(0, 100);
  return response ? response->status : 0;
}

void ExpectAlive(const RunningServer& running) {
  RawClient client = running.Connect();
  client.Send(Post("Echo", "{}"));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
}

TEST(HostileInput, MalformedHeadsAreRefused) {
  const RunningServer running;
  for (const std::string bytes : {
           "\x16\x03\x01\x02\x01\x01",                         // TLS
           "GET\r\n\r\n",                                      //
           "GET / HTTP/1.1\r\n\r\n",                           // no host
           "GET / HTTP/1.1\r\nHost : a\r\n\r\n",               //
           "GET / HTTP/1.1\r\nHost: a\r\nx: 1\r\n 2\r\n\r\n",  // a folded line
           "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
           "GET / HTTP/1.1\r\nHost: a\r\nNo colon\r\n\r\n",
           "GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
           "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
           "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       }) {
    EXPECT_EQ(Refusal(running, bytes), 400) << bytes;
  }
  EXPECT_EQ(Refusal(running, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 505);
  ExpectAlive(running);
}

TEST(HostileInput, TwoWaysToFindTheEndOfABodyAreRefused) {
  const RunningServer running;
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(Refusal(running, head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(Refusal(running, head + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(Refusal(running, head + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), 400);
  EXPECT_EQ(Refusal(running, head + "Transfer-Encoding: gzip, chunked\r\n\r\n"), 501);
  EXPECT_EQ(Refusal(running, head + "Transfer-Encoding: xchunked\r\n\r\n"), 501);
}

TEST(HostileInput, MalformedChunksAreRefused) {
  const RunningServer running;
  const std::string head = Post("Echo", "", "Transfer-Encoding: chunked\r\n");
  for (const std::string chunks : {"x\r\n", "\r\n", "-1\r\n", "0x5\r\nhello\r\n", "5\nhello", "5\r\nhelloX",
                                   "5\r\nhello\rX", "0\r\n\rX", "0\r\n\n", "5;\x01\r\n"}) {
    EXPECT_EQ(Refusal(running, head + chunks), 400) << chunks;
  }
  EXPECT_EQ(Refusal(running, head + "FFFFFFFFFFFFFFFFFFFFFFFF\r\n"), 413);
  EXPECT_EQ(Refusal(running, head + "1000001\r\n"), 413);
  EXPECT_EQ(Refusal(running, head + "1;" + std::string(20'000, 'x')), 413);
  EXPECT_EQ(Refusal(running, head + "0\r\nTrailer: " + std::string(20'000, 'x')), 413);
  ExpectAlive(running);
}

TEST(HostileInput, LargeHeadsAreRefused) {
  const RunningServer running;
  EXPECT_EQ(Refusal(running, "GET /" + std::string(20'000, 'x')), 431);
  EXPECT_EQ(Refusal(running, "GET / HTTP/1.1\r\nHost: a\r\nx: " + std::string(20'000, 'x') + "\r\n\r\n"), 431);
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 200; ++i) many += "x: y\r\n";
  EXPECT_EQ(Refusal(running, many + "\r\n"), 431);
}

TEST(HostileInput, BodiesAbove16MegabytesAreRefusedAsAmazonDoes) {
  const RunningServer running;
  RawClient client = running.Connect();
  EXPECT_TRUE(client.Send(Post("Echo", std::string(16 * 1024 * 1024 + 1, 'a')))) << "the client may send all of it";
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 413);
  auto fields = response->fields;
  EXPECT_EQ(fields["transfer-encoding"], "chunked");
  EXPECT_FALSE(fields.contains("x-amzn-requestid"));
  EXPECT_TRUE(client.AtEnd());
}

TEST(HostileInput, BodiesThatAreTooLargeAreRefusedWithoutChunksInHttp10) {
  const RunningServer running;
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Send("POST / HTTP/1.0\r\nContent-Length: 999999999\r\n\r\n"));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 413);
  EXPECT_FALSE(response->fields.contains("transfer-encoding"));
  EXPECT_EQ(response->fields.at("content-length"), "0");
  EXPECT_TRUE(client.AtEnd());
}

TEST(HostileInput, ABodyThatIsTooLargeIsRefusedBeforeItComes) {
  const RunningServer running;
  EXPECT_EQ(Refusal(running, "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 999999999\r\n\r\n"),
            413);
}

TEST(HostileInput, SlowHeadsTimeOut) {
  ServerOptions options;
  options.limits.header_ms_max = 150;
  const RunningServer running(options);
  RawClient client = running.Connect();
  const auto began = steady_clock::now();
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\nx: " + std::string(1000, 'x');
  for (const char c : head) {
    if (!client.Send(std::string_view(&c, 1))) break;
    std::this_thread::sleep_for(milliseconds(5));
    if (steady_clock::now() - began > milliseconds(500)) break;
  }
  EXPECT_EQ(client.Read()->status, 408);
  EXPECT_TRUE(client.AtEnd());
}

TEST(HostileInput, SlowBodiesTimeOut) {
  ServerOptions options;
  options.limits.request_ms_max = 150;
  const RunningServer running(options);
  EXPECT_EQ(Refusal(running, Post("Echo", "{}").substr(0, Post("Echo", "{}").size() - 1)), 408);
}

TEST(HostileInput, IdleConnectionsAreClosed) {
  ServerOptions options;
  options.limits.idle_ms_max = 150;
  RunningServer running(options);
  RawClient silent = running.Connect();
  RawClient waiting = running.Connect();
  waiting.Send(Post("Hold", "{}"));
  running.handler.AwaitHeld(1);
  const auto began = steady_clock::now();
  EXPECT_TRUE(silent.AtEnd());
  EXPECT_LT(steady_clock::now() - began, std::chrono::seconds(5));
  running.handler.Release();
  EXPECT_EQ(waiting.Read()->status, 200) << "who waits for an answer is not idle";
  EXPECT_TRUE(waiting.AtEnd());
}

TEST(HostileInput, AllBuffersTogetherAreBounded) {
  ServerOptions options;
  options.limits.large_buffer_bytes_max = 4'000'000;
  RunningServer running(options);
  RawClient first = running.Connect();
  RawClient second = running.Connect();
  const std::string large = Post("Hold", std::string(2'000'000, 'x'));
  first.Send(large);
  running.handler.AwaitHeld(1);
  second.Send(large);
  EXPECT_EQ(second.Read()->status, 503);
  EXPECT_TRUE(second.AtEnd());
  running.handler.Release();
  EXPECT_EQ(first.Read()->body.size(), 2'000'000U);
  RawClient third = running.Connect();
  third.Send(large);
  running.handler.AwaitHeld(1);
  running.handler.Release();
  EXPECT_EQ(third.Read()->status, 200) << "memory that was given back is there again";
}

TEST(HostileInput, BodiesThatAreOnlyAnnouncedTakeNoMemory) {
  ServerOptions options;
  // For one body while its buffer grows, and one that was just answered.
  options.limits.large_buffer_bytes_max = 6'000'000;
  const RunningServer running(options);
  const std::string large = Post("Echo", std::string(2'000'000, 'x'));
  std::vector<RawClient> announcing;
  for (int i = 0; i < 16; ++i) {
    announcing.push_back(running.Connect());
    ASSERT_TRUE(announcing.back().Send(large.substr(0, large.size() - 2'000'000 + 10)));
  }
  EXPECT_FALSE(announcing.back().Hears(milliseconds(100)));
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Send(large));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  ASSERT_TRUE(announcing.front().Send(large.substr(large.size() - 2'000'000 + 10)));
  EXPECT_EQ(announcing.front().Read()->body, std::string(2'000'000, 'x'));
}

TEST(HostileInput, AllAnswersTogetherAreBounded) {
  ServerOptions options;
  options.limits.answer_bytes_max = 1'000'000;
  RunningServer running(options);
  RawClient other = running.Connect();
  RawClient ending = running.Connect();
  for (const bool reads : {true, false}) {
    RawClient hog = running.Connect();
    ASSERT_TRUE(hog.Send(Post("Big", kHugeAnswer)));
    ASSERT_TRUE(hog.Hears(std::chrono::seconds(20)));
    ASSERT_TRUE(other.Send(Post("Echo", "1") + Post("Later", "2")));
    if (!reads) {
      ASSERT_TRUE(ending.Send(Post("Echo", "3")));
      ending.EndSending();
    }
    EXPECT_FALSE(other.Hears(milliseconds(200))) << "there is no room for its answer";
    if (reads) {
      EXPECT_EQ(hog.Read()->body.size(), kHugeAnswerBytes);
    } else {
      hog.Reset();
    }
    EXPECT_EQ(other.Read()->body, "1");
    EXPECT_EQ(other.Read()->body, "2");
  }
  EXPECT_EQ(ending.Read()->body, "3");
  EXPECT_TRUE(ending.AtEnd());
}

TEST(HostileInput, ManyWhoDoNotReadGetNoMoreThanTheBudget) {
  ServerOptions options;
  options.limits.answer_bytes_max = 1'000'000;
  options.limits.write_ms_max = 200;
  const RunningServer running(options);
  std::vector<RawClient> hogs;
  for (int i = 0; i < 4; ++i) {
    hogs.push_back(running.Connect());
    ASSERT_TRUE(hogs.back().Send(Post("Big", kHugeAnswer)));
    EXPECT_EQ(hogs.back().Hears(milliseconds(i == 0 ? 20'000 : 30)), i == 0) << "only the first's deadline makes room";
  }
  RawClient patient = running.Connect();
  ASSERT_TRUE(patient.Send(Post("Echo", "{}")));
  EXPECT_EQ(patient.Read()->status, 200) << "the room of those who were given up is there again";
}

TEST(HostileInput, WhoTakesNothingGainsNoTimeBySending) {
  ServerOptions options;
  options.limits.write_ms_max = 100;
  options.limits.queued_bytes_max = 2 * kHugeAnswerBytes;
  const RunningServer running(options);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Send(Post("Big", kHugeAnswer)));
  ASSERT_TRUE(client.Hears(std::chrono::seconds(20)));
  const auto began = steady_clock::now();
  while (steady_clock::now() - began < std::chrono::seconds(2) && client.Send("G")) {
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_FALSE(client.Send("G")) << "it is still connected";
}

TEST(HostileInput, AnswersTakenInDribletsTimeOut) {
  ServerOptions options;
  options.limits.answer_ms_max = 300;
  const RunningServer running(options);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Send(Post("Big", kHugeAnswer)));
  const auto began = steady_clock::now();
  while (steady_clock::now() - began < milliseconds(900) && client.ReadSome()) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_FALSE(client.Read()) << "the rest of the answer came all the same";
  ExpectAlive(running);
}

TEST(HostileInput, ARefusalWaitsForTheAnswersBeforeIt) {
  ServerOptions options;
  options.limits.queued_bytes_max = 2 * kHugeAnswerBytes;
  const RunningServer running(options);
  RawClient client = running.Connect();
  ASSERT_TRUE(client.Send(Post("Big", kHugeAnswer)));
  ASSERT_TRUE(client.Hears(std::chrono::seconds(20)));
  ASSERT_TRUE(client.Send("nonsense\r\n\r\n"));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(client.Read()->body.size(), kHugeAnswerBytes);
  const auto refusal = client.Read();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 400);
  EXPECT_TRUE(client.AtEnd());
}

TEST(HostileInput, RandomBytesDoNoHarm) {
  const RunningServer running;
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = Post("Echo", "{\"a\":1}", round % 3 == 0 ? "Transfer-Encoding: chunked\r\n" : "");
    const int changes = static_cast<int>(random() % 10) + 1;
    for (int i = 0; i < changes; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    RawClient client = running.Connect();
    client.Send(bytes);
    client.EndSending();
    while (client.Read()) {
    }
  }
  ExpectAlive(running);
}

}  // namespace
}  // namespace taula::server
