#include "cli/pretty_json.h"

#include <gtest/gtest.h>

namespace taula::cli {
namespace {

TEST(PrettyJson, HasAMemberALine) {
  EXPECT_EQ(
      PrettyJson(R"({"a":1,"b":[true,{"c":null}],"d":{},"e":[ ]})"),
      "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    {\n      \"c\": null\n    }\n  ],\n  \"d\": {},\n  \"e\": []\n}");
}

TEST(PrettyJson, LeavesTextsAlone) {
  EXPECT_EQ(PrettyJson(R"({"a{,:":"[ \" ]\\"})"), "{\n  \"a{,:\": \"[ \\\" ]\\\\\"\n}");
  EXPECT_EQ(PrettyJson(R"("open)"), R"("open)");
}

}  // namespace
}  // namespace taula::cli
