#include "client/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::client {
namespace {

using testing::HasSubstr;

TEST(Url, HasASchemeAHostAPortAndAPath) {
  const auto url = ParseUrl("https://db.example.com:8443/a/b?x=1&y=%20#part");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->tls);
  EXPECT_EQ(url->host, "db.example.com");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->Target(), "/a/b?x=1&y=%20");
  EXPECT_EQ(url->Origin(), "https://db.example.com:8443");
}

TEST(Url, LeavesOutThePortOfItsScheme) {
  EXPECT_EQ(ParseUrl("http://localhost")->port, 80);
  EXPECT_EQ(ParseUrl("http://localhost:80/")->Authority(), "localhost");
  EXPECT_EQ(ParseUrl("https://localhost")->port, 443);
  EXPECT_EQ(ParseUrl("https://localhost:443")->Origin(), "https://localhost");
  EXPECT_EQ(ParseUrl("http://localhost:443")->Authority(), "localhost:443");
  EXPECT_EQ(ParseUrl("http://localhost?x=y")->Target(), "/?x=y");
}

TEST(Url, TakesIpv6AddressesInBrackets) {
  const auto url = ParseUrl("http://[::1]:8000");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->Authority(), "[::1]:8000");
  EXPECT_TRUE(url->IsLoopback());
}

TEST(Url, KnowsThisMachine) {
  for (const char* text : {"http://localhost:1", "http://127.0.0.1", "http://127.8.9.1:3", "http://api.localhost"}) {
    EXPECT_TRUE(ParseUrl(text)->IsLoopback()) << text;
  }
  for (const char* text : {"http://127.evil.com", "http://localhost.evil.com", "http://10.0.0.1", "http://[::2]"}) {
    EXPECT_FALSE(ParseUrl(text)->IsLoopback()) << text;
  }
}

TEST(Url, RefusesWhatIsNone) {
  for (const char* text :
       {"", "localhost:8000", "ftp://a", "http://", "http://:80", "http://a:0", "http://a:99999", "http://a:8x",
        "http://[::1", "http://[zz]", "http://a b", "http://a\r\nX: y", "http://[::1]8", "http://user@a"}) {
    const auto url = ParseUrl(text);
    ASSERT_FALSE(url) << text;
    EXPECT_THAT(url.error(), HasSubstr("is not the address of a server"));
  }
}

}  // namespace
}  // namespace taula::client
