#include "partiql/lexer.h"

#include <gmock/gmock.h>

namespace taula::partiql {
namespace {

using ::testing::ElementsAre;

// "identifier Music" and so on, without the end.
std::vector<std::string> Read(std::string_view text) {
  const auto tokens = Tokenize(text);
  if (!tokens) return {"unreadable"};
  std::vector<std::string> read;
  for (const Token& token : *tokens) {
    if (token.type != TokenType::kEnd) read.push_back(std::string(NameOf(token.type)) + " " + token.text);
  }
  return read;
}

TEST(Lexer, TellsKeywordsFromIdentifiersWhateverTheirCase) {
  EXPECT_THAT(Read("SELECT Artist fRoM t AND"),
              ElementsAre("KEYWORD select", "IDENTIFIER Artist", "KEYWORD from", "IDENTIFIER t", "OPERATOR and"));
}

TEST(Lexer, QuotedIdentifiersMayBeKeywordsAndHaveQuotes) {
  EXPECT_THAT(Read(R"("select" "a""b" "")"),
              ElementsAre("QUOTED_IDENTIFIER select", "QUOTED_IDENTIFIER a\"b", "QUOTED_IDENTIFIER "));
}

TEST(Lexer, TwoQuotesInAStringStandForOne) {
  EXPECT_THAT(Read("'it''s' '' '--' '/*'"), ElementsAre("LITERAL it's", "LITERAL ", "LITERAL --", "LITERAL /*"));
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_THAT(Read("1 1.5 .5 1. 1e3 1E-3 1.5e+10"), ElementsAre("LITERAL 1", "LITERAL 1.5", "LITERAL .5", "LITERAL 1.",
                                                                "LITERAL 1e3", "LITERAL 1E-3", "LITERAL 1.5e+10"));
}

TEST(Lexer, ExponentsAndScalesFitInThirtyTwoBits) {
  EXPECT_THAT(Read("1e2147483647"), ElementsAre("LITERAL 1e2147483647"));
  for (const std::string_view text :
       {"1e2147483648", "1e-2147483648", "1e99999999999999999999", "1.5e-2147483647", "1e", "1e+", "1a"}) {
    EXPECT_THAT(Read(text), ElementsAre("unreadable")) << text;
  }
}

TEST(Lexer, ReadsOperatorsOfTwoCharacters) {
  EXPECT_THAT(Read("<>!=<=>=<<>>||<>"),
              ElementsAre("OPERATOR <>", "OPERATOR <>", "OPERATOR <=", "OPERATOR >=", "LEFT_DOUBLE_ANGLE_BRACKET <<",
                          "RIGHT_DOUBLE_ANGLE_BRACKET >>", "OPERATOR ||", "OPERATOR <>"));
}

TEST(Lexer, SkipsComments) {
  EXPECT_THAT(Read("a -- b\nc /* d\n-- */ e --"), ElementsAre("IDENTIFIER a", "IDENTIFIER c", "IDENTIFIER e"));
}

TEST(Lexer, RefusesWhatItCannotRead) {
  for (const std::string_view text : {"a # b", "a /* b", "'a", "\"a", "a ! b", "a & b", "`a`", "\xC3\xA4", "a\\b"}) {
    EXPECT_THAT(Read(text), ElementsAre("unreadable")) << text;
  }
}

TEST(Lexer, KnowsWhereTokensStandInCharacters) {
  const auto tokens = Tokenize("SET\n  \"\xC3\xA4\" = 'x'");
  ASSERT_TRUE(tokens);
  EXPECT_EQ(At((*tokens)[0].place), " at 1:1:3");
  EXPECT_EQ(At((*tokens)[1].place), " at 2:3:3");
  EXPECT_EQ(At((*tokens)[3].place), " at 2:9:3");
}

}  // namespace
}  // namespace taula::partiql
