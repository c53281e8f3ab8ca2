#include "buckets/export_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "buckets/testing.h"

namespace taula::buckets {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

constexpr const char* kId = "01768385930622-efd1a093";

ManifestSummary Summary() {
  ManifestSummary summary;
  summary.export_arn = "arn:export";
  summary.start_ms = 1768385930622;
  summary.end_ms = 1768386298984;
  summary.table_arn = "arn:table";
  summary.table_id = "cf263806-6bf1-4e51-a242-7067dcdecc72";
  summary.export_time_ms = 1768385930622;
  summary.from_ms = 1768386000000;
  summary.to_ms = 1768386900000;
  summary.view = "NEW_AND_OLD_IMAGES";
  summary.encryption = "AES256";
  return summary;
}

TEST(ExportFiles, LieWhereAmazonPutsThem) {
  const BucketFolder folder;
  ExportFiles files(folder.Open(), "", kId, false);
  ASSERT_TRUE(files.Begin());
  ASSERT_TRUE(files.Add(R"({"Item":{}})"));
  ASSERT_TRUE(files.Add(R"({"Item":{}})"));
  ASSERT_TRUE(files.Finish(Summary()));
  EXPECT_THAT(folder.Keys(),
              ElementsAre("AWSDynamoDB/01768385930622-efd1a093/_started",
                          MatchesRegex("AWSDynamoDB/01768385930622-efd1a093/data/[a-z2-7]{26}\\.json\\.gz"),
                          "AWSDynamoDB/01768385930622-efd1a093/manifest-files.json",
                          "AWSDynamoDB/01768385930622-efd1a093/manifest-files.md5",
                          "AWSDynamoDB/01768385930622-efd1a093/manifest-summary.json",
                          "AWSDynamoDB/01768385930622-efd1a093/manifest-summary.md5"));
  EXPECT_EQ(Gunzip(folder.Get(folder.Keys()[1])), "{\"Item\":{}}\n{\"Item\":{}}\n");
}

TEST(ExportFiles, HaveManifestsAsAmazonWritesThem) {
  const BucketFolder folder;
  ExportFiles files(folder.Open(), "", kId, false);
  ASSERT_TRUE(files.Begin());
  ASSERT_TRUE(files.Finish(Summary()));
  const std::string base = "AWSDynamoDB/01768385930622-efd1a093/";
  EXPECT_EQ(folder.Get(base + "manifest-summary.json"),
            R"({"version":"2020-06-30","exportArn":"arn:export","startTime":"2026-01-14T10:18:50.622Z",)"
            R"("endTime":"2026-01-14T10:24:58.984Z","tableArn":"arn:table",)"
            R"("tableId":"cf263806-6bf1-4e51-a242-7067dcdecc72","exportTime":"2026-01-14T10:18:50.622Z",)"
            R"("s3Bucket":"bucket","s3Prefix":null,"s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,)"
            R"("manifestFilesS3Key":"AWSDynamoDB/01768385930622-efd1a093/manifest-files.json",)"
            R"("billedSizeBytes":0,"itemCount":0,"outputFormat":"DYNAMODB_JSON",)"
            R"("exportType":"FULL_EXPORT"})");
  const std::string list = folder.Get(base + "manifest-files.json");
  EXPECT_THAT(list,
              MatchesRegex("\\{\"itemCount\":0,\"md5Checksum\":\"[A-Za-z0-9+/]{22}==\",\"etag\":\"[0-9a-f]{32}-1\","
                           "\"dataFileS3Key\":\"AWSDynamoDB/01768385930622-efd1a093/data/[a-z2-7]{26}"
                           "\\.json\\.gz\"\\}\n"));
  EXPECT_EQ(folder.Get(base + "manifest-files.md5").size(), 24U);
}

TEST(ExportFiles, OfIncrementalExportsShareAFolderOfData) {
  const BucketFolder folder;
  ExportFiles files(folder.Open(), "foo/", kId, true);
  ASSERT_TRUE(files.Begin());
  ASSERT_TRUE(files.Add("{}"));
  ManifestSummary summary = Summary();
  summary.prefix = "foo/";
  ASSERT_TRUE(files.Finish(summary));
  EXPECT_THAT(folder.Keys("foo/AWSDynamoDB/data/"), SizeIs(1));
  EXPECT_EQ(ExportFiles::SummaryKey("foo/", kId), "foo/AWSDynamoDB/01768385930622-efd1a093/manifest-summary.json");
  EXPECT_THAT(
      folder.Get(ExportFiles::SummaryKey("foo/", kId)),
      ContainsRegex("\"version\":\"2023-08-01\".*\"exportFromTime\":\"2026-01-14T10:20:00.000Z\","
                    "\"exportToTime\":\"2026-01-14T10:35:00.000Z\",\"s3Bucket\":\"bucket\",\"s3Prefix\":\"foo/\".*"
                    "\"outputView\":\"NEW_AND_OLD_IMAGES\",\"exportType\":\"INCREMENTAL_EXPORT\""));
}

TEST(ExportFiles, AreSeveralWhenThereIsMuch) {
  const BucketFolder folder;
  ExportFiles files(folder.Open(), "", kId, false);
  ASSERT_TRUE(files.Begin());
  std::mt19937_64 random(1);
  std::string line(1 << 20, ' ');
  for (int i = 0; i < 40; ++i) {
    for (std::size_t at = 0; at < line.size(); at += 8) {
      const std::uint64_t bits = random();
      std::memcpy(line.data() + at, &bits, 8);
    }
    ASSERT_TRUE(files.Add(line));
  }
  ASSERT_TRUE(files.Finish(Summary()));
  EXPECT_THAT(folder.Keys("AWSDynamoDB/01768385930622-efd1a093/data/"), SizeIs(3));
}

TEST(ExportFiles, OfARunThatWasCutShortAreWrittenOver) {
  const BucketFolder folder;
  {
    ExportFiles cut_short(folder.Open(), "", kId, true);
    ASSERT_TRUE(cut_short.Begin());
    ASSERT_TRUE(cut_short.Add("{}"));
  }
  const auto left = folder.Keys("AWSDynamoDB/data/");
  ASSERT_THAT(left, SizeIs(1));
  ExportFiles files(folder.Open(), "", kId, true);
  ASSERT_TRUE(files.Begin());
  ASSERT_TRUE(files.Finish(Summary()));
  EXPECT_EQ(folder.Keys("AWSDynamoDB/data/"), left);
  EXPECT_EQ(Gunzip(folder.Get(left[0])), "");
}

TEST(ExportFiles, LeaveNoDataBehindWhenTheyAreGivenUp) {
  const BucketFolder folder;
  ExportFiles files(folder.Open(), "", kId, true);
  ASSERT_TRUE(files.Begin());
  ASSERT_TRUE(files.Add("{}"));
  files.Discard();
  EXPECT_THAT(folder.Keys(), ElementsAre("AWSDynamoDB/01768385930622-efd1a093/_started"));
}

}  // namespace
}  // namespace taula::buckets
