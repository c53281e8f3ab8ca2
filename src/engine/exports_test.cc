#include "engine/exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>
#include <thread>

#include "base/timestamp.h"
#include "engine/transfer_testing.h"

namespace taula::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

class ExportsTest : public TransferTest {
 protected:
  ExportsTest() { KeepHistory(); }

  void ExpectRefused(const ExportRequest& request, ErrorCode code, const std::string& message) {
    const auto begun = exports().Start(request);
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().message, message);
    EXPECT_EQ(begun.error().code, code);
  }
  void ExpectInvalidTime(const ExportRequest& request, const std::string& message) {
    ExpectRefused(request, ErrorCode::kInvalidExportTimeException, message);
  }

  catalog::ExportPtr FailedExport(const ExportRequest& request) {
    const auto begun = exports().Start(request);
    EXPECT_TRUE(begun);
    EXPECT_EQ((*begun)->status, catalog::JobStatus::kInProgress);
    exports().WaitUntilIdle();
    catalog::ExportPtr done = *exports().Find(exports().Arn(**begun));
    EXPECT_EQ(done->status, catalog::JobStatus::kFailed);
    return done;
  }
};

TEST_F(ExportsTest, AFullExportHasEveryItemOfItsTime) {
  Put({{"PK", "a"}, {"SK", "1"}, {"v", 1}});
  Put({{"PK", "b"}, {"SK", "1"}});
  const Contents then = ContentsOf(kTable);
  const std::int64_t time = clock_.NowMs();
  clock_.Advance(1000);
  Put({{"PK", "a"}, {"SK", "1"}, {"v", 2}});
  Put({{"PK", "c"}, {"SK", "1"}});
  Delete({{"PK", "b"}, {"SK", "1"}});
  ExportRequest request = Request();
  EXPECT_EQ(ContentsOf(*Export(request)), ContentsOf(kTable));
  request.time_ms = time;
  const catalog::ExportPtr past = Export(request);
  EXPECT_EQ(ContentsOf(*past), then);
  EXPECT_EQ(past->items, 2);
  EXPECT_GT(past->billed_bytes, 0);
}

TEST_F(ExportsTest, AnEmptyTableHasAnEmptyFile) {
  const catalog::ExportPtr job = Export(Request());
  EXPECT_EQ(job->items, 0);
  EXPECT_THAT(LinesOf(*job), IsEmpty());
  EXPECT_THAT(buckets_.Keys("AWSDynamoDB/" + job->id + "/data/"), SizeIs(1));
}

TEST_F(ExportsTest, ItemsAreWrittenInDynamoDbJson) {
  Put({{"PK", "a"}, {"SK", "1"}, {"n", 12}, {"l", Value::List({Value("x"), Value(true)})}});
  EXPECT_THAT(
      LinesOf(*Export(Request())),
      ElementsAre(R"({"Item":{"PK":{"S":"a"},"SK":{"S":"1"},"l":{"L":[{"S":"x"},{"BOOL":true}]},"n":{"N":"12"}}})"));
}

