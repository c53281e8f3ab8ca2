#include "transfer/table_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "buckets/line_reader.h"
#include "buckets/testing.h"
#include "transfer/fake_table.h"
#include "transfer/saved_text.h"

namespace taula::transfer {
namespace {

using ::testing::HasSubstr;

constexpr int kItems = 60;

class TableExportTest : public ::testing::TestWithParam<std::string> {
 protected:
  TableExportTest() {
    for (int k = 0; k < kItems; ++k)
      table_.items[FakeTable::KeyOfNumber(k)] = FakeTable::ItemOf(k, "v" + std::to_string(k));
  }

  std::expected<std::string, std::string> Export(ExportOptions options) {
    const FileKind kind = KindOf(path_);
    options.path = path_;
    options.format = kind.format.value_or(Format::kDynamoDbJson);
    options.compression = kind.compression;
    options.segments = 4;
    options.checkpoint_ms = 0;
    return ExportTable(table_.Call(), shape_, options);
  }

  // Sorted.
  [[nodiscard]] std::vector<std::string> Lines() const {
    buckets::LineReader reader(buckets::OpenSource(*folder_.Open().Read(GetParam()), path_, KindOf(path_).compression));
    std::vector<std::string> lines;
    while (true) {
      const auto line = reader.Next();
      EXPECT_TRUE(line) << line.error().message;
      if (!line || !*line) break;
      lines.emplace_back(**line);
    }
    std::ranges::sort(lines);
    return lines;
  }

  // After so many calls the server refuses all.
  void FailAfter(int calls) {
    const int last = table_.calls() + calls;
    table_.failure = [this, last](std::string_view, const std::string&) -> std::optional<Error> {
      if (table_.calls() <= last) return std::nullopt;
      return Error{ErrorCode::kValidationException, "No more.", std::nullopt, {}};
    };
  }

  buckets::BucketFolder folder_;
  std::string path_ = folder_.path(GetParam()).string();
  FakeTable table_;
  TableShape shape_{.name = "t", .key = {"k"}, .typed = {{"k", Type::kNumber}}};
};

TEST_P(TableExportTest, LeavesTheFileAndNothingElse) {
  const auto done = Export({});
  ASSERT_TRUE(done) << done.error();
  EXPECT_THAT(*done, HasSubstr("60 items"));
  EXPECT_EQ(folder_.Keys(), std::vector<std::string>{GetParam()});
  const bool has_header = GetParam().contains("csv");
  EXPECT_EQ(Lines().size(), kItems + (has_header ? 1U : 0U));
}

TEST_P(TableExportTest, GoesOnAfterAnyFailureWithNothingMissingOrDoubled) {
  ASSERT_TRUE(Export({}));
  const auto whole = Lines();
  for (int calls = 1; calls < 20; calls += 3) {
    FailAfter(calls);
    const auto failed = Export({});
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error(), HasSubstr("--resume goes on behind them"));
    table_.failure = nullptr;
    EXPECT_THAT(Export({}).error(), HasSubstr("was interrupted. --resume goes on with it, --restart begins anew"));
    const auto done = Export({.resume = true});
    ASSERT_TRUE(done) << done.error();
    EXPECT_EQ(Lines(), whole) << calls;
  }
}

// As after a kill: the file is longer than what is known of it.
TEST_P(TableExportTest, GoesOnFromAnOlderState) {
  ASSERT_TRUE(Export({}));
  const auto whole = Lines();
  std::string state;
  const int begin = table_.calls();
  table_.failure = [&](std::string_view, const std::string&) -> std::optional<Error> {
    const int call = table_.calls() - begin;
    if (call == 8) state = LoadText(path_ + ".taula-resume").value().value_or("");
    if (call < 14) return std::nullopt;
    return Error{ErrorCode::kValidationException, "No more.", std::nullopt, {}};
  };
  ASSERT_FALSE(Export({}));
  ASSERT_NE(state, "");
  ASSERT_TRUE(SaveText(path_ + ".taula-resume", state));
  table_.failure = nullptr;
  const auto done = Export({.resume = true});
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(Lines(), whole);
}

TEST_P(TableExportTest, DoesNotGoOnWithAnother) {
  FailAfter(6);
  ASSERT_FALSE(Export({}));
  table_.failure = nullptr;
  EXPECT_THAT(Export({.columns = {"k"}, .resume = true}).error(), HasSubstr("is another one: table t of "));
  ASSERT_TRUE(Export({.restart = true}));
  EXPECT_EQ(folder_.Keys().front(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kinds, TableExportTest,
                         ::testing::Values("t.ndjson", "t.ndjson.gz", "t.ndjson.zst", "t.json", "t.csv", "t.csv.gz"),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace taula::transfer
