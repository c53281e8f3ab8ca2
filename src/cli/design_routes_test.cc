#include "cli/design_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "design/test_design.h"
#include "server/raw_client.h"

namespace taula::cli {
namespace {

using server::RawClient;
using server::RawResponse;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kDesign = R"(
design: notes
description: What people write down.
tables:
  main: { name: "notes-{stage}", key: { partition: PK, sort: SK } }
entities:
  Note:
    key: { PK: "NOTE#{id}", SK: TEXT }
    attributes: { id: string, text: { type: string, required: true } }
operations:
  note: { get: Note, description: A note by its id. }
  keep: { put: Note }
  new:  { create: Note }
)";

// Has one note, and fails as it is told.
class OneNote final : public design::Backend {
 public:
  [[nodiscard]] Result<std::string> Call(std::string_view operation, const std::string& body) override {
    if (wait_for != nullptr) wait_for->wait();
    if (fail_with) return Fail(*fail_with, "as told");
    const std::lock_guard lock(mutex_);
    last_body_ = body;
    if (operation == "GetItem" && body.find("NOTE#1") != std::string::npos) {
      return R"({"Item":{"PK":{"S":"NOTE#1"},"SK":{"S":"TEXT"},"text":{"S":"hello"}}})";
    }
    return "{}";
  }
  [[nodiscard]] bool keeps_designs() const override { return true; }

  std::string last_body() {
    const std::lock_guard lock(mutex_);
    return last_body_;
  }

  std::optional<ErrorCode> fail_with;
  std::latch* wait_for = nullptr;

 private:
  std::mutex mutex_;
  std::string last_body_;
};

class DesignRoutesTest : public testing::Test {
 protected:
  DesignRoutesTest() {
    auto started = server::Server::Start({.port = 0, .threads = 2}, handler_, {&routes_});
    EXPECT_TRUE(started);
    server_ = std::move(*started);
  }
  ~DesignRoutesTest() override { routes_.Finish(); }

  static std::string Bytes(std::string_view method, std::string_view path, std::string_view body,
                           std::string_view fields) {
    std::string bytes(method);
    bytes.append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n").append(fields);
    return bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  }
  RawResponse Send(std::string_view method, std::string_view path, std::string_view body = "",
                   std::string_view fields = "Content-Type: application/json\r\n") {
    RawClient client(server_->port());
    client.Send(Bytes(method, path, body, fields));
    return client.Read().value_or(RawResponse());
  }

  const design::Design design_ = design::DesignFrom(kDesign);
  OneNote backend_;
  server::FakeHandler handler_;
  DesignRoutes routes_{{&design_}, "test", backend_, 2};
  std::unique_ptr<server::Server> server_;
};

TEST_F(DesignRoutesTest, ListsTheDesigns) {
  const RawResponse response = Send("GET", "/designs");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.fields.at("content-type"), "application/json");
  EXPECT_EQ(response.body, R"({"designs":[{"name":"notes","description":"What people write down.","operations":3}]})");
  EXPECT_EQ(Send("GET", "/designs/").body, response.body);
}

