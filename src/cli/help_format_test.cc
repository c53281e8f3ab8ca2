#include "cli/help_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace taula::cli {
namespace {

TEST(HelpParagraph, PutsTextBesideTheName) {
  EXPECT_EQ(HelpParagraph("--port PORT", "Port to listen on"), "  --port PORT                Port to listen on\n");
}

TEST(HelpParagraph, StartsBelowALongName) {
  EXPECT_EQ(HelpParagraph("--log-level debug|info|warning", "What is worth it"),
            "  --log-level debug|info|warning\n                             What is worth it\n");
}

TEST(HelpParagraph, WrapsLongTexts) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word ";
  std::istringstream lines(HelpParagraph("--x", text));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 96U) << line;
  EXPECT_GT(count, 3);
}

TEST(HelpFormat, NamesDefaultAndVariable) {
  CLI::App app("Does things", "tool");
  app.formatter(std::make_shared<HelpFormat>());
  int port = 0;
  app.add_option("--port", port, "Where to listen")->default_str("80")->envname("TOOL_PORT")->type_name("PORT");
  bool flag = false;
  app.add_flag("--fast", flag, "Hurry");
  const std::string help = app.help();
  EXPECT_THAT(help, testing::HasSubstr("Usage: tool [OPTIONS]\n"));
  EXPECT_THAT(help, testing::HasSubstr("  --port PORT                Where to listen [default 80, TOOL_PORT]\n"));
  EXPECT_THAT(help, testing::HasSubstr("  --fast                     Hurry\n"));
}

TEST(HelpFormat, LeavesOutWhatTheParserKnowsOfValues) {
  CLI::App app("Does things", "tool");
  app.formatter(std::make_shared<HelpFormat>());
  int count = 0;
  app.add_option("--count", count, "How many")->check(CLI::Range(1, 64))->type_name("NUMBER");
  EXPECT_THAT(app.help(), testing::HasSubstr("  --count NUMBER             How many\n"));
}

}  // namespace
}  // namespace taula::cli
