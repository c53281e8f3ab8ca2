#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "server/crc32.h"
#include "server/poller.h"
#include "server/raw_client.h"

namespace taula::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

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

TEST(Server, BoundsThePipeline) {
  ServerOptions options;
  options.limits.pipeline_depth_max = 8;
  RunningServer running(options);
  RawClient client = running.Connect();
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += Post("Hold", std::to_string(i));
  ASSERT_TRUE(client.Send(requests));
  running.handler.AwaitHeld(8);
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(running.handler.held(), 8U);
  int answered = 0;
  while (answered < 50) {
    running.handler.AwaitHeld(std::min(8, 50 - answered));
    const std::size_t held = running.handler.held();
    running.handler.Release();
    for (std::size_t i = 0; i < held; ++i) ASSERT_EQ(client.Read()->body, std::to_string(answered++));
  }
}

TEST(Server, DoesNotBlameAClientForItsOwnPause) {
  ServerOptions options;
  options.limits.pipeline_depth_max = 1;
  options.limits.header_ms_max = 600;
  options.limits.request_ms_max = 600;
  RunningServer running(options);
  const std::string next = Post("Echo", "next");
  for (const std::size_t begun : {std::size_t{10}, next.size() - 1}) {
    RawClient client = running.Connect();
    ASSERT_TRUE(client.Send(Post("Hold", "{}") + next.substr(0, begun)));
    running.handler.AwaitHeld(1);
    std::this_thread::sleep_for(milliseconds(800));
    running.handler.Release();
    ASSERT_EQ(client.Read()->body, "{}");
    EXPECT_FALSE(client.Hears(milliseconds(350)));
    ASSERT_TRUE(client.Send(next.substr(begun)));
    EXPECT_EQ(client.Read()->body, "next");
  }
}

TEST(Server, DoesNotBlameAClientForAServerThatIsHeldUp) {
  ServerOptions options;
  options.threads = 1;
  options.limits.header_ms_max = 700;
  options.limits.write_ms_max = 700;
  const RunningServer running(options);
  RawClient sender = running.Connect();
  RawClient taker = running.Connect();
  RawClient blocking = running.Connect();
  const std::string request = Post("Echo", "{}");
  ASSERT_TRUE(taker.Send(Post("Big", "64000000")));
  ASSERT_TRUE(taker.Hears(std::chrono::seconds(20)));
  ASSERT_TRUE(sender.Send(request.substr(0, 10)));
  std::this_thread::sleep_for(milliseconds(50));
  ASSERT_TRUE(blocking.Send(Post("Block", "1200")));
  std::this_thread::sleep_for(milliseconds(50));
  ASSERT_TRUE(sender.Send(request.substr(10)));
  const auto taken = taker.Read();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->body.size(), 64'000'000U);
  EXPECT_EQ(sender.Read()->status, 200);
}

