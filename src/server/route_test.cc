// Paths beside DynamoDB's own.
#include "server/route.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>

#include "server/raw_client.h"

namespace taula::server {
namespace {

using testing::HasSubstr;
using Verb = RequestHead::Verb;

// Says what it was asked.
class SayingRoute final : public RouteHandler {
 public:
  explicit SayingRoute(std::string prefix) : prefix_(std::move(prefix)) {}
  ~SayingRoute() override {
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] std::string_view prefix() const override { return prefix_; }
  [[nodiscard]] std::size_t body_bytes_max() const override { return 100; }

  void Handle(const RouteRequest& request, RouteResponder responder) override {
    if (request.path.ends_with("/drop")) {
      RouteResponder dropped(std::move(responder));
      return;
    }
    if (request.path.ends_with("/later")) {
      thread_ = std::thread([request, kept = std::move(responder)]() mutable { Answer(request, std::move(kept)); });
      return;
    }
    Answer(request, std::move(responder));
  }

 private:
  static void Answer(const RouteRequest& request, RouteResponder responder) {
    std::string said(boost::beast::http::to_string(request.method));
    said.append("|").append(request.path).append("|").append(request.query).append("|").append(request.media_type);
    said.append("|").append(request.body);
    if (request.path.ends_with("/host")) said = request.host;
    responder.Send({.status = 409, .content_type = "text/plain", .body = said, .fields = "X-More: yes\r\n"});
  }

  const std::string prefix_;
  std::thread thread_;
};

class RouteTest : public testing::Test {
 protected:
  RouteTest() {
    auto started = Server::Start({.port = 0, .threads = 2}, handler_, {&designs_, &other_});
    EXPECT_TRUE(started);
    server_ = std::move(*started);
  }

  RawResponse Send(std::string_view method, std::string_view target, std::string_view fields = "",
                   std::string_view body = "") {
    RawClient client(server_->port());
    std::string bytes(method);
    bytes.append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n").append(fields);
    bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    client.Send(bytes);
    auto response = client.Read(method == "HEAD");
    EXPECT_TRUE(response) << bytes;
    return response.value_or(RawResponse());
  }

  FakeHandler handler_;
  SayingRoute designs_{"/designs"};
  SayingRoute other_{"/other/path"};
  std::unique_ptr<Server> server_;
};

TEST_F(RouteTest, KnowsHowTheClientCallsTheServer) { EXPECT_EQ(Send("GET", "/designs/host").body, "localhost"); }

TEST_F(RouteTest, TakesItsPathAndAllBelow) {
  const RawResponse response =
      Send("POST", "/designs/a/b?x=1&y", "Content-Type: application/json; charset=x\r\n", "{}");
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(response.body, "POST|/designs/a/b|x=1&y|application/json|{}");
  EXPECT_EQ(response.fields.at("content-type"), "text/plain");
  EXPECT_EQ(response.fields.at("x-more"), "yes");
  EXPECT_EQ(Send("GET", "/designs").body, "GET|/designs|||");
  EXPECT_EQ(Send("DELETE", "/other/path?").body, "DELETE|/other/path|||");
}

TEST_F(RouteTest, LeavesAllOtherPathsToDynamoDb) {
  for (const char* target : {"/", "/designsandmore", "/other", "/?/designs", "*"}) {
    EXPECT_THAT(Send("GET", target).body, HasSubstr("healthy")) << target;
  }
  RawClient client(server_->port());
  client.Send(Post("Echo", "{}"));
  EXPECT_EQ(client.Read()->body, "{}");
}

TEST_F(RouteTest, MayBeAnsweredLaterFromAnotherThread) {
  EXPECT_EQ(Send("POST", "/designs/later", "", "body").body, "POST|/designs/later|||body");
}

TEST_F(RouteTest, IsAnsweredForAHandlerThatDoesNot) {
  const RawResponse response = Send("GET", "/designs/drop");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, R"({"error":{"code":"InternalError","message":"The request was not answered."}})");
}

TEST_F(RouteTest, AnswersHeadWithoutABody) {
  const RawResponse response = Send("HEAD", "/designs");
  EXPECT_EQ(response.fields.at("content-length"), std::to_string(std::string("GET|/designs|||").size()));
  EXPECT_EQ(response.body, "");
}

TEST_F(RouteTest, HasItsOwnLimitForBodies) {
  EXPECT_EQ(Send("POST", "/designs", "", std::string(100, 'x')).status, 409);
  const RawResponse response = Send("POST", "/designs", "", std::string(101, 'x'));
  EXPECT_EQ(response.status, 413);
  EXPECT_THAT(response.body, HasSubstr("TooLarge"));
}

TEST_F(RouteTest, LetsPagesOfThisMachineIn) {
  for (const std::string origin : {"http://localhost:3000", "http://127.0.0.1", "https://app.localhost:1"}) {
    const RawResponse asked =
        Send("OPTIONS", "/designs", "Origin: " + origin + "\r\nAccess-Control-Request-Headers: content-type\r\n");
    EXPECT_EQ(asked.status, 200);
    EXPECT_EQ(asked.fields.at("access-control-allow-origin"), origin);
    EXPECT_EQ(asked.fields.at("access-control-allow-headers"), "content-type");
    EXPECT_EQ(asked.fields.at("access-control-allow-methods"), "GET, POST, PUT, DELETE");
    const RawResponse posted = Send("POST", "/designs", "Origin: " + origin + "\r\n", "{}");
    EXPECT_EQ(posted.status, 409);
    EXPECT_EQ(posted.fields.at("access-control-allow-origin"), origin);
    EXPECT_EQ(posted.fields.at("vary"), "Origin");
  }
}

TEST_F(RouteTest, KeepsPagesOfOtherSitesOut) {
  for (const std::string origin : {"https://example.com", "http://localhost.example.com", "null", "*"}) {
    for (const char* method : {"OPTIONS", "POST", "DELETE"}) {
      const RawResponse response = Send(method, "/designs", "Origin: " + origin + "\r\n");
      EXPECT_EQ(response.status, 403) << origin << method;
      EXPECT_FALSE(response.fields.contains("access-control-allow-origin"));
    }
    const RawResponse read = Send("GET", "/designs", "Origin: " + origin + "\r\n");
    EXPECT_FALSE(read.fields.contains("access-control-allow-origin"));
  }
}

}  // namespace
}  // namespace taula::server
