// How long a server waits for its clients, how much it takes from them, and what it does
// not blame them for.
#include "server/server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/poller.h"
#include "server/raw_client.h"

namespace taula::server {
namespace {

using std::chrono::milliseconds;

TEST(ServerPatience, BoundsThePipeline) {
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

TEST(ServerPatience, DoesNotBlameAClientForItsOwnPause) {
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

TEST(ServerPatience, DoesNotBlameAClientForAServerThatIsHeldUp) {
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

TEST(ServerPatience, DoesNotBlameManyClientsForAServerThatIsHeldUp) {
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

TEST(ServerPatience, GivesThoseWhoWaitForContinueTheirTimeFromThenOn) {
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

TEST(ServerPatience, WaitsForAClientThatReadsSlowly) {
  const RunningServer running;
  RawClient client = running.Connect();
  std::string requests;
  for (int i = 0; i < 40; ++i) requests += Post("Big", "1000000");
  std::jthread sender([&] { client.Send(requests); });
  std::this_thread::sleep_for(milliseconds(100));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(client.Read()->body.size(), 1'000'000U);
}

TEST(ServerPatience, GivesUpOnAClientThatDoesNotRead) {
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

}  // namespace
}  // namespace taula::server