TEST(Server, DoesNotBlameManyClientsForAServerThatIsHeldUp) {
  ServerOptions options;
  options.threads = 1;
  options.limits.header_ms_max = 700;
  const RunningServer running(options);
  std::vector<RawClient> senders;
  RawClient blocking = running.Connect();
  const std::string request = Post("Echo", "{}");
  for (std::size_t i = 0; i < 10 * Poller::kEventsMax; ++i) {
    ASSERT_TRUE(senders.emplace_back(running.Connect()).Send(request.substr(0, 10)));
  }
  std::this_thread::sleep_for(milliseconds(50));
  ASSERT_TRUE(blocking.Send(Post("Block", "1200")));
  std::this_thread::sleep_for(milliseconds(50));
  for (RawClient& sender : senders) ASSERT_TRUE(sender.Send(request.substr(10)));
  for (RawClient& sender : senders) {
    const auto response = sender.Read();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
  }
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

TEST(Server, GivesThoseWhoWaitForContinueTheirTimeFromThenOn) {
  ServerOptions options;
  options.limits.request_ms_max = 600;
  RunningServer running(options);
  RawClient client = running.Connect();
  const std::string request = Post("Echo", "12345", "Expect: 100-continue\r\n");
  const std::size_t head = request.size() - 5;
  ASSERT_TRUE(client.Send(Post("Hold", "before") + request.substr(0, head)));
  running.handler.AwaitHeld(1);
  std::this_thread::sleep_for(milliseconds(1000));
  running.handler.Release();
  EXPECT_EQ(client.Read()->body, "before");
  EXPECT_EQ(client.Read()->status, 100);
  EXPECT_FALSE(client.Hears(milliseconds(350)));
  ASSERT_TRUE(client.Send("12345"));
  EXPECT_EQ(client.Read()->body, "12345");
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

TEST(Server, WaitsForAClientThatReadsSlowly) {
  const RunningServer running;
  RawClient client = running.Connect();
  std::string requests;
  for (int i = 0; i < 40; ++i) requests += Post("Big", "1000000");
  std::jthread sender([&] { client.Send(requests); });
  std::this_thread::sleep_for(milliseconds(100));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(client.Read()->body.size(), 1'000'000U);
}

TEST(Server, GivesUpOnAClientThatDoesNotRead) {
  ServerOptions options;
  options.limits.write_ms_max = 100;
  const RunningServer running(options);
  RawClient client = running.Connect();
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += Post("Big", "1000000");
  client.Send(requests);
  std::this_thread::sleep_for(milliseconds(600));
  int whole = 0;
  while (client.Read()) ++whole;
  EXPECT_LT(whole, 100);
}

TEST(Server, CarriesAThousandConnections) {
  const RunningServer running;
  std::vector<RawClient> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(running.Connect());
    ASSERT_TRUE(clients.back().connected());
  }
  for (int round = 0; round < 2; ++round) {
    for (auto& client : clients) ASSERT_TRUE(client.Send(Post(round == 0 ? "Later" : "Echo", "{}")));
    for (auto& client : clients) ASSERT_EQ(client.Read()->body, "{}");
  }
}

TEST(Server, RefusesConnectionsAboveItsLimit) {
  ServerOptions options;
  options.limits.connections_max = 2;
  const RunningServer running(options);
  RawClient first = running.Connect();
  RawClient second = running.Connect();
  for (auto* client : {&first, &second}) {
    client->Send(Post("Echo", "{}"));
    EXPECT_EQ(client->Read()->status, 200);
  }
  RawClient third = running.Connect();
  EXPECT_EQ(third.Read()->status, 503);
  EXPECT_TRUE(third.AtEnd());
}

TEST(Server, TellsThoseAboveItsLimitAlthoughTheySendFirst) {
  ServerOptions options;
  options.limits.connections_max = 1;
  const RunningServer running(options);
  RawClient first = running.Connect();
  ASSERT_TRUE(first.Send(Post("Echo", "{}")));
  ASSERT_EQ(first.Read()->status, 200);
  for (int i = 0; i < 200; ++i) {
    RawClient refused = running.Connect();
    ASSERT_TRUE(refused.Send(Post("Echo", std::string(10'000, 'x')))) << i;
    const auto response = refused.Read();
    ASSERT_TRUE(response) << i;
    EXPECT_EQ(response->status, 503);
    EXPECT_TRUE(refused.AtEnd());
    EXPECT_FALSE(refused.WasReset()) << i;
  }
}

TEST(Server, AcceptsForAllThreadsWithOneSocket) {
  ServerOptions options;
  options.reuse_port = false;
  options.threads = 3;
  const RunningServer running(options);
  std::vector<RawClient> clients;
  for (int i = 0; i < 30; ++i) clients.push_back(running.Connect());
  for (auto& client : clients) ASSERT_TRUE(client.Send(Post("Later", "{}")));
  for (auto& client : clients) ASSERT_EQ(client.Read()->body, "{}");
}

TEST(Server, SpreadsConnectionsEvenlyOverItsThreads) {
  for (const bool reuse_port : {true, false}) {
    ServerOptions options;
    options.reuse_port = reuse_port;
    options.threads = 4;
    const RunningServer running(options);
    std::vector<RawClient> clients;
    std::map<std::string, int> connections;
    for (int i = 0; i < 40; ++i) {
      clients.push_back(running.Connect());
      ASSERT_TRUE(clients.back().Send(Post("Thread", "{}")));
      ++connections[clients.back().Read()->body];
    }
    EXPECT_THAT(connections, testing::SizeIs(4));
    EXPECT_THAT(connections, testing::Each(testing::Pair(testing::_, 10)));
  }
}

TEST(Server, GivesNewConnectionsToTheThreadThatLostSome) {
  ServerOptions options;
  options.threads = 2;
  const RunningServer running(options);
  std::vector<RawClient> clients[2];
  std::string first_thread;
  const auto connect = [&] {
    RawClient client = running.Connect();
    client.Send(Post("Thread", "{}"));
    const std::string thread = client.Read()->body;
    if (first_thread.empty()) first_thread = thread;
    clients[thread == first_thread ? 0 : 1].push_back(std::move(client));
  };
  for (int i = 0; i < 8; ++i) connect();
  for (auto& client : clients[0]) {
    client.EndSending();
    ASSERT_TRUE(client.AtEnd());
  }
  clients[0].clear();
  for (int i = 0; i < 4; ++i) connect();
  EXPECT_EQ(clients[0].size(), 4U);
  EXPECT_EQ(clients[1].size(), 4U);
}

TEST(Server, RestsWhenDescriptorsRunOut) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizers need descriptors of their own";
#endif
  const RunningServer running;
  // A thread that begins to accept takes a descriptor for a moment.
  std::this_thread::sleep_for(milliseconds(100));
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const int free_descriptor = dup(STDIN_FILENO);
  close(free_descriptor);
  const rlimit one_more{static_cast<rlim_t>(free_descriptor) + 1, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &one_more), 0);
  RawClient client = running.Connect();  // takes the last one
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(milliseconds(500));
  const double busy_seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_LT(busy_seconds, 0.25) << "it spins";
  ASSERT_TRUE(client.connected());
  client.Send(Post("Echo", "{}"));
  EXPECT_EQ(client.Read()->status, 200);
}

TEST(Server, DoesNotShareAPort) {
  const RunningServer running;
  FakeHandler handler;
  ServerOptions options;
  options.port = running.server->port();
  const auto second = Server::Start(options, handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ListenError::Kind::kAddressInUse);
}

TEST(Server, ListensOnAddressesOnly) {
  FakeHandler handler;
  ServerOptions options;
  options.address = "nowhere";
  const auto server = Server::Start(options, handler);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().kind, ListenError::Kind::kBadAddress);
}

TEST(ServerStop, AnswersWhatIsInFlight) {
  RunningServer running;
  RawClient busy = running.Connect();
  RawClient idle = running.Connect();
  busy.Send(Post("Hold", "1") + Post("Hold", "2"));
  idle.Send(Post("Echo", "{}"));
  EXPECT_EQ(idle.Read()->status, 200);
  running.handler.AwaitHeld(2);
  std::jthread stopper([&] { running.server->Stop(std::chrono::seconds(20)); });
  EXPECT_TRUE(idle.AtEnd());
  running.handler.Release();
  EXPECT_EQ(busy.Read()->body, "1");
  const auto last = busy.Read();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->body, "2");
  EXPECT_TRUE(busy.AtEnd());
}

TEST(ServerStop, AnswersWhatHasComeButWasNotReadYet) {
  ServerOptions options;
  options.threads = 1;
  const RunningServer running(options);
  RawClient blocking = running.Connect();
  RawClient late = running.Connect();
  ASSERT_TRUE(late.Send(Post("Echo", "1")));
  ASSERT_EQ(late.Read()->body, "1");
  ASSERT_TRUE(blocking.Send(Post("Block", "300")));
  std::this_thread::sleep_for(milliseconds(100));
  ASSERT_TRUE(late.Send(Post("Later", "2") + Post("Later", "3")));
  running.server->Stop(std::chrono::seconds(20));
  EXPECT_EQ(blocking.Read()->status, 200);
  for (const char* body : {"2", "3"}) {
    const auto response = late.Read();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, body);
  }
  EXPECT_TRUE(late.AtEnd());
}

