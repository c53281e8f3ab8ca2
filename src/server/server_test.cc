#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "server/crc32.h"
#include "server/raw_client.h"

namespace taula::server {
namespace {

TEST(Server, AnswersWithAmazonsHeader) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Echo", R"({"a":1})"));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, R"({"a":1})");
  auto fields = response->fields;
  EXPECT_EQ(fields["content-type"], "application/x-amz-json-1.0");
  EXPECT_EQ(fields["server"], "Server");
  EXPECT_EQ(fields["connection"], "keep-alive");
  EXPECT_EQ(fields["x-amz-crc32"], std::to_string(Crc32(response->body)));
  EXPECT_EQ(fields["x-amzn-requestid"].size(), 52U);
  EXPECT_THAT(fields["date"], testing::EndsWith(" GMT"));
}

TEST(Server, KeepsConnectionsAlive) {
  const RunningServer running;
  RawClient client = running.Connect();
  for (int i = 0; i < 1000; ++i) {
    const std::string body = "{\"i\":" + std::to_string(i) + "}";
    ASSERT_TRUE(client.Send(Post(i % 2 == 0 ? "Echo" : "Later", body)));
    const auto response = client.Read();
    ASSERT_TRUE(response);
    ASSERT_EQ(response->body, body);
  }
}

TEST(Server, WritesBodiesIntoTheSendBuffer) {
  const RunningServer running;
  RawClient client = running.Connect();
  for (const std::string body : {"{\"first\":1}", "{}"}) {
    client.Send(Post("Write", body));
    EXPECT_EQ(client.Read()->body, body);
  }
}

TEST(Server, AnswersErrors) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Fail", "{}"));
  const auto response = client.Read();
  EXPECT_EQ(response->status, 400);
  EXPECT_EQ(response->body, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
                            R"("message":"Requested resource not found"})");
}

TEST(Server, AnswersForAHandlerThatDoesNot) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Drop", "{}"));
  EXPECT_EQ(client.Read()->status, 500);
  client.Send(Post("Echo", "{}"));
  EXPECT_EQ(client.Read()->status, 200);
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
  const RunningServer running;
  RawClient client = running.Connect();
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += Post(i % 3 == 0 ? "Echo" : "Later", std::to_string(i));
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 100; ++i) {
    const auto response = client.Read();
    ASSERT_TRUE(response) << i;
    ASSERT_EQ(response->body, std::to_string(i));
  }
}

TEST(Server, HandsOutPipelinedRequestsTogether) {
  RunningServer running;
  RawClient client = running.Connect();
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += Post("Hold", std::to_string(i));
  ASSERT_TRUE(client.Send(requests));
  running.handler.AwaitHeld(100);
  running.handler.Release();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(client.Read()->body, std::to_string(i));
}

std::size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Connections that wait for a request share the memory that requests are read into.
TEST(Server, KeepsNoMemoryForConnectionsThatAreIdle) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers take memory of their own";
#endif
  const RunningServer running;
  constexpr std::size_t kConnections = 400;
  const std::string body(8000, 'x');
  std::vector<RawClient> clients;
  const auto connect_and_ask = [&](std::size_t connections) {
    for (std::size_t i = 0; i < connections; ++i) {
      RawClient& client = clients.emplace_back(running.Connect());
      client.Send(Post("Fail", body));
      ASSERT_TRUE(client.Read());
    }
  };
  connect_and_ask(20);
  const std::size_t before = ResidentBytes();
  connect_and_ask(kConnections);
  EXPECT_LT(ResidentBytes() - before, kConnections * kBlockBytes / 2);
}

TEST(Server, TakesBytesOneByOne) {
  const RunningServer running;
  RawClient client = running.Connect();
  ASSERT_TRUE(client.SendSlowly(Post("Later", R"({"slow":true})") + Post("Echo", "{}")));
  EXPECT_EQ(client.Read()->body, R"({"slow":true})");
  EXPECT_EQ(client.Read()->body, "{}");
}

TEST(Server, TakesBodiesOfAllSizes) {
  const RunningServer running;
  RawClient client = running.Connect();
  for (const std::size_t size : {1UL, 1000UL, 15'000UL, 16'384UL, 16'385UL, 100'000UL, 5'000'000UL, 16'777'216UL}) {
    const std::string body(size, 'x');
    for (const char* operation : {"Echo", "Later"}) {
      ASSERT_TRUE(client.Send(Post(operation, body) + Post("Echo", "next")));
      const auto response = client.Read();
      ASSERT_TRUE(response) << size;
      ASSERT_EQ(response->body.size(), size);
      ASSERT_EQ(client.Read()->body, "next");
    }
  }
}

