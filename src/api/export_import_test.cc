// The words of exports and imports: requests, answers and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/page_token.h"
#include "api/table_operations_testing.h"
#include "buckets/testing.h"

namespace taula::api {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct BucketsAndClock {
  buckets::BucketFolder buckets_;
  base::ManualClock clock_{1'790'000'000'500};
};

class Transfers : public BucketsAndClock, public TableOperations {
 protected:
  Transfers() : TableOperations(OptionsWith(buckets_.root(), clock_)) {
    Answer("CreateTable", Create(kPk + "," + kOnDemand));
    Answer("UpdateContinuousBackups",
           R"({"TableName":"Orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  }

  static engine::EngineOptions OptionsWith(const std::string& buckets, const base::Clock& clock) {
    engine::EngineOptions options;
    options.buckets = buckets;
    options.clock = &clock;
    options.expiry_interval = {};
    return options;
  }

  static std::string Export(const std::string& more = "", const std::string& table = "Orders") {
    return R"({"TableArn":")" + std::string(kArn) + table + R"(","S3Bucket":"bucket")" + more + "}";
  }
  static std::string Import(const std::string& more = "", const std::string& table = "Copy") {
    return R"({"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"data/"},"InputFormat":"DYNAMODB_JSON",)"
           R"("TableCreationParameters":{"TableName":")" +
           table + R"(",)" + kPk + "," + kOnDemand + "}" + more + "}";
  }
  void ExpectBadExport(const std::string& more, const std::string& message) {
    ExpectInvalid("ExportTableToPointInTime", Export(more), message);
  }
  static std::string ArnOf(const std::string& answer, const std::string& member) {
    const std::size_t begin = answer.find("\"" + member + "\":\"") + member.size() + 4;
    return answer.substr(begin, answer.find('"', begin) - begin);
  }
  std::string Describe(const std::string& arn) { return Answer("DescribeExport", R"({"ExportArn":")" + arn + "\"}"); }
};

TEST_F(Transfers, AnExportIsDescribedAsAmazonDoes) {
  const std::string begun = Answer("ExportTableToPointInTime", Export(R"(,"ClientToken":"t")"));
  EXPECT_THAT(begun,
              ContainsRegex(R"(^\{"ExportDescription":\{"ExportArn":"arn:aws:dynamodb:us-east-1:123456789012:)"
                            R"(table/Orders/export/01790000000500-[0-9a-f]{8}","ExportStatus":"IN_PROGRESS",)"
                            R"("StartTime":1.7900000005E9,"TableArn":"[^"]*","TableId":"[^"]*",)"
                            R"("ExportTime":1.7900000005E9,"ClientToken":"t","DestinationType":"S3",)"
                            R"("S3Bucket":"bucket","S3SseAlgorithm":"AES256","ExportFormat":"DYNAMODB_JSON"\}\}$)"));
  engine_->exports().WaitUntilIdle();
  const std::string arn = ArnOf(begun, "ExportArn");
  EXPECT_THAT(Describe(arn), ContainsRegex(R"("ExportStatus":"COMPLETED".*"EndTime":1.7900000005E9.*)"
                                           R"("ExportManifest":"AWSDynamoDB/[0-9a-f-]+/manifest-summary.json",)"
                                           R"("ItemCount":0,"BilledSizeBytes":0\}\}$)"));
}