TEST(ServerStop, LosesPatience) {
  RunningServer running;
  RawClient client = running.Connect();
  client.Send(Post("Hold", "1"));
  running.handler.AwaitHeld(1);
  const auto began = steady_clock::now();
  running.server->Stop(milliseconds(100));
  EXPECT_LT(steady_clock::now() - began, std::chrono::seconds(5));
  EXPECT_TRUE(client.AtEnd());
  running.server.reset();
  running.handler.Release();  // an answer that comes after the server's end
}

TEST(ServerStop, InterruptsNobody) {
  for (int i = 0; i < 20; ++i) {
    RunningServer other;
    RunningServer running;
    running.server.reset();
    // The kernel clears up after the server while this thread waits.
    RawClient client = other.Connect();
    ASSERT_TRUE(client.Send(Post("Block", "20")));
    EXPECT_TRUE(client.Read()) << "its wait was cut short";
  }
}

TEST(ServerStop, WorksUnderLoad) {
  RunningServer running;
  std::atomic<int> wrong = 0;
  std::atomic<int> answered = 0;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      RawClient client = running.Connect();
      for (int n = 0;; ++n) {
        const std::string body = std::to_string(n);
        if (!client.Send(Post(i % 2 == 0 ? "Later" : "Echo", body))) return;
        const auto response = client.Read();
        if (!response) return;
        ++answered;
        if (response->body != body) ++wrong;
      }
    });
  }
  while (answered < 200) std::this_thread::sleep_for(milliseconds(1));
  running.server->Stop(std::chrono::seconds(20));
  clients.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace taula::server
