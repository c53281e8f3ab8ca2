#include "design/template.h"

#include <gtest/gtest.h>

#include <map>

namespace taula::design {
namespace {

Template Parsed(std::string_view text) {
  auto parsed = Template::Parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Template();
}

std::optional<std::string> Rendered(std::string_view text,
                                    const std::map<std::string, std::string, std::less<>>& values) {
  return Parsed(text).Render([&](std::string_view reference) -> std::optional<std::string> {
    const auto found = values.find(reference);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string Matched(std::string_view text, std::string_view key) {
  const Template parsed = Parsed(text);
  const std::optional<Template::Values> values = parsed.Match(key);
  if (!values) return "no";
  std::string said;
  for (const auto& [reference, value] : *values) said.append(reference).append("=").append(value).append(";");
  return said;
}

TEST(Template, RendersReferences) {
  EXPECT_EQ(Rendered("METADATA", {}), "METADATA");
  EXPECT_EQ(Rendered("NOTIF#{at}#{id}", {{"at", "2024"}, {"id", "7"}}), "NOTIF#2024#7");
  EXPECT_EQ(Rendered("{a}", {{"a", "x"}}), "x");
  EXPECT_EQ(Rendered("{{{a}}}", {{"a", "x"}}), "{x}");
  EXPECT_EQ(Rendered("A#{missing}", {}), std::nullopt);
}

TEST(Template, RendersTheBeginningThatIsKnown) {
  const Template parsed = Parsed("STATUS#{status}#{at}");
  bool complete = true;
  EXPECT_EQ(parsed.RenderPrefix(
                [](std::string_view reference) {
                  return reference == "status" ? std::optional<std::string>("ready") : std::nullopt;
                },
                complete),
            "STATUS#ready#");
  EXPECT_FALSE(complete);
}

TEST(Template, Transforms) {
  EXPECT_EQ(Rendered("{n:lower}", {{"n", "Ab-É"}}), "ab-É");
  EXPECT_EQ(Rendered("{n:upper}", {{"n", "ab"}}), "AB");
  EXPECT_EQ(Rendered("P#{n:slug}", {{"n", "Café  Premium (250 g) — Ñandú Žluťoučký"}}),
            "P#cafe-premium-250-g-nandu-zlutoucky");
  EXPECT_EQ(Rendered("{n:slug}", {{"n", "--"}}), std::nullopt);
  EXPECT_EQ(Rendered("{n:slug}", {{"n", "×"}}), std::nullopt);
  EXPECT_EQ(Rendered("{n:date}", {{"n", "2024-11-02T15:30:00Z"}}), "2024-11-02");
  EXPECT_EQ(Rendered("{n:date}", {{"n", "2024"}}), std::nullopt);
  EXPECT_EQ(Rendered("{n:04}", {{"n", "42"}}), "0042");
  EXPECT_EQ(Rendered("{n:04}", {{"n", "42000"}}), std::nullopt);
  EXPECT_EQ(Rendered("{n:04}", {{"n", "-1"}}), std::nullopt);
}

TEST(Template, SaysWhereItsTextIsWrong) {
  EXPECT_EQ(Template::Parse("A#{b").error().offset, 2);
  EXPECT_EQ(Template::Parse("A}").error().offset, 1);
  EXPECT_EQ(Template::Parse("A{}").error().offset, 1);
  EXPECT_EQ(Template::Parse("A{b c}").error().offset, 1);
  EXPECT_EQ(Template::Parse("{b:loud}").error().offset, 2);
  EXPECT_EQ(Template::Parse("{b:8}").error().offset, 2);
  EXPECT_EQ(Template::Parse("{b:00}").error().offset, 2);
}

TEST(Template, IsReadBackwards) {
  EXPECT_EQ(Matched("METADATA", "METADATA"), "");
  EXPECT_EQ(Matched("METADATA", "METADATA2"), "no");
  EXPECT_EQ(Matched("NOTIF#{at}#{id}", "NOTIF#2024-01-01T00:00:00Z#01H#X"), "at=2024-01-01T00:00:00Z;id=01H#X;");
  EXPECT_EQ(Matched("NOTIF#{at}#{id}", "NOTIF#2024"), "no");
  EXPECT_EQ(Matched("NOTIF#{at}#{id}", "NOTIF##1"), "no");
  EXPECT_EQ(Matched("USER#{id}", "USER#"), "no");
  EXPECT_EQ(Matched("USER#{id}", "USE"), "no");
  EXPECT_EQ(Matched("{n:03}{rest}", "012abc"), "n=012;rest=abc;");
}

TEST(Template, KnowsWhatItCanHold) {
  const Template parsed = Parsed("A#{first}#{last}");
  EXPECT_TRUE(parsed.CanHold(1, "x"));
  EXPECT_FALSE(parsed.CanHold(1, "x#y"));
  EXPECT_FALSE(parsed.CanHold(1, ""));
  EXPECT_TRUE(parsed.CanHold(3, "x#y"));
  EXPECT_FALSE(Parsed("{a}##{b}").CanHold(0, "x#")) << "x### would be read as x and #…";
}

TEST(Template, KnowsWhetherTwoCanBeTheSame) {
  const auto overlap = [](std::string_view a, std::string_view b) {
    const bool there = Parsed(a).Overlaps(Parsed(b));
    EXPECT_EQ(there, Parsed(b).Overlaps(Parsed(a))) << a << " and " << b;
    return there;
  };
  EXPECT_TRUE(overlap("METADATA", "METADATA"));
  EXPECT_FALSE(overlap("METADATA", "PROFILE"));
  EXPECT_FALSE(overlap("METADATA", "META"));
  EXPECT_TRUE(overlap("USER#{id}", "USER#{email}"));
  EXPECT_FALSE(overlap("USER#{id}", "ORDER#{id}"));
  EXPECT_TRUE(overlap("USER#{id}", "{anything}"));
  EXPECT_FALSE(overlap("USER#{id}", "USER#"));
  EXPECT_TRUE(overlap("{a}#X", "Y#{b}"));
  EXPECT_FALSE(overlap("{a}#X", "{b}#Y"));
  EXPECT_TRUE(overlap("POST#STATUS#{s}", "POST#{id}"));
}

}  // namespace
}  // namespace taula::design
