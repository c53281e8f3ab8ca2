// Every example in docs/design-checks.md is checked here: the page is the
// specification.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "design/check.h"
#include "design/load.h"

namespace taula::design {
namespace {

using ::testing::HasSubstr;

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Example {
  std::string code;  // of its section
  std::string kind;  // "bad", "good" or "scaffold"
  std::string yaml;
  int page_line = 0;
};

struct Page {
  std::set<std::string> sections;
  std::vector<Example> examples;
  std::string scaffold;
};

Page ReadPage() {
  Page page;
  std::string code;
  bool in_block = false;
  Example example;
  int number = 0;
  for (const std::string& line : Lines(ReadText(TAULA_SOURCE_DIR "/docs/design-checks.md"))) {
    ++number;
    if (line.starts_with("## ")) {
      code = line.substr(3);
      page.sections.insert(code);
    } else if (line == "```yaml") {
      in_block = true;
      example = {.code = code, .page_line = number};
    } else if (line == "```" && in_block) {
      in_block = false;
      if (example.kind == "scaffold") {
        page.scaffold = example.yaml;
      } else {
        page.examples.push_back(example);
      }
    } else if (in_block && example.kind.empty()) {
      example.kind = line.substr(2, line.find_first_of(": \n", 2) - 2);
      example.yaml = line + "\n";
    } else if (in_block) {
      example.yaml += line + "\n";
    }
  }
  return page;
}

bool HasMember(const std::string& yaml, const std::string& name) { return ("\n" + yaml).contains("\n" + name + ":"); }

// The example, and below it the members of the scaffold that it does not have.
// The scaffold's operations are those of its entities.
std::string Completed(const std::string& yaml, const std::string& scaffold) {
  std::string whole = yaml;
  bool is_missing = false;
  for (const std::string& line : Lines(scaffold)) {
    const bool begins_member = !line.empty() && line[0] != ' ' && line[0] != '#';
    if (begins_member) {
      const std::string name = line.substr(0, line.find(':'));
      is_missing = !HasMember(yaml, name) && (name != "operations" || !HasMember(yaml, "entities"));
    }
    if (is_missing) whole += line + "\n";
  }
  return whole;
}

Diagnostics Check(const std::string& yaml) {
  Loaded loaded = LoadDesign(yaml, "example.yaml");
  Diagnostics all = loaded.diagnostics;
  if (loaded.design) std::ranges::move(CheckDesign(*loaded.design), std::back_inserter(all));
  return all;
}

std::string Described(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& each : diagnostics) {
    text += fmt::format("{}:{} {}: {}\n", each.place.line, each.place.column, each.code, each.what);
  }
  return text;
}

std::string_view NameOf(Severity severity) {
  if (severity == Severity::kError) return "error";
  return severity == Severity::kWarning ? "warning" : "note";
}

// What a caret under a line promises: "#      ^ warning".
struct Mark {
  int line = 0;
  int column = 0;
  std::string severity;
};

std::vector<Mark> MarksOf(const Example& example) {
  std::vector<Mark> marks;
  int number = 0;
  for (const std::string& line : Lines(example.yaml)) {
    ++number;
    const std::size_t caret = line.find_first_not_of(" #");
    if (!line.starts_with('#') || caret == std::string::npos || line[caret] != '^') continue;
    marks.push_back({.line = number - 1, .column = static_cast<int>(caret) + 1, .severity = line.substr(caret + 2)});
  }
  return marks;
}

bool Has(const Diagnostics& diagnostics, const std::string& code) {
  return std::ranges::find(diagnostics, code, &Diagnostic::code) != diagnostics.end();
}

bool IsAt(const Diagnostic& diagnostic, const Mark& mark) {
  return diagnostic.place.line == mark.line && diagnostic.place.column == mark.column &&
         NameOf(diagnostic.severity) == mark.severity;
}

TEST(DesignChecks, FindTheFaultOfEachBadExampleAtItsPlace) {
  const Page page = ReadPage();
  ASSERT_GT(page.examples.size(), 60U);
  for (const Example& example : page.examples) {
    if (example.kind != "bad") continue;
    const std::vector<Mark> marks = MarksOf(example);
    ASSERT_EQ(marks.size(), 1U) << "docs/design-checks.md:" << example.page_line;
    const Diagnostics found = Check(Completed(example.yaml, page.scaffold));
    EXPECT_TRUE(std::ranges::any_of(
        found, [&](const Diagnostic& each) { return each.code == example.code && IsAt(each, marks[0]); }))
        << "docs/design-checks.md:" << example.page_line << ": no " << marks[0].severity << " " << example.code
        << " at " << marks[0].line << ":" << marks[0].column << " but\n"
        << Described(found);
  }
}

TEST(DesignChecks, FindNoErrorsInGoodExamples) {
  const Page page = ReadPage();
  for (const Example& example : page.examples) {
    if (example.kind == "bad") continue;
    ASSERT_EQ(example.kind, "good") << "line " << example.page_line;
    const Diagnostics found = Check(Completed(example.yaml, page.scaffold));
    EXPECT_FALSE(HasErrors(found) || Has(found, example.code)) << "docs/design-checks.md:" << example.page_line << ":\n"
                                                               << Described(found);
  }
}

TEST(DesignChecks, FindNothingInTheScaffold) {
  const Diagnostics found = Check(ReadPage().scaffold);
  EXPECT_TRUE(found.empty()) << Described(found);
}

// "error refused-query" and the like, of every place in the sources that
// reports something.
std::set<std::string> ReportedBySources() {
  const std::regex report(
      R"re(\b(Error|Warning|Note)\(\s*"([a-z-]+)"|(\.code) = "([a-z-]+)"|kWarning : Severity::(kError), "([a-z-]+)")re");
  std::set<std::string> reported;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TAULA_SOURCE_DIR "/src/design")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".cc") || name.ends_with("_test.cc")) continue;
    const std::string text = ReadText(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), report), end; at != end; ++at) {
      const std::smatch& match = *at;
      if (match[3].matched) reported.insert("error " + match[4].str());
      if (match[5].matched) {
        reported.insert("error " + match[6].str());
        reported.insert("warning " + match[6].str());
      }
      if (match[1] == "Error") reported.insert("error " + match[2].str());
      if (match[1] == "Warning") reported.insert("warning " + match[2].str());
      if (match[1] == "Note") reported.insert("note " + match[2].str());
    }
  }
  return reported;
}