TEST(Server, KeepsRequestsApartInOneBuffer) {
  // Requests that straddle the ends of blocks while earlier ones are in flight.
  const RunningServer running;
  RawClient client = running.Connect();
  std::string requests;
  std::vector<std::string> bodies;
  for (int i = 0; i < 120; ++i) {
    bodies.push_back(std::string(static_cast<std::size_t>(i * 37 % 2000 + 1), static_cast<char>('a' + i % 26)));
    requests += Post("Later", bodies.back());
  }
  std::jthread sender([&] { client.Send(requests); });
  for (const std::string& body : bodies) ASSERT_EQ(client.Read()->body, body);
}

TEST(Server, TakesChunkedBodies) {
  const RunningServer running;
  RawClient client = running.Connect();
  const std::string head = Post("Later", "", "Transfer-Encoding: chunked\r\n");
  ASSERT_TRUE(
      client.Send(head + "4\r\n{\"a\"\r\n3;ext=\"x\"\r\n:1}\r\n0\r\nTrailer: ignored\r\n\r\n" + Post("Echo", "{}")));
  EXPECT_EQ(client.Read()->body, "{\"a\":1}");
  EXPECT_EQ(client.Read()->body, "{}");
  ASSERT_TRUE(client.SendSlowly(head + "2\r\n{}\r\n0\r\n\r\n"));
  EXPECT_EQ(client.Read()->body, "{}");
  ASSERT_TRUE(client.SendSlowly(head + "0\r\n\r\n"));
  EXPECT_EQ(client.Read()->status, 400) << "an empty body is no JSON";
}

TEST(Server, TakesLargeChunkedBodies) {
  const RunningServer running;
  RawClient client = running.Connect();
  std::string message = Post("Echo", "", "Transfer-Encoding: chunked\r\n");
  for (int i = 0; i < 100; ++i) message += "2710\r\n" + std::string(10'000, 'x') + "\r\n";
  ASSERT_TRUE(client.Send(message + "0\r\n\r\n"));
  EXPECT_EQ(client.Read()->body, std::string(1'000'000, 'x'));
}

TEST(Server, SaysContinueToThoseWhoWaitForIt) {
  const RunningServer running;
  RawClient client = running.Connect();
  const std::string request = Post("Echo", "12345", "Expect: 100-continue\r\n");
  const std::size_t head = request.size() - 5;
  ASSERT_TRUE(client.Send(Post("Later", "before") + request.substr(0, head)));
  EXPECT_EQ(client.Read()->body, "before");
  EXPECT_EQ(client.Read()->status, 100);
  ASSERT_TRUE(client.Send("12345"));
  EXPECT_EQ(client.Read()->body, "12345");
  ASSERT_TRUE(client.Send(request));
  EXPECT_EQ(client.Read()->body, "12345") << "nobody waits for it when the body is there";
}

TEST(Server, KnowsNoOtherExpectation) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Echo", "{}", "Expect: miracles\r\n"));
  EXPECT_EQ(client.Read()->status, 417);
  EXPECT_TRUE(client.AtEnd());
}

TEST(Server, SpeaksHttp10) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.Read()->fields["connection"], "close");
  EXPECT_TRUE(client.AtEnd());

  RawClient staying = running.Connect();
  for (int i = 0; i < 2; ++i) {
    staying.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(staying.Read()->fields["connection"], "keep-alive");
  }
}

TEST(Server, ClosesWhenAsked) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Later", "{}", "Connection: close\r\n") + Post("Echo", "never seen"));
  const auto response = client.Read();
  EXPECT_EQ(response->body, "{}");
  auto fields = response->fields;
  EXPECT_EQ(fields["connection"], "close");
  EXPECT_TRUE(client.AtEnd());
}

TEST(Server, AnswersAClientThatHasClosedItsSide) {
  const RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Later", "1") + Post("Later", "2"));
  client.EndSending();
  EXPECT_EQ(client.Read()->body, "1");
  EXPECT_EQ(client.Read()->body, "2");
  EXPECT_TRUE(client.AtEnd());
}

TEST(Server, ForgetsAClientThatHasGone) {
  RunningServer running;
  for (int i = 0; i < 20; ++i) {
    RawClient client = running.Connect();
    client.Send(Post("Hold", "{}") + Post("Later", "{}") + Post("Echo", "{}"));
    if (i % 2 == 0) running.handler.AwaitHeld(static_cast<std::size_t>(i / 2 + 1));
    client.Reset();
  }
  running.handler.Release();
  RawClient client = running.Connect();
  client.Send(Post("Echo", "{}"));
  EXPECT_EQ(client.Read()->status, 200);
}

}  // namespace
}  // namespace taula::server
