#include "transfer/output_file.h"

#include <gtest/gtest.h>

#include "buckets/line_reader.h"
#include "buckets/testing.h"

namespace taula::transfer {
namespace {

using buckets::Compression;

class OutputFileTest : public ::testing::TestWithParam<Compression> {
 protected:
  [[nodiscard]] OutputFile Open(std::uint64_t length = 0) const {
    auto file = OutputFile::Open(path_, GetParam(), length);
    EXPECT_TRUE(file) << file.error().message;
    return *std::move(file);
  }
  [[nodiscard]] std::vector<std::string> Lines() const {
    buckets::LineReader reader(buckets::OpenSource(*folder_.Open().Read("file"), "file", GetParam()));
    std::vector<std::string> lines;
    while (true) {
      const auto line = reader.Next();
      EXPECT_TRUE(line) << line.error().message;
      if (!line || !*line) return lines;
      lines.emplace_back(**line);
    }
  }

  buckets::BucketFolder folder_;
  std::string path_ = folder_.path("file").string();
};

TEST_P(OutputFileTest, HasWhatWasWritten) {
  OutputFile file = Open();
  for (int i = 0; i < 50'000; ++i) ASSERT_TRUE(file.Write("line " + std::to_string(i) + "\n"));
  ASSERT_TRUE(file.Settle());
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 50'000U);
  EXPECT_EQ(lines.back(), "line 49999");
}

TEST_P(OutputFileTest, CanBeCutWhereItWasSettled) {
  std::uint64_t length = 0;
  {
    OutputFile file = Open();
    ASSERT_TRUE(file.Write("one\n"));
    length = file.Settle().value();
    ASSERT_TRUE(file.Write("lost\n"));
    ASSERT_TRUE(file.Finish());
    EXPECT_GT(file.length(), length);
  }
  OutputFile file = Open(length);
  ASSERT_TRUE(file.Write("two\n"));
  EXPECT_TRUE(file.Settle());
  EXPECT_EQ(Lines(), (std::vector<std::string>{"one", "two"}));
}

TEST_P(OutputFileTest, SettlingTwiceChangesNothing) {
  OutputFile file = Open();
  ASSERT_TRUE(file.Write("one\n"));
  const auto length = file.Settle();
  EXPECT_EQ(file.Settle().value(), length.value());
}

INSTANTIATE_TEST_SUITE_P(Compressions, OutputFileTest,
                         ::testing::Values(Compression::kNone, Compression::kGzip, Compression::kZstd));

TEST(OutputFile, SaysWhatIsWrong) {
  EXPECT_EQ(OutputFile::Open("/no/such/folder/file", Compression::kNone).error().message,
            "/no/such/folder/file: No such file or directory");
}

}  // namespace
}  // namespace taula::transfer