TEST_F(Transfers, AnIncrementalExportShowsItsPeriod) {
  clock_.Advance(20 * 60'000);
  const std::string begun = Answer(
      "ExportTableToPointInTime",
      Export(R"(,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{"ExportFromTime":1790000001})"));
  EXPECT_THAT(begun, HasSubstr(R"("StartTime":1.7900012E9)"));
  EXPECT_THAT(begun, HasSubstr(R"("ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":)"
                               R"({"ExportFromTime":1.790000001E9,"ExportToTime":1.7900012E9,)"
                               R"("ExportViewType":"NEW_AND_OLD_IMAGES"})"));
  EXPECT_THAT(begun, Not(HasSubstr("ExportTime\":")));
}

TEST_F(Transfers, MembersOfAnExportAreChecked) {
  ExpectInvalid("ExportTableToPointInTime", "{}",
                "2 validation errors detected: Value null at 'tableArn' failed to satisfy constraint: Member must not "
                "be null; Value null at 's3Bucket' failed to satisfy constraint: Member must not be null");
  ExpectInvalid("ExportTableToPointInTime", R"({"TableArn":")" + std::string(kArn) + R"(Orders","S3Bucket":"a:b/c"})",
                R"(1 validation error detected: Value 'a:b/c' at 's3Bucket' failed to satisfy constraint: Member must )"
                R"(satisfy regular expression pattern: ^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)");
  ExpectBadExport(
      R"(,"S3BucketOwner":"me")",
      "1 validation error detected: Value 'me' at 's3BucketOwner' failed to satisfy constraint: Member must "
      "satisfy regular expression pattern: [0-9]{12}");
  ExpectBadExport(
      R"(,"ExportFormat":"CSV")",
      "1 validation error detected: Value 'CSV' at 'exportFormat' failed to satisfy constraint: Member must "
      "satisfy enum value set: [DYNAMODB_JSON, ION]");
  ExpectBadExport(R"(,"ExportType":"PARTIAL_EXPORT")",
                  "1 validation error detected: Value 'PARTIAL_EXPORT' at 'exportType' failed to satisfy constraint: "
                  "Member must satisfy enum value set: [FULL_EXPORT, INCREMENTAL_EXPORT]");
  ExpectBadExport(R"(,"ExportFormat":"ION")",
                  "Invalid Request: ExportFormat ION is not supported by Taula; use DYNAMODB_JSON");
  ExpectBadExport(R"(,"FilterSpecification":{})",
                  "Invalid Request: Invalid FilterSpecification: The specification can not be empty");
  ExpectBadExport(R"x(,"FilterSpecification":{"FilterExpression":"attribute_exists(pk)"})x",
                  "Invalid Request: FilterSpecification is not supported by Taula, which exports whole tables");
  ExpectBadExport(R"(,"S3SseKmsKeyId":"alias/aws/s3")",
                  "Invalid Request: KMS Key Id is not supported for this encryption type");
}

TEST_F(Transfers, TheTypeOfAnExportGoesWithItsSpecification) {
  const std::string spec = R"(,"IncrementalExportSpecification":{"ExportFromTime":1})";
  ExpectBadExport(spec,
                  "Invalid Request: Export Type expected to be Incremental Export when incremental export "
                  "specification is provided");
  ExpectBadExport(spec + R"(,"ExportType":"FULL_EXPORT")",
                  "Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be "
                  "provided");
  ExpectBadExport(R"(,"ExportType":"INCREMENTAL_EXPORT")",
                  "Invalid Request: Incremental Export Specification expected when export type is set as Incremental "
                  "Export");
  ExpectBadExport(R"(,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{})",
                  "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification");
  ExpectBadExport(
      R"(,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":{"ExportViewType":"NEW_IMAGES"})",
      "1 validation error detected: Value 'NEW_IMAGES' at 'incrementalExportSpecification.exportViewType' failed to "
      "satisfy constraint: Member must satisfy enum value set: [NEW_IMAGE, NEW_AND_OLD_IMAGES]");
}

TEST_F(Transfers, TheTableOfAnExportIsNamedByItsArn) {
  const auto with = [](const std::string& arn) { return R"({"TableArn":")" + arn + R"(","S3Bucket":"bucket"})"; };
  ExpectInvalid("ExportTableToPointInTime", with("Orders"),
                "One or more parameter values were invalid: tableArn is not a valid ARN");
  ExpectInvalid("ExportTableToPointInTime", with(std::string(kArn) + "Orders/index/x"),
                "Invalid Request: Table ARN is invalid.");
  ExpectError("ExportTableToPointInTime", with("arn:aws:dynamodb:us-east-1:999999999999:table/Orders"),
              ErrorCode::kAccessDeniedException, "Access is denied");
  for (const std::string arn :
       {"arn:aws:dynamodb:eu-west-1:123456789012:table/Orders", "arn:aws:dynamodb:us-east-1:123456789012:table/None"}) {
    ExpectError("ExportTableToPointInTime", with(arn), ErrorCode::kTableNotFoundException, "Table not found: " + arn);
  }
}

