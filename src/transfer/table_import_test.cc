#include "transfer/table_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "buckets/testing.h"
#include "transfer/fake_table.h"

namespace taula::transfer {
namespace {

using ::testing::HasSubstr;

class TableImportTest : public ::testing::Test {
 protected:
  std::expected<ImportOutcome, std::string> Import(const std::vector<std::string>& names, ImportOptions options = {}) {
    for (const std::string& name : names) options.paths.push_back(folder_.path(name).string());
    options.checkpoint_path = folder_.path("checkpoint").string();
    options.rejects_path = folder_.path("rejects").string();
    options.checkpoint_ms = checkpoint_ms_;
    return ImportTable(table_.Call(), shape_, options);
  }

  static std::string Line(int k, const std::string& v) {
    return R"({"k":)" + std::to_string(k) + R"(,"v":")" + v + "\"}\n";
  }
  static std::string Lines(int from, int until) {
    std::string lines;
    for (int k = from; k < until; ++k) lines += Line(k, "v");
    return lines;
  }

  std::int64_t checkpoint_ms_ = 0;
  buckets::BucketFolder folder_;
  FakeTable table_;
  TableShape shape_{.name = "t", .key = {"k"}, .typed = {{"k", Type::kNumber}}};
};

TEST_F(TableImportTest, BringsAllItemsIn) {
  folder_.Put("a.ndjson", Lines(0, 40));
  folder_.Put("b.csv", "k,v\n100,x\n101,\"7\"\n");
  const auto done = Import({"a.ndjson", "b.csv"});
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->refused, 0U);
  EXPECT_THAT(done->summary, HasSubstr("42 items"));
  EXPECT_EQ(table_.items.size(), 42U);
  EXPECT_EQ(table_.items[FakeTable::KeyOfNumber(101)], FakeTable::ItemOf(101, "7"));
  EXPECT_EQ(folder_.Keys(), (std::vector<std::string>{"a.ndjson", "b.csv"}));
}

TEST_F(TableImportTest, TheLastOfOneKeyStays) {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += Line(i % 3, std::to_string(i));
  folder_.Put("a.ndjson", lines);
  checkpoint_ms_ = 1000;
  ASSERT_TRUE(Import({"a.ndjson"}));
  EXPECT_EQ(table_.items[FakeTable::KeyOfNumber(0)], FakeTable::ItemOf(0, "198"));
  EXPECT_EQ(table_.items[FakeTable::KeyOfNumber(1)], FakeTable::ItemOf(1, "199"));
  EXPECT_EQ(table_.items[FakeTable::KeyOfNumber(2)], FakeTable::ItemOf(2, "197"));
}

TEST_F(TableImportTest, PutsAsideWhatIsRefused) {
  folder_.Put("a.ndjson", Line(1, "good") + "nonsense\n" + "{\"v\":1}\n" + Line(2, "bad") + Line(3, "good"));
  table_.failure = [](std::string_view, const std::string& body) -> std::optional<Error> {
    if (!body.contains("bad")) return std::nullopt;
    return Error{ErrorCode::kValidationException, "Not this one.", std::nullopt, {}};
  };
  const auto done = Import({"a.ndjson"});
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->refused, 3U);
  EXPECT_THAT(done->first_refused, HasSubstr("a.ndjson:2: is not a JSON object"));
  EXPECT_EQ(table_.items.size(), 2U);
  const std::string path = folder_.path("a.ndjson").string();
  EXPECT_EQ(folder_.Get("rejects"),
            R"({"file":")" + path + R"(","line":2,"reason":"is not a JSON object","text":"nonsense"})" + "\n" +
                R"({"file":")" + path + R"(","line":3,"reason":"the key attribute k is missing","item":{"v":1}})" +
                "\n" + R"({"file":")" + path + R"(","line":4,"reason":"Not this one.","item":{"k":2,"v":"bad"}})" +
                "\n");
}

TEST_F(TableImportTest, EndsWhenTooManyAreRefused) {
  folder_.Put("a.ndjson", "x\nx\nx\nx\n" + Line(1, "v"));
  const auto done = Import({"a.ndjson"}, {.rejects_max = 2});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error(), HasSubstr("More than 2 items were refused, the first one at"));
}

TEST_F(TableImportTest, ChecksWithoutWriting) {
  folder_.Put("a.ndjson", Line(1, "v") + "x\n");
  const auto done = Import({"a.ndjson"}, {.dry_run = true});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->refused, 1U);
  EXPECT_EQ(table_.calls(), 0);
  EXPECT_EQ(folder_.Keys(), std::vector<std::string>{"a.ndjson"});
}

TEST_F(TableImportTest, GoesOnWhereItWas) {
  folder_.Put("a.ndjson", "x\n" + Lines(0, 30));
  folder_.Put("b.ndjson", Lines(30, 60) + "y\n");
  for (const int calls : {3, 20, 35, 50}) {
    table_.items.clear();
    const int last = table_.calls() + calls;
    table_.failure = [&, last](std::string_view, const std::string&) -> std::optional<Error> {
      if (table_.calls() <= last) return std::nullopt;
      return Error{ErrorCode::kAccessDeniedException, "No more.", std::nullopt, {}};
    };
    const auto failed = Import({"a.ndjson", "b.ndjson"});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error(), "No more. --resume goes on where the import was.");
    table_.failure = nullptr;
    const int before = table_.calls();
    const auto done = Import({"a.ndjson", "b.ndjson"}, {.resume = true});
    ASSERT_TRUE(done) << done.error();
    EXPECT_EQ(table_.items.size(), 60U) << calls;
    EXPECT_EQ(done->refused, 2U);
    EXPECT_LE(table_.calls() - before, 61 - calls + 2) << "what was written is not written again";
    EXPECT_EQ(std::ranges::count(folder_.Get("rejects"), '\n'), 2);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("checkpoint")));
  }
}

TEST_F(TableImportTest, DoesNotGoOnWithAnother) {
  folder_.Put("a.ndjson", Lines(0, 5));
  folder_.Put("b.ndjson", Lines(0, 5));
  table_.failure = [&](std::string_view, const std::string&) -> std::optional<Error> {
    if (table_.calls() < 3) return std::nullopt;
    return Error{ErrorCode::kAccessDeniedException, "No more.", std::nullopt, {}};
  };
  ASSERT_FALSE(Import({"a.ndjson"}));
  EXPECT_THAT(Import({"b.ndjson"}, {.resume = true}).error(), HasSubstr("is another one: "));
}

TEST_F(TableImportTest, SaysWhatCannotBeRead) {
  EXPECT_THAT(Import({"none.ndjson"}).error(), HasSubstr("none.ndjson: No such file or directory."));
  folder_.Put("a.csv", "k,k\n1,2\n");
  EXPECT_THAT(Import({"a.csv"}).error(), HasSubstr("a.csv:1: the header names k twice."));
  folder_.Put("a.ndjson.gz", "not compressed");
  EXPECT_THAT(Import({"a.ndjson.gz"}).error(), HasSubstr("a.ndjson.gz is not a whole gzip file."));
}

}  // namespace
}  // namespace taula::transfer
