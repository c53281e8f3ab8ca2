#include "transfer/csv_items.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taula::transfer {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kColumns = {"pk", "a"};

std::string Written(const Item& item, const ColumnTypes& typed = {}) {
  codec::PlainJsonReader json(codec::TypeMarks::kWritten);
  std::string out;
  AppendCsvRecord(out, kColumns, typed, item, json);
  EXPECT_TRUE(out.ends_with("\r\n"));
  return out.substr(0, out.size() - 2);
}

std::expected<Item, std::string> ReadBack(std::string_view record, const CsvReading& reading = {}) {
  codec::PlainJsonReader json(codec::TypeMarks::kWritten);
  std::vector<buckets::CsvField> fields;
  EXPECT_EQ(buckets::SplitCsv(record, ',', fields), buckets::CsvRecord::kComplete);
  return ItemOfRecord(kColumns, fields, reading, json);
}

// The cell of a value, if reading it gives the value back.
std::string Cell(const Value& value) {
  const Item item({{"pk", "k"}, {"a", value}});
  const std::string record = Written(item);
  const auto back = ReadBack(record);
  if (!back) return back.error();
  return *back == item ? record.substr(2) : record.substr(2) + " came back as something else";
}

Value ValueOf(std::string_view cell, const CsvReading& reading = {}) {
  const auto item = ReadBack("k," + std::string(cell), reading);
  EXPECT_TRUE(item) << item.error();
  const auto value = item->Find("a");
  return value ? Value(*value) : Value::Bool(false);
}

TEST(CsvItems, ShowsTextsNumbersAndWordsAsTheyAre) {
  EXPECT_EQ(Cell("hello there"), "hello there");
  EXPECT_EQ(Cell(42), "42");
  EXPECT_EQ(Cell(*Value::Number("-0.12345678901234567890123456789012345678")),
            "-0.12345678901234567890123456789012345678");
  EXPECT_EQ(Cell(Value::Bool(true)), "true");
  EXPECT_EQ(Cell(Value::Null()), "null");
}

TEST(CsvItems, QuotesTextsThatCouldBeMore) {
  EXPECT_EQ(Cell("42"), R"("42")");
  EXPECT_EQ(Cell("1e3"), R"("1e3")");
  EXPECT_EQ(Cell("true"), R"("true")");
  EXPECT_EQ(Cell("null"), R"("null")");
  EXPECT_EQ(Cell(""), R"("")");
  EXPECT_EQ(Cell(" x"), R"(" x")");
  EXPECT_EQ(Cell("007"), "007");
  EXPECT_EQ(Cell("+5"), "+5");
  EXPECT_EQ(Cell("1."), "1.");
}

TEST(CsvItems, QuotesWhatTheFormatNeeds) {
  EXPECT_EQ(Cell("a,b"), R"("a,b")");
  EXPECT_EQ(Cell("say \"hi\""), R"("say ""hi""")");
  EXPECT_EQ(Cell("two\nlines"), "\"two\nlines\"");
}

TEST(CsvItems, WritesAllElseAsJson) {
  EXPECT_EQ(Cell(Value::List({1, "b"})), R"("[1,""b""]")");
  EXPECT_EQ(Cell(Value::List({1})), "[1]");
  EXPECT_EQ(Cell(Value::Map({{"n", 1}})), R"("{""n"":1}")");
  EXPECT_EQ(Cell(Value::StringSet({"a"})), R"("{""$set"":[""a""]}")");
  EXPECT_EQ(Cell(*Value::NumberSet(std::vector<std::string>{"1", "2"})), R"("{""$set"":[1,2]}")");
  EXPECT_EQ(Cell(Value::BinarySet({"hi"})), R"("{""$set"":[{""$binary"":""aGk=""}]}")");
  EXPECT_EQ(Cell(Value::Binary("hi")), R"("{""$binary"":""aGk=""}")");
}

TEST(CsvItems, TellsTextsThatAreJsonFromJson) {
  EXPECT_EQ(Cell("[1]"), R"("""[1]""")");
  EXPECT_EQ(Cell("[draft] a title"), "[draft] a title");
  EXPECT_EQ(Cell(R"({"a":1})"), R"("""{\""a\"":1}""")");
  EXPECT_EQ(Cell(R"("quoted")"), R"("""\""quoted\""""")");
}

TEST(CsvItems, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(Written(Item({{"pk", "k"}})), "k,");
  EXPECT_EQ(ReadBack("k,").value(), Item({{"pk", "k"}}));
  EXPECT_EQ(ValueOf("", {.keep_empty = true}), Value(""));
}

TEST(CsvItems, TypesComeFromWhoeverKnowsThem) {
  EXPECT_EQ(ValueOf("007", {.typed = {{"a", Type::kNumber}}}), Value(7));
  EXPECT_EQ(ValueOf("7", {.typed = {{"a", Type::kString}}}), Value("7"));
  EXPECT_EQ(ValueOf("7", {.only_text = true}), Value("7"));
  EXPECT_EQ(ValueOf("1.50"), *Value::Number("1.5"));
  EXPECT_EQ(ValueOf("aGk=", {.typed = {{"a", Type::kBinary}}}), Value::Binary("hi"));
  EXPECT_EQ(ValueOf(R"("[""x"",""y""]")", {.typed = {{"a", Type::kStringSet}}}), Value::StringSet({"x", "y"}));
  EXPECT_EQ(ValueOf(R"("{""$set"":[1]}")", {.typed = {{"a", Type::kNumberSet}}}),
            *Value::NumberSet(std::vector<std::string>{"1"}));
  EXPECT_EQ(ValueOf("[]", {.typed = {{"a", Type::kList}}}), Value::List({}));
}

TEST(CsvItems, KeysOfBinariesAreBase64) {
  const ColumnTypes typed = {{"pk", Type::kBinary}, {"a", Type::kString}};
  const Item item({{"pk", Value::Binary("hi")}, {"a", "[1]"}});
  EXPECT_EQ(Written(item, typed), "aGk=,[1]");
  EXPECT_EQ(ReadBack("aGk=,[1]", {.typed = typed}).value(), item);
}

TEST(CsvItems, SaysWhatIsWrong) {
  EXPECT_EQ(ReadBack("k,ten", {.typed = {{"a", Type::kNumber}}}).error(),
            "column a is not a number with at most 38 digits: 'ten'");
  EXPECT_EQ(ReadBack("k,[1]", {.typed = {{"a", Type::kStringSet}}}).error(), "column a is not JSON of type SS: '[1]'");
  EXPECT_EQ(ReadBack("k").error(), "the record has 1 fields, the header 2");
  EXPECT_EQ(ReadBack("k,\xff").error(), "column a is not UTF-8");
}

TEST(CsvItems, ReadsListsOfTypes) {
  const auto types = ParseColumnTypes("age:N,a:b:SS");
  ASSERT_TRUE(types);
  ASSERT_EQ(types->size(), 2U);
  EXPECT_EQ((*types)[0].name, "age");
  EXPECT_EQ((*types)[1].name, "a:b");
  EXPECT_EQ((*types)[1].type, Type::kStringSet);
  EXPECT_THAT(ParseColumnTypes("age").error(), HasSubstr("'age' is not NAME:TYPE"));
  EXPECT_THAT(ParseColumnTypes("age:X").error(), HasSubstr("'age:X' is not NAME:TYPE"));
}

}  // namespace
}  // namespace taula::transfer