TEST_F(ExportsTest, AnIncrementalExportTellsWhatBecameOfEachItem) {
  Put({{"PK", "changed"}, {"SK", "1"}, {"v", 1}});
  Put({{"PK", "deleted"}, {"SK", "1"}});
  Put({{"PK", "untouched"}, {"SK", "1"}});
  clock_.Advance(kMinuteMs);
  const std::int64_t from = clock_.NowMs();
  Put({{"PK", "changed"}, {"SK", "1"}, {"v", 2}});
  Put({{"PK", "new"}, {"SK", "1"}, {"v", 1}});
  Put({{"PK", "passing"}, {"SK", "1"}});
  clock_.Advance(kMinuteMs);
  Put({{"PK", "changed"}, {"SK", "1"}, {"v", 3}});
  Delete({{"PK", "deleted"}, {"SK", "1"}});
  Delete({{"PK", "passing"}, {"SK", "1"}});
  const std::string micros = std::to_string(clock_.NowMs() * 1000);
  const std::string first_micros = std::to_string(from * 1000);
  clock_.Advance(20 * kMinuteMs);
  // At the end of the period, which is not part of it.
  Put({{"PK", "changed"}, {"SK", "1"}, {"v", 4}});
  Put({{"PK", "later"}, {"SK", "1"}});
  ExportRequest request = Incremental(from, clock_.NowMs());
  const auto lines = [&] {
    std::vector<std::string> sorted = LinesOf(*Export(request));
    std::ranges::sort(sorted);
    return sorted;
  };
  const auto line = [](const std::string& time, const std::string& rest) {
    return R"({"Metadata":{"WriteTimestampMicros":{"N":")" + time + R"("}},"Keys":{"PK":{"S":")" + rest;
  };
  EXPECT_THAT(
      lines(),
      ElementsAre(
          line(first_micros, R"(new"},"SK":{"S":"1"}},"NewImage":{"PK":{"S":"new"},"SK":{"S":"1"},"v":{"N":"1"}}})"),
          line(micros, R"(changed"},"SK":{"S":"1"}},"OldImage":{"PK":{"S":"changed"},"SK":{"S":"1"},"v":{"N":"1"}},)"
                       R"("NewImage":{"PK":{"S":"changed"},"SK":{"S":"1"},"v":{"N":"3"}}})"),
          line(micros, R"(deleted"},"SK":{"S":"1"}},"OldImage":{"PK":{"S":"deleted"},"SK":{"S":"1"}}})")));
  request.period->old_images = false;
  EXPECT_THAT(
      lines(),
      ElementsAre(
          line(first_micros, R"(new"},"SK":{"S":"1"}},"NewImage":{"PK":{"S":"new"},"SK":{"S":"1"},"v":{"N":"1"}}})"),
          line(micros, R"(changed"},"SK":{"S":"1"}},"NewImage":{"PK":{"S":"changed"},"SK":{"S":"1"},"v":{"N":"3"}}})"),
          line(micros, R"(deleted"},"SK":{"S":"1"}}})")));
}

TEST_F(ExportsTest, IncrementalExportsReplayedOnAFullOneGiveTheTable) {
  std::mt19937 random(7);
  const auto write_some = [&] {
    for (int i = 0; i < 300; ++i) {
      clock_.Advance(random() % 8000);
      const Item key{{"PK", std::to_string(random() % 60)}, {"SK", "1"}};
      if (random() % 3 == 0) {
        Delete(key);
      } else {
        Item item = key;
        Put(item.Set("v", Value(static_cast<int>(random() % 5))));
      }
    }
  };
  write_some();
  ExportRequest full = Request();
  const std::int64_t start = clock_.NowMs();
  full.time_ms = start - 1;
  Contents contents = ContentsOf(*Export(full));
  std::vector<std::int64_t> times = {start};
  std::vector<Contents> then;
  for (int period = 0; period < 4; ++period) {
    write_some();
    clock_.Advance(15 * kMinuteMs);
    times.push_back(clock_.NowMs());
    then.push_back(ContentsOf(kTable));
  }
  clock_.Advance(1);
  write_some();
  for (std::size_t i = 0; i < then.size(); ++i) {
    Replay(*Export(Incremental(times[i], times[i + 1])), contents);
    EXPECT_EQ(contents, then[i]) << i;
  }
}

