#include "codec/json_buffer.h"

#include <gtest/gtest.h>

#include <string>

namespace taula::codec {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  JsonBuffer(out).Text("\"", text, "\"");
  return out;
}

TEST(JsonBuffer, FindsWhatNeedsEscapingWhereverItStands) {
  const std::pair<char, std::string> escapes[] = {{'"', "\\\""}, {'\\', "\\\\"},    {'\n', "\\n"},
                                                  {'\b', "\\b"}, {'\f', "\\f"},     {'\r', "\\r"},
                                                  {'\t', "\\t"}, {'\0', "\\u0000"}, {'\x1f', "\\u001F"}};
  for (std::size_t length = 0; length <= 70; ++length) {
    const std::string clean(length, 'a');
    ASSERT_EQ(Quoted(clean), '"' + clean + '"');
    for (std::size_t at = 0; at < length; ++at) {
      for (const auto& [c, escape] : escapes) {
        std::string text = clean;
        text[at] = c;
        ASSERT_EQ(Quoted(text), '"' + clean.substr(0, at) + escape + clean.substr(at + 1) + '"') << length << " " << at;
      }
    }
  }
}

TEST(JsonBuffer, LeavesAllOtherBytesAsTheyAre) {
  std::string others;
  for (int c = 0x20; c < 0x100; ++c) {
    if (c != '"' && c != '\\') others.push_back(static_cast<char>(c));
  }
  for (std::size_t from = 0; from < others.size(); ++from) {
    ASSERT_EQ(Quoted(others.substr(from)), '"' + others.substr(from) + '"');
    ASSERT_EQ(Quoted(others.substr(from, 5)), '"' + others.substr(from, 5) + '"');
  }
}

TEST(JsonBuffer, EscapesLongTextsWhole) {
  std::string text;
  std::string escaped;
  for (int i = 0; i < 10'000; ++i) {
    text += "ab\n";
    escaped += "ab\\n";
  }
  EXPECT_EQ(Quoted(text), '"' + escaped + '"');
}

TEST(JsonBuffer, AppendsToWhatIsThere) {
  std::string out = "before ";
  {
    JsonBuffer buffer(out);
    for (int i = 0; i < 1000; ++i) buffer.Literal("ten bytes.");
  }
  EXPECT_EQ(out.size(), 7 + 10'000);
  EXPECT_TRUE(out.starts_with("before ten bytes.ten"));
  EXPECT_TRUE(out.ends_with("bytes."));
  { const JsonBuffer nothing(out); }
  EXPECT_EQ(out.size(), 7 + 10'000);
}

}  // namespace
}  // namespace taula::codec
