#include "cli/serve_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/start_message.h"

namespace taula::cli {
namespace {

using testing::HasSubstr;

// The options, or nothing when they are refused.
std::optional<ServeOptions> Parse(std::vector<std::string> arguments) {
  ServeOptions options;
  CLI::App app;
  AddServeOptions(app, options);
  std::ranges::reverse(arguments);
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError&) {
    return std::nullopt;
  }
  return options;
}

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(ServeOptions, HaveSensibleDefaults) {
  const auto options = Parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->listen, "127.0.0.1");
  EXPECT_EQ(options->port, 8000);
  EXPECT_EQ(options->data, "./taula-data");
  EXPECT_FALSE(options->memory);
  EXPECT_FALSE(options->relaxed);
  EXPECT_FALSE(options->insecure);
  EXPECT_EQ(options->region, "us-east-1");
  EXPECT_EQ(options->account, "123456789012");
  EXPECT_EQ(FindConflict(*options), std::nullopt);
}

TEST(ServeOptions, BucketsLieBesideTheDataUnlessSaidOtherwise) {
  EXPECT_EQ(BucketsFolder(*Parse({})), "./taula-data/buckets");
  EXPECT_EQ(BucketsFolder(*Parse({"--data", "x"})), "x/buckets");
  EXPECT_EQ(BucketsFolder(*Parse({"--buckets", "y"})), "y");
  EXPECT_EQ(BucketsFolder(*Parse({"--memory"})), "");
  EXPECT_EQ(BucketsFolder(*Parse({"--memory", "--buckets", "y"})), "y");
  const Variable buckets("TAULA_BUCKETS", "z");
  EXPECT_EQ(BucketsFolder(*Parse({})), "z");
}

TEST(ServeOptions, AreRead) {
  const auto options = Parse({"--listen", "::1", "--port=0", "--data", "x", "--memory", "--durability=relaxed",
                              "--threads", "3", "--cache-size=2G", "--log-level", "error", "--log-format=json",
                              "--region", "eu-central-1", "--account", "123456789012", "--insecure"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->listen, "::1");
  EXPECT_EQ(options->port, 0);
  EXPECT_EQ(options->data, "x");
  EXPECT_TRUE(options->memory);
  EXPECT_TRUE(options->relaxed);
  EXPECT_EQ(options->threads, 3U);
  EXPECT_EQ(options->cache_bytes, std::size_t{2} << 30);
  EXPECT_EQ(options->log_level, base::LogLevel::kError);
  EXPECT_EQ(options->log_format, base::LogFormat::kJson);
  EXPECT_EQ(options->region, "eu-central-1");
  EXPECT_EQ(options->account, "123456789012");
  EXPECT_TRUE(options->insecure);
}

TEST(ServeOptions, ComeFromTheEnvironment) {
  const Variable port("TAULA_PORT", "8123");
  const Variable memory("TAULA_MEMORY", "true");
  const Variable size("TAULA_CACHE_SIZE", "64M");
  const Variable durability("TAULA_DURABILITY", "relaxed");
  const Variable level("TAULA_LOG_LEVEL", "debug");
  const auto options = Parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->port, 8123);
  EXPECT_TRUE(options->memory);
  EXPECT_EQ(options->cache_bytes, std::size_t{64} << 20);
  EXPECT_TRUE(options->relaxed);
  EXPECT_EQ(options->log_level, base::LogLevel::kDebug);
  EXPECT_EQ(Parse({"--port", "1"})->port, 1) << "what is said beats what is set";
}

TEST(ServeOptions, RefuseNonsense) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--port", "65536"},
           {"--port", "-1"},
           {"--port", "http"},
           {"--port"},
           {"--threads", "0"},
           {"--cache-size", "lots"},
           {"--cache-size", "-1"},
           {"--durability", "maybe"},
           {"--log-level", "loud"},
           {"--log-format", "xml"},
           {"--region", "US EAST"},
           {"--region", ""},
           {"--account", "1234"},
           {"--account", "12345678901x"},
           {"--forks", "-1"},
           {"--fork-ports", "8100"},
           {"--fork-ports", "8100-8099"},
           {"--fork-ports", "0-8099"},
           {"--fork-ports", "8100-70000"},
           {"--fork-ports", "8100-8199x"},
           {"--unknown"},
           {"surplus"},
       }) {
    EXPECT_FALSE(Parse(arguments)) << arguments.front();
  }
}

TEST(ServeOptions, GiveForksTheirPorts) {
  const auto options = Parse({"--forks", "8", "--fork-ports", "8100-8107"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->forks_max, 8);
  EXPECT_EQ(options->fork_ports.first, 8100);
  EXPECT_EQ(options->fork_ports.last, 8107);
}

TEST(ServeOptions, StayOnTheMachineUnlessToldOtherwise) {
  for (const char* fine : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) {
    EXPECT_EQ(FindConflict({.listen = fine}), std::nullopt) << fine;
  }
  for (const char* open : {"0.0.0.0", "::", "192.168.1.2"}) {
    const auto conflict = FindConflict({.listen = open});
    ASSERT_TRUE(conflict) << open;
    EXPECT_THAT(*conflict, HasSubstr("--insecure"));
    EXPECT_EQ(FindConflict({.listen = open, .insecure = true}), std::nullopt);
  }
  EXPECT_THAT(FindConflict({.listen = "example.org"}).value_or(""), HasSubstr("not an IP address"));
}

TEST(StartMessage, TellsHowToTalkToIt) {
  const std::string message = StartMessage({.data = "/data/x", .region = "eu-west-1"}, 8001, {});
  EXPECT_THAT(message, HasSubstr("http://127.0.0.1:8001\n"));
  EXPECT_THAT(message, HasSubstr("/data/x"));
  EXPECT_THAT(message, HasSubstr("aws dynamodb list-tables --endpoint-url http://127.0.0.1:8001 --region eu-west-1\n"));
  EXPECT_THAT(StartMessage({.memory = true}, 1, {}), HasSubstr("in memory"));
}

TEST(EndpointUrl, IsOneThatClientsCanUse) {
  EXPECT_EQ(EndpointUrl("::1", 8000), "http://[::1]:8000");
  EXPECT_EQ(EndpointUrl("0.0.0.0", 8000), "http://localhost:8000");
  EXPECT_EQ(EndpointUrl("localhost", 8000), "http://127.0.0.1:8000");
}

}  // namespace
}  // namespace taula::cli