TEST_F(Transfers, ExportsAreListedNewestFirstAndInPages) {
  std::vector<std::string> arns;
  for (int i = 0; i < 12; ++i) {
    clock_.Advance(1);
    arns.push_back(ArnOf(Answer("ExportTableToPointInTime", Export()), "ExportArn"));
  }
  std::string page = Answer("ListExports", "{}");
  EXPECT_THAT(page, HasSubstr(R"({"ExportSummaries":[{"ExportArn":")" + arns[11] + "\""));
  EXPECT_THAT(page, HasSubstr(arns[2]));
  EXPECT_THAT(page, Not(HasSubstr(arns[1])));
  page = Answer("ListExports", R"({"NextToken":")" + ArnOf(page, "NextToken") + "\"}");
  EXPECT_THAT(page, HasSubstr(arns[1]));
  EXPECT_THAT(page, Not(HasSubstr("NextToken")));
  page = Answer("ListExports", R"({"MaxResults":1,"TableArn":")" + std::string(kArn) + R"(Orders"})");
  EXPECT_THAT(page, Not(HasSubstr(arns[10])));
  const std::string token = ArnOf(page, "NextToken");
  ExpectInvalid("ListImports", R"({"NextToken":")" + token + "\"}",
                "Invalid Request: Provided nextToken is invalid: " + token);
  EXPECT_EQ(Answer("ListExports", R"({"TableArn":")" + std::string(kArn) + R"(Other"})"), R"({"ExportSummaries":[]})");
  engine_->exports().WaitUntilIdle();
  Answer("DeleteTable", R"({"TableName":"Orders"})");
  EXPECT_EQ(Answer("ListExports", R"({"TableArn":")" + std::string(kArn) + R"(Orders"})"), R"({"ExportSummaries":[]})");
  EXPECT_THAT(Answer("ListExports", "{}"), HasSubstr(arns[11]));
}

TEST_F(Transfers, ListsHaveBounds) {
  ExpectInvalid("ListExports", R"({"MaxResults":0})",
                "1 validation error detected: Value '0' at 'maxResults' failed to satisfy constraint: Member must have "
                "value greater than or equal to 1");
  ExpectInvalid("ListImports", R"({"PageSize":26})",
                "1 validation error detected: Value '26' at 'pageSize' failed to satisfy constraint: Member must have "
                "value less than or equal to 25");
  ExpectInvalid("ListExports", R"({"NextToken":"x"})", "Invalid Request: Provided nextToken is invalid: x");
  ExpectInvalid("ListImports", R"({"NextToken":"xyz"})",
                "2 validation errors detected: Value 'xyz' at 'nextToken' failed to satisfy constraint: Member must "
                "satisfy regular expression pattern: ([0-9a-f]{16})+; Value 'xyz' at 'nextToken' failed to satisfy "
                "constraint: Member must have length greater than or equal to 112");
}

TEST_F(Transfers, AnImportIsDescribedAsAmazonDoes) {
  buckets_.Put("data/1.json", "{\"Item\":{\"pk\":{\"S\":\"a\"}}}\n");
  const std::string begun = Answer("ImportTable", Import(R"(,"ClientToken":"t")"));
  const std::string arn = ArnOf(begun, "ImportArn");
  EXPECT_THAT(begun, HasSubstr(R"("ImportStatus":"IN_PROGRESS")"));
  engine_->imports().WaitUntilIdle();
  const std::string done = Answer("DescribeImport", R"({"ImportArn":")" + arn + "\"}");
  EXPECT_THAT(done,
              ContainsRegex(R"(^\{"ImportTableDescription":\{"ImportArn":"arn:aws:dynamodb:us-east-1:123456789012:)"
                            R"(table/Copy/import/01790000000500-[0-9a-f]{8}","ImportStatus":"COMPLETED",)"
                            R"("TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Copy",)"
                            R"("S3BucketSource":\{"S3BucketOwner":"123456789012","S3Bucket":"bucket",)"
                            R"("S3KeyPrefix":"data/"\},"CloudWatchLogGroupArn":"arn:aws:logs:us-east-1:)"
                            R"(123456789012:log-group:/aws-dynamodb/imports:\*","InputFormat":"DYNAMODB_JSON",)"
                            R"("StartTime":1.7900000005E9,"EndTime":1.7900000005E9,"TableId":"[0-9a-f-]{36}",)"
                            R"("ClientToken":"t","InputCompressionType":"NONE","TableCreationParameters":)"));
  EXPECT_THAT(done, HasSubstr(R"("TableCreationParameters":{"TableName":"Copy",)" + kPk + "," + kOnDemand + "}"));
  EXPECT_THAT(done,
              HasSubstr(R"("ProcessedSizeBytes":26,"ProcessedItemCount":1,"ImportedItemCount":1,"ErrorCount":0}})"));
  EXPECT_THAT(Answer("ListImports", R"({"TableArn":")" + std::string(kArn) + R"(Copy"})"),
              HasSubstr(R"({"ImportSummaryList":[{"ImportArn":")" + arn + R"(","ImportStatus":"COMPLETED")"));
  EXPECT_EQ(ArnOf(Answer("DescribeTable", R"({"TableName":"Copy"})"), "TableId"), ArnOf(done, "TableId"));
}

