#include "buckets/item_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "buckets/testing.h"

namespace taula::buckets {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Contents {
  std::vector<Item> items;
  std::vector<std::string> faults;
  bool rest_lost = false;
  std::uint64_t bytes = 0;
};

class ItemReaderTest : public ::testing::Test {
 protected:
  Contents ReadAll(const std::string& content, Compression compression = Compression::kNone) {
    folder_.Put("file", content);
    auto file = folder_.Open().Read("file");
    EXPECT_TRUE(file);
    ItemReader reader(OpenSource(*std::move(file), "file", compression), format_);
    Contents contents;
    while (true) {
      auto next = reader.Read();
      if (!next) {
        ADD_FAILURE() << next.error().message;
        return contents;
      }
      if (auto* item = std::get_if<Item>(&*next)) {
        contents.items.push_back(std::move(*item));
      } else if (auto* bad = std::get_if<BadItem>(&*next)) {
        contents.faults.push_back(bad->message);
        contents.rest_lost = contents.rest_lost || bad->rest_is_lost;
      } else {
        break;
      }
    }
    contents.bytes = reader.bytes_read();
    return contents;
  }

  Contents ReadCsv(const std::string& content) {
    format_.csv = true;
    return ReadAll(content);
  }

  BucketFolder folder_;
  ItemFormat format_;
};

const std::string kLines = R"({"Item":{"pk":{"S":"a"},"n":{"N":"1"}}})"
                           "\n"
                           R"({"Item":{"pk":{"S":"b"}}})"
                           "\n";

TEST_F(ItemReaderTest, ReadsAnItemALine) {
  const Contents contents = ReadAll(kLines);
  EXPECT_THAT(contents.items, ElementsAre(Item{{"pk", "a"}, {"n", 1}}, Item{{"pk", "b"}}));
  EXPECT_THAT(contents.faults, SizeIs(0));
  EXPECT_EQ(contents.bytes, kLines.size());
}

TEST_F(ItemReaderTest, TakesLinesThatEndOtherwise) {
  EXPECT_THAT(ReadAll("\xef\xbb\xbf{\"Item\":{}}\r\n\r\n  \n{\"Item\":{}}").items, SizeIs(2));
  EXPECT_THAT(ReadAll("").items, SizeIs(0));
}

TEST_F(ItemReaderTest, ReadsGzipOfSeveralMembersAndZstdOfSeveralFrames) {
  EXPECT_THAT(ReadAll(Gzip(kLines) + Gzip("") + Gzip(kLines), Compression::kGzip).items, SizeIs(4));
  EXPECT_THAT(ReadAll(Zstd(kLines) + Zstd(kLines), Compression::kZstd).items, SizeIs(4));
  EXPECT_EQ(ReadAll(Gzip(kLines), Compression::kGzip).bytes, kLines.size());
  EXPECT_THAT(ReadAll("", Compression::kGzip).faults, SizeIs(0));
  EXPECT_THAT(ReadAll("", Compression::kZstd).faults, SizeIs(0));
}

TEST_F(ItemReaderTest, ReadsMuchThroughSmallBuffers) {
  std::string lines;
  const std::string text(3000, 'x');
  for (int i = 0; i < 2000; ++i) {
    lines += R"({"Item":{"pk":{"S":")" + std::to_string(i) + R"("},"text":{"S":")" + text + "\"}}}\n";
  }
  EXPECT_THAT(ReadAll(lines).items, SizeIs(2000));
  EXPECT_THAT(ReadAll(Gzip(lines), Compression::kGzip).items, SizeIs(2000));
  const Contents zstd = ReadAll(Zstd(lines), Compression::kZstd);
  EXPECT_THAT(zstd.items, SizeIs(2000));
  EXPECT_EQ(zstd.bytes, lines.size());
}

TEST_F(ItemReaderTest, AFileThatIsNotCompressedAsWasSaidIsOneError) {
  for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
    const Contents plain = ReadAll(kLines, compression);
    EXPECT_THAT(plain.items, SizeIs(0));
    EXPECT_THAT(plain.faults, SizeIs(1));
  }
  const Contents cut = ReadAll(Gzip(kLines).substr(0, 30), Compression::kGzip);
  EXPECT_THAT(cut.faults, SizeIs(1));
  EXPECT_TRUE(cut.rest_lost);
}

