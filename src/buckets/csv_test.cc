#include "buckets/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::buckets {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Fields(std::string_view record, char delimiter = ',') {
  std::vector<CsvField> fields;
  EXPECT_EQ(SplitCsv(record, delimiter, fields), CsvRecord::kComplete) << record;
  std::vector<std::string> texts;
  for (const CsvField& field : fields) texts.push_back(field.text);
  return texts;
}

CsvRecord StateOf(std::string_view record) {
  std::vector<CsvField> fields;
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

TEST(Csv, TellsWhatStoodInQuotes) {
  std::vector<CsvField> fields;
  ASSERT_EQ(SplitCsv(R"(7,"7",,"")", ',', fields), CsvRecord::kComplete);
  EXPECT_THAT(fields, ElementsAre(CsvField{"7", false}, CsvField{"7", true}, CsvField{"", false}, CsvField{"", true}));
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
