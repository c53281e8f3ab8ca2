// How a server ends.
#include "server/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/raw_client.h"

namespace taula::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

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
