// How connections are accepted, refused and spread over threads.
#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "server/raw_client.h"

namespace taula::server {
namespace {

using std::chrono::milliseconds;

TEST(ServerConnections, CarriesAThousandConnections) {
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

TEST(ServerConnections, RefusesConnectionsAboveItsLimit) {
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

TEST(ServerConnections, TellsThoseAboveItsLimitAlthoughTheySendFirst) {
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

TEST(ServerConnections, AcceptsForAllThreadsWithOneSocket) {
  ServerOptions options;
  options.reuse_port = false;
  options.threads = 3;
  const RunningServer running(options);
  std::vector<RawClient> clients;
  for (int i = 0; i < 30; ++i) clients.push_back(running.Connect());
  for (auto& client : clients) ASSERT_TRUE(client.Send(Post("Later", "{}")));
  for (auto& client : clients) ASSERT_EQ(client.Read()->body, "{}");
}

TEST(ServerConnections, SpreadsConnectionsEvenlyOverItsThreads) {
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

TEST(ServerConnections, GivesNewConnectionsToTheThreadThatLostSome) {
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

TEST(ServerConnections, RestsWhenDescriptorsRunOut) {
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

TEST(ServerConnections, DoesNotShareAPort) {
  const RunningServer running;
  FakeHandler handler;
  ServerOptions options;
  options.port = running.server->port();
  const auto second = Server::Start(options, handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ListenError::Kind::kAddressInUse);
}

TEST(ServerConnections, ListensOnAddressesOnly) {
  FakeHandler handler;
  ServerOptions options;
  options.address = "nowhere";
  const auto server = Server::Start(options, handler);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().kind, ListenError::Kind::kBadAddress);
}

}  // namespace
}  // namespace taula::server
