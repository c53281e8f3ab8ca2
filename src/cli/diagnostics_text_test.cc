#include "cli/diagnostics_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::cli {
namespace {

using ::testing::HasSubstr;

design::Diagnostic At(int line, int column, std::string what = "it is wrong") {
  return {.severity = design::Severity::kError,
          .code = "bad-name",
          .place = {.line = line, .column = column},
          .what = std::move(what),
          .why = "",
          .fix = "Mend it."};
}

std::string Text(std::string_view file, const design::Diagnostic& diagnostic) {
  return DiagnosticsText("d.yaml", file, {diagnostic}, TextStyle());
}

TEST(DiagnosticsText, ShowsTheLineWithACaretUnderTheColumn) {
  EXPECT_EQ(Text("a: 1\nb: 2\n", At(2, 4)),
            "d.yaml:2:4: error[bad-name]: it is wrong\n"
            "    2 | b: 2\n"
            "      |    ^\n"
            "  fix: Mend it.\n");
}

TEST(DiagnosticsText, ShowsOnlyAPartOfALineThatNoScreenHolds) {
  const std::string before(100'000, 'a');
  const std::string text = Text(before + "!" + before, At(1, 100'001));
  EXPECT_LT(text.size(), 1000U);
  EXPECT_THAT(text, HasSubstr("    1 | " + std::string(60, 'a') + "!a"));
  EXPECT_THAT(text, HasSubstr("      | " + std::string(60, ' ') + "^\n"));
  // Not in the middle of a character.
  std::string umlauts;
  for (int i = 0; i < 1000; ++i) umlauts += "ä";
  EXPECT_THAT(Text(umlauts, At(1, 1002)), HasSubstr("    1 | ä"));
}

TEST(DiagnosticsText, ShowsNoControlCharacters) {
  EXPECT_THAT(Text("a: 1\n", At(1, 1, "'\x1b[31m' is wrong")), HasSubstr("'?[31m' is wrong"));
}

}  // namespace
}  // namespace taula::cli