TEST_F(Transfers, MembersOfAnImportAreChecked) {
  const auto bad = [&](const std::string& body, const std::string& message) {
    ExpectInvalid("ImportTable", body, message);
  };
  bad("{}",
      "3 validation errors detected: Value null at 's3BucketSource' failed to satisfy constraint: Member must not be "
      "null; Value null at 'inputFormat' failed to satisfy constraint: Member must not be null; Value null at "
      "'tableCreationParameters' failed to satisfy constraint: Member must not be null");
  bad(R"({"S3BucketSource":{},"InputFormat":"CSV","TableCreationParameters":{"TableName":"x"}})",
      "4 validation errors detected: Value null at 's3BucketSource.s3Bucket' failed to satisfy constraint: Member must "
      "not be null; Value 'x' at 'tableCreationParameters.tableName' failed to satisfy constraint: Member must have "
      "length greater than or equal to 3; Value null at 'tableCreationParameters.attributeDefinitions' failed to "
      "satisfy constraint: Member must not be null; Value null at 'tableCreationParameters.keySchema' failed to "
      "satisfy constraint: Member must not be null");
  bad(Import(R"(,"InputCompressionType":"BZIP2")"),
      "1 validation error detected: Value 'BZIP2' at 'inputCompressionType' failed to satisfy constraint: Member must "
      "satisfy enum value set: [ZSTD, NONE, GZIP]");
  bad(Import(R"(,"InputFormatOptions":{"Csv":{"Delimiter":";;"}})"),
      "2 validation errors detected: Value ';;' at 'inputFormatOptions.csv.delimiter' failed to satisfy constraint: "
      R"(Member must satisfy regular expression pattern: [,;:|\t ]; Value ';;' at 'inputFormatOptions.csv.delimiter' )"
      "failed to satisfy constraint: Member must have length less than or equal to 1");
  bad(Import(R"(,"InputFormatOptions":{"Csv":{"HeaderList":[]}})"),
      "1 validation error detected: Value '[]' at 'inputFormatOptions.csv.headerList' failed to satisfy constraint: "
      "Member must have length greater than or equal to 1");
  bad(Import(R"(,"InputFormatOptions":{"Csv":{"Delimiter":";"}})"),
      "Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON.");
  ExpectError("DescribeImport", R"({"ImportArn":")" + std::string(kArn) + R"(Copy/import/01790000000500-00000000"})",
              ErrorCode::kImportNotFoundException,
              "Import not found: Import not found: " + std::string(kArn) + "Copy/import/01790000000500-00000000");
}

TEST_F(Transfers, CsvOptionsAreShownAsGiven) {
  std::string request = Import(R"(,"InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["pk","val"]}})");
  request.replace(request.find("DYNAMODB_JSON"), 13, "CSV");
  EXPECT_THAT(Answer("ImportTable", request),
              HasSubstr(R"("InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["pk","val"]}})"));
}

TEST_F(TableOperations, WithoutBucketsThereAreNoTransfers) {
  Answer("CreateTable", Create(kPk + "," + kOnDemand));
  ExpectInvalid("ExportTableToPointInTime", R"({"TableArn":")" + std::string(kArn) + R"(Orders","S3Bucket":"bucket"})",
                "Invalid Request: This server keeps everything in memory and has no folder for buckets; start it with "
                "--buckets FOLDER (or TAULA_BUCKETS)");
}

TEST(PageToken, IsGoodForItsListOnly) {
  const std::string token = MakePageToken("exports", "01790000000500-00000000");
  EXPECT_EQ(token.size() % 16, 0U);
  EXPECT_GE(token.size(), 112U);
  EXPECT_EQ(ReadPageToken("exports", token), "01790000000500-00000000");
  EXPECT_EQ(ReadPageToken("imports", token), std::nullopt);
  EXPECT_EQ(ReadPageToken("exports", token.substr(16)), std::nullopt);
  EXPECT_EQ(ReadPageToken("exports", std::string(128, 'z')), std::nullopt);
}

}  // namespace
}  // namespace taula::api
