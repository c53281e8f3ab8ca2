#include "client/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "client/scripted_server.h"

namespace taula::client {
namespace {

using testing::HasSubstr;
using testing::Not;
using Answer = ScriptedServer::Answer;

std::optional<std::string> Nothing(const char* /*name*/) { return std::nullopt; }

std::unique_ptr<Client> Open(const std::string& endpoint, const Environment& environment = Nothing) {
  auto client = Client::Open({.endpoint = endpoint}, environment);
  EXPECT_TRUE(client) << client.error();
  return client ? *std::move(client) : nullptr;
}

TEST(Client, SendsASignedOperation) {
  std::string seen;
  ScriptedServer server([&](const std::string& request) -> Answer {
    seen = request;
    return {ScriptedServer::Response(200, R"({"TableNames":[]})")};
  });
  const auto client = Open(server.Address());
  EXPECT_EQ(client->Call("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_THAT(seen, HasSubstr("\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"));
  EXPECT_THAT(seen, HasSubstr("\r\nContent-Type: application/x-amz-json-1.0\r\n"));
  EXPECT_THAT(seen, HasSubstr("\r\nAuthorization: AWS4-HMAC-SHA256 Credential=local/"));
  EXPECT_THAT(seen, HasSubstr("/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;"
                              "x-amz-target, Signature="));
  EXPECT_THAT(seen, Not(HasSubstr("Security-Token")));
}

TEST(Client, SendsTheTokenOfTemporaryCredentials) {
  std::string seen;
  ScriptedServer server([&](const std::string& request) -> Answer {
    seen = request;
    return {ScriptedServer::Response(200, "{}")};
  });
  const auto client = Open(server.Address(), [](const char* name) -> std::optional<std::string> {
    return std::string_view(name).starts_with("AWS_CA") ? std::nullopt : std::optional(std::string("value"));
  });
  ASSERT_TRUE(client->Call("ListTables", "{}"));
  EXPECT_THAT(seen, HasSubstr("\r\nX-Amz-Security-Token: value\r\n"));
  EXPECT_THAT(seen, HasSubstr("x-amz-security-token;x-amz-target"));
}

TEST(Client, AnswersWithTheServersErrors) {
  ScriptedServer server([](const std::string&) -> Answer {
    return {ScriptedServer::Response(400, R"({"__type":"x#ConditionalCheckFailedException","message":"no"})")};
  });
  const auto answer = Open(server.Address())->Call("PutItem", "{}");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kConditionalCheckFailedException);
  EXPECT_EQ(answer.error().message, "no");
}

TEST(Client, TakesAnEmptyAnswerForOneWithoutMembers) {
  ScriptedServer server([](const std::string&) -> Answer { return {ScriptedServer::Response(200, "")}; });
  EXPECT_EQ(Open(server.Address())->Call("TagResource", "{}"), "{}");
}

TEST(Client, NamesAnEndpointThatIsDown) {
  std::string address;
  {
    address = ScriptedServer([](const std::string&) { return Answer(); }).Address();
  }
  const auto answer = Open(address)->Call("ListTables", "{}");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kServiceUnavailable);
  EXPECT_EQ(answer.error().message, "Cannot reach " + address + ": the connection was refused; nothing listens there.");
}

TEST(Client, KnowsAServerThatIsNotDynamoDb) {
  for (const int status : {200, 404, 502}) {
    ScriptedServer server(
        [status](const std::string&) -> Answer { return {ScriptedServer::Response(status, "<html>Welcome</html>")}; });
    const auto answer = Open(server.Address())->Call("ListTables", "{}");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kServiceUnavailable);
    EXPECT_THAT(answer.error().message, HasSubstr(server.Address() + " answers, but not as DynamoDB does"));
  }
}

TEST(Client, PassesOnFieldsAndTheAnswerAsItCame) {
  std::string seen;
  ScriptedServer server([&](const std::string& request) -> Answer {
    seen = request;
    return {ScriptedServer::Response(400, "{}", "X-Taula-Explain: {}\r\n")};
  });
  const auto answer = Open(server.Address())->Send("Query", "{}", {{"X-Taula-Explain", "true"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 400);
  EXPECT_EQ(answer->Find("x-taula-explain"), "{}");
  EXPECT_THAT(seen, HasSubstr("\r\nX-Taula-Explain: true\r\n"));
  EXPECT_THAT(seen, Not(HasSubstr("x-taula-explain;")));
}

TEST(Client, TakesCallsFromManyThreads) {
  ScriptedServer server([](const std::string& request) -> Answer {
    return {ScriptedServer::Response(200, request.substr(request.find("\r\n\r\n") + 4))};
  });
  const auto client = Open(server.Address());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string body = "{\"n\":" + std::to_string(1000 * t + i) + "}";
        EXPECT_EQ(client->Call("Echo", body), body);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(server.connections(), 8);
}

TEST(Client, RefusesAnEndpointThatIsNone) {
  EXPECT_THAT(Client::Open({.endpoint = "localhost"}, Nothing).error(), HasSubstr("http://"));
  EXPECT_THAT(Client::Open({.endpoint = "https://example.com"}, Nothing).error(), HasSubstr("no credentials"));
}

}  // namespace
}  // namespace taula::client