// What no text on a page can show; load_test.cc has them.
const std::set<std::string> kWithoutExample = {"unreadable-file", "file-too-large", "nested-too-deep"};

TEST(DesignChecks, AllHaveASectionOnThePageAndAnExampleOfEachSeverity) {
  const Page page = ReadPage();
  std::set<std::string> shown;
  for (const Example& example : page.examples) {
    for (const Mark& mark : MarksOf(example)) shown.insert(mark.severity + " " + example.code);
  }
  for (const std::string& code : kWithoutExample) {
    EXPECT_TRUE(page.sections.contains(code)) << code;
    shown.insert("error " + code);
  }
  EXPECT_EQ(shown, ReportedBySources());
}

TEST(DesignChecks, AllHaveAMendedExample) {
  const Page page = ReadPage();
  std::set<std::string> mended = kWithoutExample;
  for (const Example& example : page.examples) {
    if (example.kind == "good") mended.insert(example.code);
  }
  EXPECT_EQ(mended, page.sections);
}

TEST(DesignChecks, SayHowToMendWhatTheyFind) {
  const Page page = ReadPage();
  for (const Example& example : page.examples) {
    const Loaded loaded = LoadDesign(Completed(example.yaml, page.scaffold), "example.yaml");
    if (!loaded.design) continue;
    for (const Diagnostic& each : CheckDesign(*loaded.design)) {
      EXPECT_FALSE(each.what.empty() || each.what.ends_with('.')) << each.what;
      EXPECT_TRUE(each.why.empty() || each.why.ends_with('.')) << each.code << ": " << each.why;
      EXPECT_TRUE(each.fix.ends_with('.')) << each.code << ": " << each.fix;
    }
  }
}

TEST(DesignChecks, PassTheFiveSystemsWithoutErrors) {
  for (const std::string name : {"notifications", "goals", "store", "blog", "kefir"}) {
    const Loaded loaded = LoadDesignFile(TAULA_SOURCE_DIR "/designs/" + name + "/design.yaml");
    ASSERT_TRUE(loaded.design.has_value());
    const Diagnostics found = CheckDesign(*loaded.design);
    EXPECT_FALSE(HasErrors(found)) << name << "\n" << Described(found);
  }
}

const Diagnostic& FindOnly(const Diagnostics& diagnostics, std::string_view code) {
  const auto found = std::ranges::find(diagnostics, code, &Diagnostic::code);
  EXPECT_NE(found, diagnostics.end()) << code << " in\n" << Described(diagnostics);
  static const Diagnostic kNone;
  return found == diagnostics.end() ? kNone : *found;
}

TEST(RefusedQuery, OffersAPartitionADayForARangeOfTimes) {
  const Loaded kefir = LoadDesignFile(TAULA_SOURCE_DIR "/designs/kefir/design.yaml");
  for (const Diagnostic& each : CheckDesign(*kefir.design)) {
    if (each.code != "refused-query" || !each.what.contains("dueReminders")) continue;
    EXPECT_THAT(each.what, HasSubstr("a range of the sort key over all partitions"));
    EXPECT_THAT(each.fix, HasSubstr("GSI2PK: \"REMINDER#{dueAt:date}\" and GSI2SK: \"{dueAt}\""));
    EXPECT_THAT(each.fix, HasSubstr("a query for each day"));
    return;
  }
  FAIL() << "dueReminders is not refused";
}

TEST(RefusedQuery, OffersASortKeyForARangeOfPartitionKeys) {
  const Loaded store = LoadDesignFile(TAULA_SOURCE_DIR "/designs/store/design.yaml");
  const Diagnostics found = CheckDesign(*store.design);
  const Diagnostic& refused = FindOnly(found, "refused-query");
  EXPECT_THAT(refused.what, HasSubstr("'productsByName' asks for a range over partition keys"));
  EXPECT_THAT(refused.fix, HasSubstr("GSI3PK: \"PRODUCT\" and GSI3SK: \"{name:slug}\""));
}

}  // namespace
}  // namespace taula::design