TEST_F(ItemReaderTest, ALineThatIsNoItemEndsTheFile) {
  const Contents garbage = ReadAll(kLines + "garbage\n" + kLines);
  EXPECT_THAT(garbage.items, SizeIs(2));
  EXPECT_THAT(garbage.faults, ElementsAre("The line is not a JSON object"));
  EXPECT_TRUE(garbage.rest_lost);
  EXPECT_THAT(ReadAll(R"({"pk":{"S":"a"}})").faults, ElementsAre("The line has no member Item"));
}

TEST_F(ItemReaderTest, AValueThatDynamoDbDoesNotTakeCostsItsItemOnly) {
  const Contents contents = ReadAll("{\"Item\":{\"pk\":{\"N\":\"x\"}}}\n{\"Item\":{\"pk\":{\"SS\":[]}}}\n" + kLines);
  EXPECT_THAT(contents.faults, SizeIs(2));
  EXPECT_THAT(contents.items, SizeIs(2));
  EXPECT_FALSE(contents.rest_lost);
}

TEST_F(ItemReaderTest, CsvHasStringsButForKeys) {
  format_.typed = {{"id", Type::kNumber}, {"bin", Type::kBinary}, {"name", Type::kString}};
  const Contents contents = ReadCsv("id,name,age,bin\n7,Ann,30,aGk=\n8,,,aGk=\n");
  EXPECT_THAT(contents.faults, SizeIs(0));
  EXPECT_THAT(contents.items, ElementsAre(Item{{"id", 7}, {"name", "Ann"}, {"age", "30"}, {"bin", Value::Binary("hi")}},
                                          Item{{"id", 8}, {"name", ""}, {"age", ""}, {"bin", Value::Binary("hi")}}));
}

TEST_F(ItemReaderTest, CsvWithGivenNamesHasNoHeader) {
  format_.delimiter = ';';
  format_.header = {"pk", "val"};
  EXPECT_THAT(ReadCsv("a;1\nb;2\n").items,
              ElementsAre(Item{{"pk", "a"}, {"val", "1"}}, Item{{"pk", "b"}, {"val", "2"}}));
}

TEST_F(ItemReaderTest, CsvFieldsMaySpanLines) {
  EXPECT_THAT(ReadCsv("pk,v\na,\"one\ntwo\"\nb,\"\"\"123\"\"\"\n").items,
              ElementsAre(Item{{"pk", "a"}, {"v", "one\ntwo"}}, Item{{"pk", "b"}, {"v", "\"123\""}}));
  EXPECT_THAT(ReadCsv("pk,v\na,\"one\ntwo").faults, ElementsAre("A field in quotes has no end"));
}

// Looking through the record anew with each of its lines would take hours.
TEST_F(ItemReaderTest, AFieldInQuotesThatNeverEndsIsSoonGivenUp) {
  std::string csv = "pk,v\na,\"";
  for (int i = 0; i < 1'500'000; ++i) csv += "\"\"\n\n,\n";
  const Contents contents = ReadCsv(csv);
  EXPECT_THAT(contents.faults, ElementsAre("A field in quotes has no end"));
  EXPECT_TRUE(contents.rest_lost);
}

TEST_F(ItemReaderTest, CsvRecordsThatDoNotFitAreErrors) {
  format_.typed = {{"id", Type::kNumber}};
  const Contents contents = ReadCsv("id,v\n1\n1,2,3\nx,1\n5,a\"b\n6,ok\n");
  EXPECT_THAT(contents.items, ElementsAre(Item{{"id", 6}, {"v", "ok"}}));
  EXPECT_THAT(contents.faults,
              ElementsAre("The record has 1 fields, the header 2", "The record has 3 fields, the header 2",
                          "The value of column id is not a number", "A double quote inside of a field is not escaped"));
  EXPECT_THAT(ReadCsv("a,a\n1,2\n").faults, ElementsAre("The header names a column twice"));
  EXPECT_THAT(ReadCsv("a,\n1,2\n").faults, ElementsAre("The header has a column without a name"));
  EXPECT_THAT(ReadCsv("a,\xff\n1,2\n").faults, ElementsAre("The name of a column is not UTF-8"));
}

}  // namespace
}  // namespace taula::buckets
