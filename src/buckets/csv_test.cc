#include "buckets/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::buckets {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Fields(std::string_view record, char delimiter = ',') {
  std::vector<std::string> fields;
  EXPECT_EQ(SplitCsv(record, delimiter, fields), CsvRecord::kComplete) << record;
  return fields;
}

CsvRecord StateOf(std::string_view record) {
  std::vector<std::string> fields;
  return SplitCsv(record, ',', fields);
}

TEST(Csv, SplitsAtTheDelimiter) {
  EXPECT_THAT(Fields("a,b,c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Fields("a;b,c", ';'), ElementsAre("a", "b,c"));
  EXPECT_THAT(Fields("a\tb", '\t'), ElementsAre("a", "b"));
}

TEST(Csv, KeepsEmptyFields) {
  EXPECT_THAT(Fields(",a,,"), ElementsAre("", "a", "", ""));
  EXPECT_THAT(Fields(""), ElementsAre(""));
}

TEST(Csv, QuotesProtectDelimitersLineEndsAndDoubledQuotes) {
  EXPECT_THAT(Fields(R"("a,b","c")"), ElementsAre("a,b", "c"));
  EXPECT_THAT(Fields("\"a\nb\",c"), ElementsAre("a\nb", "c"));
  EXPECT_THAT(Fields(R"("""123""",x)"), ElementsAre("\"123\"", "x"));
  EXPECT_THAT(Fields(R"("",x)"), ElementsAre("", "x"));
}

TEST(Csv, SaysWhenARecordIsNotAtItsEnd) {
  EXPECT_EQ(StateOf("a,\"b"), CsvRecord::kOpen);
  EXPECT_EQ(StateOf("a,\"b\"\""), CsvRecord::kOpen);
}

TEST(Csv, RefusesQuotesThatAreNotEscaped) {
  EXPECT_EQ(StateOf(R"(a"b,c)"), CsvRecord::kWrong);
  EXPECT_EQ(StateOf(R"("a"b,c)"), CsvRecord::kWrong);
}

}  // namespace
}  // namespace taula::buckets
