#include "client/http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "client/scripted_server.h"

namespace taula::client {
namespace {

using testing::HasSubstr;
using Kind = HttpFailure::Kind;
using Answer = ScriptedServer::Answer;

HttpConnection To(const std::string& address, HttpOptions options = {}) {
  return HttpConnection(*ParseUrl(address), std::move(options));
}

Answer Ok(const std::string& body) { return {ScriptedServer::Response(200, body)}; }

// The body of every request, in its answer.
Answer Echo(const std::string& request) { return Ok(request.substr(request.find("\r\n\r\n") + 4)); }

TEST(HttpConnection, SendsARequestAndReadsItsAnswer) {
  std::string seen;
  ScriptedServer server([&](const std::string& request) -> Answer {
    seen = request;
    return {ScriptedServer::Response(418, "teapot", "X-Kind: brown\r\n")};
  });
  HttpConnection connection = To(server.Address());
  const auto response =
      connection.Send({.method = "PUT", .target = "/pot?size=2", .fields = {{"X-Tea", "Assam"}}, .body = "water"});
  ASSERT_TRUE(response) << response.error().what;
  EXPECT_EQ(response->status, 418);
  EXPECT_EQ(response->body, "teapot");
  EXPECT_EQ(response->Find("x-kind"), "brown");
  EXPECT_EQ(response->Find("x-other"), std::nullopt);
  EXPECT_THAT(seen, testing::StartsWith("PUT /pot?size=2 HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_THAT(seen, HasSubstr("\r\nX-Tea: Assam\r\n"));
  EXPECT_THAT(seen, testing::EndsWith("\r\n\r\nwater"));
}

TEST(HttpConnection, IsKeptForTheNextRequest) {
  ScriptedServer server(Echo);
  HttpConnection connection = To(server.Address());
  for (int i = 0; i < 20; ++i) {
    const std::string body = std::to_string(i);
    ASSERT_EQ(connection.Send({.body = body})->body, body);
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpConnection, ReadsChunkedAnswers) {
  ScriptedServer server([](const std::string&) -> Answer {
    return {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"};
  });
  HttpConnection connection = To(server.Address());
  EXPECT_EQ(connection.Send({})->body, "abcde");
  EXPECT_EQ(connection.Send({})->body, "abcde");
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpConnection, IsMadeAnewWhenTheServerHasClosedIt) {
  ScriptedServer server([](const std::string& request) {
    Answer answer = Echo(request);
    answer.close = true;
    return answer;
  });
  HttpConnection connection = To(server.Address());
  for (int i = 0; i < 3; ++i) {
    const auto response = connection.Send({.body = "again"});
    ASSERT_TRUE(response) << response.error().what;
    EXPECT_EQ(response->body, "again");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(server.requests(), 3);
}

// The close may cross the next request on its way.
TEST(HttpConnection, SendsAgainOnceWhenAKeptConnectionEndsWithoutAnAnswer) {
  ScriptedServer server([count = 0](const std::string& request) mutable -> Answer {
    return ++count == 2 ? Answer{"", true} : Echo(request);
  });
  HttpConnection connection = To(server.Address());
  EXPECT_EQ(connection.Send({.body = "1"})->body, "1");
  EXPECT_EQ(connection.Send({.body = "2"})->body, "2");
  EXPECT_EQ(server.requests(), 3);
}

TEST(HttpConnection, DoesNotSendAgainOnAFreshConnection) {
  ScriptedServer server([](const std::string&) -> Answer { return {"", true}; });
  HttpConnection connection = To(server.Address());
  const auto response = connection.Send({.body = "1"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kClosed);
  EXPECT_EQ(server.requests(), 1);
}

TEST(HttpConnection, DoesNotSendAgainWhenHalfAnAnswerCame) {
  ScriptedServer server([count = 0](const std::string& request) mutable -> Answer {
    return ++count == 2 ? Answer{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", true} : Echo(request);
  });
  HttpConnection connection = To(server.Address());
  ASSERT_TRUE(connection.Send({.body = "1"}));
  const auto response = connection.Send({.body = "2"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kClosed);
  EXPECT_THAT(response.error().what, HasSubstr("in the middle of the answer"));
  EXPECT_EQ(server.requests(), 2);
  EXPECT_EQ(connection.Send({.body = "3"})->body, "3");
}

TEST(HttpConnection, SaysThatNobodyListens) {
  std::string address;
  { address = ScriptedServer(Echo).Address(); }
  HttpConnection connection = To(address);
  const auto response = connection.Send({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kRefused);
}

TEST(HttpConnection, SaysThatThereIsNoSuchHost) {
  HttpConnection connection = To("http://no-such-host.invalid:1");
  const auto response = connection.Send({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kUnknownHost);
  EXPECT_THAT(response.error().what, HasSubstr("no-such-host.invalid"));
}

TEST(HttpConnection, DoesNotWaitForEver) {
  ScriptedServer server([](const std::string&) -> Answer {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return Ok("late");
  });
  HttpConnection connection = To(server.Address(), {.answer_ms_max = 50});
  const auto start = std::chrono::steady_clock::now();
  const auto response = connection.Send({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kTimeout);
  EXPECT_EQ(response.error().what, "no answer within 0.05 s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(350));
}

TEST(HttpConnection, TakesNoMoreThanItsLimit) {
  ScriptedServer server([](const std::string&) { return Ok(std::string(2000, 'x')); });
  HttpConnection connection = To(server.Address(), {.response_bytes_max = 1000});
  const auto response = connection.Send({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kTooLarge);
}

TEST(HttpConnection, SaysThatAServerSpeaksSomethingElse) {
  ScriptedServer server([](const std::string&) -> Answer { return {"SSH-2.0-OpenSSH_9.2\r\n\r\n", true}; });
  HttpConnection connection = To(server.Address());
  const auto response = connection.Send({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kNotHttp);
}

TEST(HttpConnection, RefusesFieldsThatBreakTheRequest) {
  ScriptedServer server(Echo);
  HttpConnection connection = To(server.Address());
  const auto response = connection.Send({.fields = {{"X", "a\r\nY: b"}}});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kBadField);
  EXPECT_EQ(server.requests(), 0);
}

class CertificateFile {
 public:
  explicit CertificateFile(const TestCertificate& certificate)
      : path_((std::filesystem::temp_directory_path() / ("taula-ca-" + std::to_string(getpid()) + ".pem")).string()) {
    std::ofstream(path_) << certificate.certificate;
  }
  ~CertificateFile() { std::remove(path_.c_str()); }
  CertificateFile(const CertificateFile&) = delete;
  CertificateFile& operator=(const CertificateFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(HttpConnection, SpeaksTlsWithAServerItTrusts) {
  const TestCertificate certificate("DNS:localhost,IP:127.0.0.1");
  const CertificateFile file(certificate);
  ScriptedServer server(Echo, &certificate);
  for (const char* host : {"localhost", "127.0.0.1"}) {
    HttpConnection connection = To(server.Address(host), {.ca_file = file.path()});
    for (const std::string body : {"secret", "and more"}) {
      const auto response = connection.Send({.body = body});
      ASSERT_TRUE(response) << response.error().what;
      EXPECT_EQ(response->body, body);
    }
  }
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpConnection, RefusesACertificateThatNobodyItTrustsHasSigned) {
  const TestCertificate certificate("DNS:localhost,IP:127.0.0.1");
  ScriptedServer server(Echo, &certificate);
  HttpConnection connection = To(server.Address("localhost"));
  const auto response = connection.Send({.body = "secret"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kTls);
  EXPECT_THAT(response.error().what, HasSubstr("certificate is not to be trusted"));
  EXPECT_EQ(server.requests(), 0);
}

TEST(HttpConnection, RefusesACertificateOfAnotherHost) {
  const TestCertificate certificate("DNS:example.com");
  const CertificateFile file(certificate);
  ScriptedServer server(Echo, &certificate);
  HttpConnection connection = To(server.Address("localhost"), {.ca_file = file.path()});
  const auto response = connection.Send({.body = "secret"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, Kind::kTls);
  EXPECT_EQ(server.requests(), 0);
}

TEST(HttpConnection, SaysThatAPlainServerHasNoTls) {
  ScriptedServer server(Echo);
  std::string address = server.Address();
  HttpConnection connection = To("https" + address.substr(4), {.connect_ms_max = 300});
  const auto response = connection.Send({});
  ASSERT_FALSE(response);
  EXPECT_NE(response.error().kind, Kind::kClosed);
}

}  // namespace
}  // namespace taula::client
