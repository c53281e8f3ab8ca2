// Beast's parser is the reference: the head reader may be stricter, never more
// lenient, and where both accept they agree on every part.
#include "server/request_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>
#include <random>
#include <string>

namespace taula::server {
namespace {

namespace http = boost::beast::http;
using FieldName = RequestHead::FieldName;

constexpr std::size_t kFieldsMax = 64;

int Parse(std::string_view bytes, RequestHead& head) { return ParseRequestHead(bytes, kFieldsMax, head); }
int Parse(std::string_view bytes) {
  RequestHead head;
  return Parse(bytes, head);
}
int ParseFields(const std::string& lines) { return Parse("POST / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n"); }

TEST(RequestHead, KnowsWhetherAnExplanationIsWanted) {
  RequestHead head;
  ASSERT_EQ(Parse("POST / HTTP/1.1\r\nHost: a\r\nx-taula-EXPLAIN: True\r\n\r\n", head), 0);
  EXPECT_TRUE(head.explain);
  ASSERT_EQ(Parse("POST / HTTP/1.1\r\nHost: a\r\nX-Taula-Explain: no\r\n\r\n", head), 0);
  EXPECT_FALSE(head.explain);
  head.explain = true;
  ASSERT_EQ(Parse("POST / HTTP/1.1\r\nHost: a\r\n\r\n", head), 0);
  EXPECT_FALSE(head.explain);
}

TEST(RequestHead, KnowsTheOperation) {
  RequestHead head;
  ASSERT_EQ(Parse("POST / HTTP/1.1\r\nHost: a\r\nx-amz-TARGET: A.B\r\nX-Amz-Target: C.D\r\n\r\n", head), 0);
  EXPECT_EQ(head.operation(), "A.B");
  ASSERT_EQ(Parse("POST / HTTP/1.1\r\nHost: a\r\nX-Amz-Targets: A.B\r\n\r\n", head), 0);
  EXPECT_EQ(head.operation(), "");
}

TEST(RequestHead, ReadsWhatASdkSends) {
  RequestHead head;
  ASSERT_EQ(Parse("POST /path?query HTTP/1.1\r\nHost: localhost:8000\r\nX-Amz-Target:\t DynamoDB_20120810.GetItem \r\n"
                  "Content-Length: 42\r\nEmpty:\r\n\r\n",
                  head),
            0);
  EXPECT_EQ(head.method, http::verb::post);
  EXPECT_EQ(head.target, "/path?query");
  EXPECT_TRUE(head.http11);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.chunked);
  EXPECT_EQ(head.content_length, 42U);
  EXPECT_EQ(head.Find(FieldName::host), "localhost:8000");
  EXPECT_EQ(head.Find("x-amz-target"), "DynamoDB_20120810.GetItem");
  EXPECT_EQ(head.Find("empty"), "");
  EXPECT_EQ(head.Find("absent"), std::nullopt);
}

TEST(RequestHead, ForgetsTheRequestBefore) {
  RequestHead head;
  ASSERT_EQ(Parse("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", head), 0);
  ASSERT_TRUE(head.chunked);
  ASSERT_EQ(Parse("GET / HTTP/1.0\r\n\r\n", head), 0);
  EXPECT_FALSE(head.chunked);
  EXPECT_FALSE(head.keep_alive);
  EXPECT_TRUE(head.fields.empty());
}

TEST(RequestHead, TellsWhoWantsToStay) {
  const auto stays = [](const std::string& version, const std::string& connection) {
    RequestHead head;
    EXPECT_EQ(Parse("GET / HTTP/" + version + "\r\nHost: a\r\n" + connection + "\r\n", head), 0);
    return head.keep_alive;
  };
  EXPECT_TRUE(stays("1.1", ""));
  EXPECT_TRUE(stays("1.1", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(stays("1.1", "Connection: foo , CLOSE\r\n"));
  EXPECT_FALSE(stays("1.0", ""));
  EXPECT_TRUE(stays("1.0", "Connection: keep-alive\r\n"));
  EXPECT_FALSE(stays("1.0", "Connection: close, keep-alive\r\n"));
  EXPECT_FALSE(stays("1.0", "Connection: keep-alive\r\nConnection: close\r\n"));
}

TEST(RequestHead, RefusesWhatEndsARequestInTwoWays) {
  EXPECT_EQ(ParseFields("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(ParseFields("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), 400);
  EXPECT_EQ(ParseFields("Content-Length: 5\r\nContent-Length: 6\r\n"), 400);
  EXPECT_EQ(ParseFields("Content-Length: 5\r\nContent-Length: 5\r\n"), 400);
  EXPECT_EQ(ParseFields("Content-Length: 5, 5\r\n"), 400);
  EXPECT_EQ(ParseFields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(ParseFields("Transfer-Encoding: gzip, chunked\r\n"), 501);
  EXPECT_EQ(Parse("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
}

TEST(RequestHead, RefusesLengthsThatAreNone) {
  for (const std::string length : {"", "-1", "+1", "0x10", "1 2", "1.0", "18446744073709551616", "\t"}) {
    EXPECT_EQ(ParseFields("Content-Length: " + length + "\r\n"), 400) << length;
  }
  EXPECT_EQ(ParseFields("Content-Length: 18446744073709551615\r\n"), 0);
}

TEST(RequestHead, RefusesLinesThatSomeReadDifferently) {
  EXPECT_EQ(ParseFields("A: b\r\n folded\r\n"), 400);
  EXPECT_EQ(ParseFields("A : b\r\n"), 400);
  EXPECT_EQ(ParseFields(": b\r\n"), 400);
  EXPECT_EQ(ParseFields("A\r\n"), 400);
  EXPECT_EQ(ParseFields("A: b\nC: d\r\n"), 400);
  EXPECT_EQ(ParseFields("A: b\rC: d\r\n"), 400);
  EXPECT_EQ(ParseFields(std::string("A: b\0c\r\n", 8)), 400);
  EXPECT_EQ(ParseFields("A: a long value with a control character \x01 in it\r\n"), 400);
  EXPECT_EQ(ParseFields("A: a long value that ends with one of them\x7f\r\n"), 400);
  EXPECT_EQ(ParseFields("A: tabs\tand \xc3\xa4 are fine\r\n"), 0);
}

TEST(RequestHead, WantsOneHost) {
  EXPECT_EQ(Parse("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(Parse("GET / HTTP/1.0\r\n\r\n"), 0);
  EXPECT_EQ(ParseFields("Host: b\r\n"), 400);
}

TEST(RequestHead, RefusesRequestLines) {
  for (const std::string line : {"", "GET", "GET /", "GET  HTTP/1.1", " / HTTP/1.1", "GET / / HTTP/1.1",
                                 "G@T / HTTP/1.1", "GET /\t HTTP/1.1", "GET / HTTP/1.1 "}) {
    EXPECT_NE(Parse(line + "\r\nHost: a\r\n\r\n"), 0) << line;
  }
  EXPECT_EQ(Parse("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(Parse("GET / http/1.1\r\nHost: a\r\n\r\n"), 505);
}

TEST(RequestHead, BoundsTheNumberOfFields) {
  std::string lines;
  for (std::size_t i = 1; i < kFieldsMax; ++i) lines += "A: b\r\n";
  EXPECT_EQ(ParseFields(lines), 0);
  EXPECT_EQ(ParseFields(lines + "A: b\r\n"), 431);
}

// Takes heads apart and puts them together again wrongly.
class HeadGarbler {
 public:
  std::string Next() {
    std::string head =
        Pick({"POST / HTTP/1.1\r\n", "GET /a?b HTTP/1.0\r\n", "OPTIONS * HTTP/1.1\r\n", "PUT /x HTTP/1.2\r\n"});
    const std::size_t lines = Below(7);
    for (std::size_t i = 0; i < lines; ++i) {
      head += Pick({"Host: a", "Content-Length: 12", "content-length:0012", "Transfer-Encoding: chunked", "X-A:b",
                    "Connection: close", "Connection: keep-alive, te", "Long-Name-Of-A-Field: a value of some length",
                    "Accept-Encoding:\tgzip ", "Expect: 100-continue"});
      head += "\r\n";
    }
    head += "\r\n";
    for (std::size_t edits = Below(3); edits > 0; --edits) Garble(head);
    return head;
  }

 private:
  std::size_t Below(std::size_t bound) { return random_() % bound; }
  std::string Pick(std::initializer_list<const char*> choices) { return choices.begin()[Below(choices.size())]; }
  void Garble(std::string& head) {
    const std::size_t at = Below(head.size());
    const char byte = Pick({" ", "\t", "\r", "\n", ":", ",", "\x01", "\x7f", "\x80", "a", "0", "/"})[0];
    switch (Below(3)) {
      case 0:
        head[at] = byte;
        break;
      case 1:
        head.insert(at, 1, byte);
        break;
      default:
        head.erase(at, 1);
    }
  }

  std::mt19937 random_{20120810};
};

// For Beast, who speaks HTTP/1.0 and wants both stays.
bool SaysClose(const http::fields& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const auto& field) {
    const bool lists_options = field.name() == FieldName::connection || field.name() == FieldName::proxy_connection;
    return lists_options && http::token_list(field.value()).exists("close");
  });
}

TEST(RequestHead, IsNeverMoreLenientThanBeast) {
  HeadGarbler garbler;
  int accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string bytes = garbler.Next();
    RequestHead head;
    if (Parse(bytes, head) != 0) continue;
    ++accepted;
    http::request_parser<http::string_body> reference;
    reference.body_limit(boost::none);
    boost::system::error_code error;
    reference.put({bytes.data(), bytes.size()}, error);
    ASSERT_TRUE(!error || error == http::error::need_more) << error.message() << "\n" << bytes;
    ASSERT_TRUE(reference.is_header_done()) << bytes;
    const auto& message = reference.get();
    ASSERT_EQ(head.method, message.method()) << bytes;
    ASSERT_EQ(head.target, std::string_view(message.target().data(), message.target().size())) << bytes;
    ASSERT_EQ(head.keep_alive, reference.keep_alive() && !SaysClose(message)) << bytes;
    ASSERT_EQ(head.chunked, reference.chunked()) << bytes;
    const auto length = reference.content_length();
    ASSERT_EQ(head.content_length.has_value(), length.has_value()) << bytes;
    ASSERT_EQ(head.content_length.value_or(0), length.value_or(0)) << bytes;
    for (const RequestHead::Field& field : head.fields) {
      const auto [first, last] = message.equal_range({field.name.data(), field.name.size()});
      ASSERT_TRUE(std::any_of(first, last,
                              [&](const auto& other) {
                                return std::string_view(other.value().data(), other.value().size()) == field.value;
                              }))
          << field.name << "\n"
          << bytes;
    }
  }
  EXPECT_GT(accepted, 10'000) << "of the heads that were tried";
}

}  // namespace
}  // namespace taula::server