TEST_F(ExportsTest, AnIncrementalExportOfLargeItems) {
  const auto item = [](int i, std::size_t bytes) {
    return Item{{"PK", std::to_string(i)}, {"SK", "1"}, {"text", Value(std::string(bytes, 'x'))}};
  };
  Contents contents = ContentsOf(kTable);
  const std::int64_t from = clock_.NowMs();
  for (int i = 0; i < 40; ++i) Put(item(i, 10));
  for (int i = 0; i < 40; ++i) Put(item(i, 300'000));
  const Contents then = ContentsOf(kTable);
  clock_.Advance(20 * kMinuteMs);
  const std::int64_t to = clock_.NowMs();
  for (int i = 0; i < 40; ++i) Put(item(i, 200'000));
  for (int i = 0; i < 40; ++i) Delete({{"PK", std::to_string(i)}, {"SK", "1"}});
  Replay(*Export(Incremental(from, to)), contents);
  EXPECT_EQ(contents, then);
}

TEST_F(ExportsTest, IsDescribedAsItIsAskedFor) {
  ExportRequest request = Request();
  request.prefix = "foo/";
  request.client_token = "token";
  const auto begun = exports().Start(request);
  ASSERT_TRUE(begun);
  EXPECT_EQ((*begun)->status, catalog::JobStatus::kInProgress);
  EXPECT_EQ((*begun)->time_ms, clock_.NowMs());
  EXPECT_EQ((*begun)->start_ms, clock_.NowMs());
  EXPECT_EQ((*begun)->client_token, "token");
  EXPECT_THAT(exports().Arn(**begun),
              testing::MatchesRegex("arn:aws:dynamodb:us-east-1:123456789012:table/orders/export/" + std::to_string(0) +
                                    std::to_string(clock_.NowMs()) + "-[0-9a-f]{8}"));
  exports().WaitUntilIdle();
  EXPECT_THAT(buckets_.Keys("foo/AWSDynamoDB/" + (*begun)->id + "/manifest-summary.json"), SizeIs(1));
}

TEST_F(ExportsTest, OneTokenIsOneExport) {
  ExportRequest request = Request();
  request.client_token = "token";
  const std::string id = Export(request)->id;
  EXPECT_EQ(Export(request)->id, id);
  ExportRequest other = request;
  other.prefix = "elsewhere";
  ExpectRefused(other, ErrorCode::kExportConflictException,
                "Export conflict: Duplicate request detected with conflicting parameters");
  other = request;
  other.bucket = "other";
  ExpectRefused(other, ErrorCode::kExportConflictException,
                "Export conflict: Duplicate request detected with conflicting parameters");
  clock_.Advance(8LL * 60 * kMinuteMs);
  EXPECT_NE(Export(request)->id, id);
  const std::string untold = Export(Request())->id;
  EXPECT_NE(Export(Request())->id, untold);
}

TEST_F(ExportsTest, NeedsRecoveryAndATimeWithinIt) {
  clock_.Advance(kMinuteMs);
  ExportRequest request = Request();
  request.time_ms = clock_.NowMs() + 1;
  ExpectInvalidTime(request, "Export Time is invalid");
  request.time_ms = kStartMs - 1;
  ExpectInvalidTime(request, "Export Time is invalid");
  ASSERT_TRUE(engine_->backups().SetRecovery(kTable, false, std::nullopt));
  ExpectRefused(Request(), ErrorCode::kPointInTimeRecoveryUnavailableException,
                "Point in time recovery is not enabled for table 'orders'");
}

TEST_F(ExportsTest, AnIncrementalPeriodHasBounds) {
  const std::string before = base::IsoTimestampSeconds(kStartMs - kMinuteMs);
  clock_.Advance(10 * kMinuteMs);
  ExpectInvalidTime(Incremental(kStartMs - kMinuteMs),
                    "Incremental export period from time cannot be less than the table creation time : " + before);
  ExpectInvalidTime(Incremental(kStartMs),
                    "Difference between export period from time and export period to time is less than 15 minutes");
  clock_.Advance(10 * kMinuteMs);
  ExpectInvalidTime(Incremental(clock_.NowMs(), kStartMs),
                    "Difference between export period from time and export period to time is less than 15 minutes");
  ExpectInvalidTime(Incremental(kStartMs, clock_.NowMs() + 1000),
                    "Incremental export period to time cannot be greater than the current time : " +
                        base::IsoTimestampSeconds(clock_.NowMs() + 1000));
  const catalog::ExportPtr job = Export(Incremental(kStartMs));
  EXPECT_EQ(job->period->to_ms, clock_.NowMs() / 1000 * 1000);
  EXPECT_EQ(job->billed_bytes, 10'000'000);
  clock_.Advance(kDayMs);
  ExpectInvalidTime(Incremental(kStartMs),
                    "Difference between export period from time and export period to time is more than 24 hours");
  ASSERT_TRUE(engine_->backups().SetRecovery(kTable, false, std::nullopt));
  KeepHistory();
  clock_.Advance(20 * kMinuteMs);
  ExpectInvalidTime(Incremental(clock_.NowMs() - 30 * kMinuteMs),
                    "Point in Time Recovery is not available for specified export time");
}

TEST_F(ExportsTest, WhatIsWrongWithTheBucketShowsLater) {
  ExportRequest request = Request();
  request.bucket = "none";
  EXPECT_EQ(FailedExport(request)->failure->code, "S3NoSuchBucket");
  request = Request();
  request.bucket_owner = "999999999999";
  EXPECT_EQ(FailedExport(request)->failure->code, "S3AccessDenied");
  request.bucket_owner = "123456789012";
  Export(request);
  std::filesystem::create_directory_symlink("/tmp", buckets_.path("link"));
  request.prefix = "link";
  EXPECT_EQ(FailedExport(request)->failure->code, "S3AccessDenied");
}

TEST_F(ExportsTest, APathOutOfTheBucketIsRefused) {
  for (const char* prefix : {"..", "../x", "/etc", "a/../../b", "a//b"}) {
    ExportRequest request = Request();
    request.prefix = prefix;
    const auto begun = exports().Start(request);
    ASSERT_FALSE(begun) << prefix;
    EXPECT_EQ(begun.error().code, ErrorCode::kValidationException);
    EXPECT_THAT(begun.error().message, HasSubstr("is not a path inside of a bucket"));
  }
}

TEST_F(ExportsTest, AFullDiskFailsTheExportAndLeavesNoData) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string noise(1000, ' ');
    for (char& c : noise) c = static_cast<char>('!' + random() % 90);
    Put({{"PK", std::to_string(i)}, {"SK", "1"}, {"noise", noise}});
  }
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit little = before;
  little.rlim_cur = 64 * 1024;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const catalog::ExportPtr job = FailedExport(Request());
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(job->failure->code, "StorageFull");
  EXPECT_THAT(job->failure->message, HasSubstr(".json.gz: "));
  EXPECT_THAT(buckets_.Keys("AWSDynamoDB/" + job->id + "/data/"), IsEmpty());
  EXPECT_THAT(buckets_.Keys("AWSDynamoDB/" + job->id + "/manifest-summary.json"), IsEmpty());
}

TEST_F(ExportsTest, APastThatIsForgottenBeforeItIsItsTurnCannotBeWritten) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 40; ++i) {
    std::string noise;
    while (noise.size() < 300'000) noise += std::to_string(random());
    Put({{"PK", std::to_string(i)}, {"SK", "1"}, {"noise", noise}});
  }
  ASSERT_TRUE(exports().Start(Request()));  // which takes a while
  const auto waiting = exports().Start(Request());
  ASSERT_TRUE(waiting);
  ASSERT_TRUE(engine_->backups().SetRecovery(kTable, false, std::nullopt));
  Put({{"PK", "unrecorded"}, {"SK", "1"}});
  clock_.Advance(1000);
  KeepHistory();
  exports().WaitUntilIdle();
  const catalog::ExportPtr done = *exports().Find(exports().Arn(**waiting));
  ASSERT_TRUE(done->failure);
  EXPECT_EQ(done->failure->code, "TableNotFound");
}

TEST_F(ExportsTest, OutlivesItsTable) {
  Put({{"PK", "a"}, {"SK", "1"}});
  const catalog::ExportPtr job = Export(Request());
  ASSERT_TRUE(engine_->tables().Delete(kTable));
  EXPECT_TRUE(exports().Find(exports().Arn(*job)));
}

TEST_F(ExportsTest, IsForgottenAfterNinetyDays) {
  const std::string arn = exports().Arn(*Export(Request()));
  clock_.Advance(90 * kDayMs - 1);
  exports().Keep();
  EXPECT_TRUE(exports().Find(arn));
  clock_.Advance(1);
  exports().Keep();
  const auto gone = exports().Find(arn);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kExportNotFoundException);
  EXPECT_EQ(gone.error().message, "Export not found: Export not found: " + arn);
  EXPECT_THAT(exports().List(), IsEmpty());
}

TEST_F(ExportsTest, IsFoundByItsArnOnly) {
  const auto fails = [&](const std::string& arn) { return exports().Find(arn).error(); };
  const std::string table = "arn:aws:dynamodb:us-east-1:123456789012:table/orders";
  EXPECT_EQ(fails(table).message, "Invalid Export ARN");
  EXPECT_EQ(fails(table + "/import/0").message, "Invalid Export ARN");
  EXPECT_EQ(fails(std::string(40, 'x')).message, "Invalid Export ARN");
  EXPECT_EQ(fails("arn:aws:dynamodb:us-east-1:999999999999:table/orders/export/0").code,
            ErrorCode::kAccessDeniedException);
  EXPECT_EQ(fails("arn:aws:dynamodb:eu-west-1:123456789012:table/orders/export/0").message,
            "Export not found: Invalid export arn");
  const std::string other = exports().Arn(*Export(Request()));
  const std::string elsewhere = "arn:aws:dynamodb:us-east-1:123456789012:table/other" + other.substr(table.size());
  EXPECT_EQ(fails(elsewhere).message, "Export not found: Export not found: " + elsewhere);
}

}  // namespace
}  // namespace taula::engine
