#include "server/address.h"

#include <gtest/gtest.h>

namespace taula::server {
namespace {

TEST(Address, HasATextForm) {
  for (const std::string text : {"127.0.0.1", "0.0.0.0", "192.0.2.7", "::1", "::", "2001:db8::5"}) {
    const auto address = Address::Parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
    EXPECT_EQ(address->WithPort(8000).text(), text);
    EXPECT_EQ(address->is_v6(), text.find(':') != std::string::npos);
  }
  EXPECT_EQ(Address::Parse("localhost")->text(), "127.0.0.1");
}

TEST(Address, IsANumber) {
  for (const std::string text : {"", "example", "1", "127.1", "256.0.0.1", "127.0.0.1 ", "127.0.0.1:80",
                                 "::1::", "[::1]", "0x7f.0.0.1", "127.0.0.01x"}) {
    EXPECT_FALSE(Address::Parse(text)) << text;
  }
}

TEST(Address, KnowsWhoCanReachIt) {
  for (const std::string text : {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "localhost"}) {
    EXPECT_TRUE(Address::Parse(text)->is_loopback()) << text;
  }
  for (const std::string text : {"0.0.0.0", "::", "128.0.0.1", "10.0.0.1", "::2", "::ffff:10.0.0.1"}) {
    EXPECT_FALSE(Address::Parse(text)->is_loopback()) << text;
  }
  for (const std::string text : {"0.0.0.0", "::"}) EXPECT_TRUE(Address::Parse(text)->is_unspecified()) << text;
  for (const std::string text : {"127.0.0.1", "::1"}) EXPECT_FALSE(Address::Parse(text)->is_unspecified()) << text;
}

}  // namespace
}  // namespace taula::server