TEST_F(DesignRoutesTest, TellsADesign) {
  const RawResponse response = Send("GET", "/designs/notes");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr(R"("name":"notes-test","partition":"PK","sort":"SK")"));
  EXPECT_THAT(response.body, HasSubstr(R"("key":{"PK":"NOTE#{id}","SK":"TEXT"})"));
  EXPECT_THAT(response.body, HasSubstr(R"({"name":"note","description":"A note by its id.","kind":"get",)"
                                       R"("entities":["Note"],"parameters":[{"name":"id","type":"string",)"
                                       R"("required":true,"schema":{"type":"string"}}]})"));
}

TEST_F(DesignRoutesTest, HasAnOpenApiDocument) {
  EXPECT_THAT(Send("GET", "/designs/notes/openapi.json").body, HasSubstr("/designs/notes/note"));
}

TEST_F(DesignRoutesTest, RunsAnOperation) {
  const RawResponse response = Send("POST", "/designs/notes/note", R"({"id":"1"})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"item":{"id":"1","text":"hello"}})");
  EXPECT_THAT(backend_.last_body(), HasSubstr("notes-test"));
}

TEST_F(DesignRoutesTest, AnswersTypedErrors) {
  const RawResponse missing = Send("POST", "/designs/notes/note", R"({"id":"2"})");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr(R"({"error":{"code":"NotFound","message":")"));
  const RawResponse wrong = Send("POST", "/designs/notes/note", R"({"id":[]})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr(R"("code":"InvalidParameter")"));
  EXPECT_THAT(wrong.body, HasSubstr(R"("parameter":"id")"));
  EXPECT_EQ(Send("POST", "/designs/notes/note", "").status, 400) << "without its parameter";
}

TEST_F(DesignRoutesTest, GivesEachFailureItsStatus) {
  const auto status = [&](ErrorCode code) {
    backend_.fail_with = code;
    return Send("POST", "/designs/notes/new", R"({"id":"1","text":"x"})").status;
  };
  EXPECT_EQ(status(ErrorCode::kConditionalCheckFailedException), 409);
  EXPECT_EQ(status(ErrorCode::kTransactionConflictException), 409);
  EXPECT_EQ(status(ErrorCode::kProvisionedThroughputExceededException), 429);
  EXPECT_EQ(status(ErrorCode::kServiceUnavailable), 503);
  EXPECT_EQ(status(ErrorCode::kValidationException), 400);
}

TEST_F(DesignRoutesTest, KnowsWhatItDoesNotHave) {
  EXPECT_EQ(Send("GET", "/designs/other").status, 404);
  EXPECT_THAT(Send("GET", "/designs/other").body, HasSubstr("UnknownDesign"));
  const RawResponse response = Send("POST", "/designs/notes/none", "{}");
  EXPECT_EQ(response.status, 404);
  EXPECT_THAT(response.body, HasSubstr("UnknownOperation"));
  EXPECT_EQ(Send("POST", "/designs/notes/note/more", "{}").status, 404);
}

TEST_F(DesignRoutesTest, TakesTheRightMethodOnly) {
  for (const char* path : {"/designs", "/designs/notes", "/designs/notes/openapi.json"}) {
    const RawResponse response = Send("POST", path, "{}");
    EXPECT_EQ(response.status, 405);
    EXPECT_EQ(response.fields.at("allow"), "GET");
  }
  const RawResponse response = Send("GET", "/designs/notes/note");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.fields.at("allow"), "POST");
}

// A form or a plain text can be sent by any web page without asking.
TEST_F(DesignRoutesTest, TakesJsonOnly) {
  for (const char* fields :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"}) {
    const RawResponse response = Send("POST", "/designs/notes/keep", R"({"id":"1","text":"x"})", fields);
    EXPECT_EQ(response.status, 415) << fields;
  }
  EXPECT_EQ(Send("POST", "/designs/notes/keep", "", "").status, 415);
  for (const char* body : {"[]", "\"text\"", "1"}) {
    const RawResponse response = Send("POST", "/designs/notes/keep", body);
    EXPECT_EQ(response.status, 400);
    EXPECT_THAT(response.body, HasSubstr("InvalidParameter"));
  }
  EXPECT_EQ(Send("POST", "/designs/notes/keep", "{").status, 400);
  EXPECT_EQ(backend_.last_body(), "");
}

TEST_F(DesignRoutesTest, TurnsDownWhatIsTooMuch) {
  std::latch released(1);
  backend_.wait_for = &released;
  RawClient client(server_->port());
  const std::string request =
      Bytes("POST", "/designs/notes/note", R"({"id":"1"})", "Content-Type: application/json\r\n");
  // Two run, 256 wait, and more than a connection may have under way at once.
  std::vector<RawClient> clients;
  int answered = 0;
  for (int i = 0; i < 258 + 3; ++i) {
    clients.emplace_back(server_->port());
    clients.back().Send(request);
  }
  std::vector<int> statuses;
  for (RawClient& each : clients) {
    if (each.Hears(std::chrono::milliseconds(answered < 3 ? 50 : 0))) {
      const auto response = each.Read();
      statuses.push_back(response->status);
      EXPECT_EQ(response->fields.at("retry-after"), "1");
      EXPECT_THAT(response->body, HasSubstr("Throttled"));
      ++answered;
    }
  }
  EXPECT_THAT(statuses, testing::ElementsAre(503, 503, 503));
  released.count_down();
  routes_.Finish();
}

}  // namespace
}  // namespace taula::cli
