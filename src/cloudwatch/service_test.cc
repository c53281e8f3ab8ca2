// CloudWatch's operations, through JSON, on a log that the tests fill.
#include "cloudwatch/service.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "storage/memory/memory_store.h"

namespace taula::cloudwatch {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kStartMs = 1'790'000'040'000;

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() {
    EXPECT_TRUE(log_.Load());
    table_.name = "orders";
    table_.space = 1;
  }

  // Reads one unit in each of so many minutes, two in the second half of them.
  void ReadForMinutes(int minutes) {
    for (int i = 0; i < minutes; ++i) {
      log_.traffic().CountRead(table_, i < minutes / 2 ? 1 : 2);
      log_.Collect();
      clock_.Advance(kMinute);
      log_.Collect();
    }
  }

  HttpAnswer Ask(std::string_view operation, std::string_view body) {
    return service_.Answer({.target = fmt::format("GraniteServiceVersion20100801.{}", operation),
                            .path = "/",
                            .media_type = "application/x-amz-json-1.0",
                            .body = body});
  }
  std::string Statistics(std::int64_t from_minute, std::int64_t to_minute, std::string_view rest) {
    return Ask("GetMetricStatistics",
               fmt::format(R"({{"Namespace":"AWS/DynamoDB","MetricName":"ConsumedReadCapacityUnits",
                   "Dimensions":[{{"Name":"TableName","Value":"orders"}}],"StartTime":{},"EndTime":{},{}}})",
                           Seconds(from_minute), Seconds(to_minute), rest))
        .body;
  }
  std::string Data(std::string_view queries, std::string_view rest = "") {
    return Ask("GetMetricData", fmt::format(R"({{"MetricDataQueries":[{}],"StartTime":{},"EndTime":{}{}}})", queries,
                                            Seconds(0), Seconds(60), rest))
        .body;
  }
  static std::string Metric(std::string_view id, std::string_view more = "", std::string_view stat = "Sum",
                            int period = 60) {
    return fmt::format(R"({{"Id":"{}","MetricStat":{{"Metric":{{"Namespace":"AWS/DynamoDB",
        "MetricName":"ConsumedReadCapacityUnits","Dimensions":[{{"Name":"TableName","Value":"orders"}}]}},
        "Period":{},"Stat":"{}"}}{}}})",
                       id, period, stat, more);
  }
  static std::int64_t Seconds(std::int64_t minute) { return (kStartMs + minute * kMinute) / 1000; }

  static std::size_t Count(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }
  static std::string TokenOf(const std::string& body) {
    simdjson::dom::parser parser;
    std::string_view token;
    if (parser.parse(body)["NextToken"].get(token) != simdjson::SUCCESS) return "";
    return std::string(token);
  }

  base::ManualClock clock_{kStartMs};
  std::unique_ptr<storage::Store> store_ = storage::MakeMemoryStore();
  metrics::MetricLog log_{*store_, clock_};
  std::unique_ptr<catalog::Catalog> catalog_ = *catalog::Catalog::Load(*store_);
  engine::KeyCounts keys_;
  Service service_{{.log = log_, .clock = clock_, .catalog = *catalog_, .keys = keys_}};
  catalog::Table table_;
};

constexpr std::string_view kSum = R"("Period":60,"Statistics":["Sum"])";

// ---- GetMetricStatistics

TEST_F(ServiceTest, StatisticsOfAnHour) {
  ReadForMinutes(10);
  const std::string body =
      Statistics(0, 60, R"("Period":3600,"Statistics":["Sum","Average","Minimum","Maximum","SampleCount"])");
  EXPECT_THAT(body, HasSubstr(R"("Label":"ConsumedReadCapacityUnits")"));
  EXPECT_THAT(body,
              HasSubstr(R"("Sum":15.0,"Average":1.5,"Minimum":1.0,"Maximum":2.0,"SampleCount":10.0,"Unit":"Count")"));
  EXPECT_EQ(Count(body, "Timestamp"), 1U);
}

TEST_F(ServiceTest, StatisticsBeginAtTheStartThatWasAskedFor) {
  ReadForMinutes(10);
  // Two minutes and three, though five divides the hour.
  const std::string body = Statistics(3, 10, R"("Period":300,"Statistics":["SampleCount"])");
  EXPECT_THAT(body, HasSubstr(R"("SampleCount":5.0)"));
  EXPECT_THAT(body, HasSubstr(R"("SampleCount":2.0)"));
  EXPECT_EQ(Count(body, "Timestamp"), 2U);
}

TEST_F(ServiceTest, TheStartIsRoundedDownToAMinute) {
  ReadForMinutes(1);
  const std::string body = Ask("GetMetricStatistics", fmt::format(R"({{"Namespace":"AWS/DynamoDB",
      "MetricName":"ConsumedReadCapacityUnits","Dimensions":[{{"Name":"TableName","Value":"orders"}}],
      "StartTime":{},"EndTime":{},{}}})",
                                                                  Seconds(0) + 59, Seconds(1), kSum))
                               .body;
  EXPECT_EQ(Count(body, "Timestamp"), 1U);
}

TEST_F(ServiceTest, TheEndIsNotPartOfTheRange) {
  ReadForMinutes(3);
  EXPECT_EQ(Count(Statistics(0, 2, kSum), "Timestamp"), 2U);
}

TEST_F(ServiceTest, WhatNobodyCountsIsEmpty) {
  ReadForMinutes(1);
  const auto ask = [&](std::string_view name_space, std::string_view metric, std::string_view dimensions) {
    return Ask("GetMetricStatistics", fmt::format(R"({{"Namespace":"{}","MetricName":"{}","Dimensions":[{}],
        "StartTime":{},"EndTime":{},{}}})",
                                                  name_space, metric, dimensions, Seconds(0), Seconds(60), kSum))
        .body;
  };
  const std::string_view table = R"({"Name":"TableName","Value":"orders"})";
  EXPECT_EQ(Count(ask("AWS/DynamoDB", "ConsumedReadCapacityUnits", table), "Timestamp"), 1U);
  EXPECT_EQ(Count(ask("AWS/EC2", "ConsumedReadCapacityUnits", table), "Timestamp"), 0U);
  EXPECT_EQ(Count(ask("AWS/DynamoDB", "CPUUtilization", table), "Timestamp"), 0U);
  EXPECT_EQ(Count(ask("AWS/DynamoDB", "ConsumedReadCapacityUnits", ""), "Timestamp"), 0U);
  EXPECT_EQ(
      Count(ask("AWS/DynamoDB", "ConsumedReadCapacityUnits", R"({"Name":"TableName","Value":"order"})"), "Timestamp"),
      0U);
  EXPECT_EQ(Count(ask("AWS/DynamoDB", "ConsumedReadCapacityUnits",
                      fmt::format(R"({},{{"Name":"Operation","Value":"GetItem"}})", table)),
                  "Timestamp"),
            0U);
}

TEST_F(ServiceTest, UnitsThatDoNotFitFindNothing) {
  ReadForMinutes(1);
  EXPECT_EQ(Count(Statistics(0, 60, std::string(kSum).append(R"(,"Unit":"Count")")), "Timestamp"), 1U);
  EXPECT_EQ(Count(Statistics(0, 60, std::string(kSum).append(R"(,"Unit":"Bytes")")), "Timestamp"), 0U);
}

TEST_F(ServiceTest, PercentilesOfLatencies) {
  for (std::uint64_t ms = 1; ms <= 100; ++ms) {
    log_.traffic().Count(table_, {.operation = "GetItem", .nanoseconds = ms * 1'000'000});
  }
  const std::string body = Ask("GetMetricStatistics", fmt::format(R"({{"Namespace":"AWS/DynamoDB",
      "MetricName":"SuccessfulRequestLatency","Dimensions":[{{"Name":"Operation","Value":"GetItem"}},
      {{"Name":"TableName","Value":"orders"}}],"StartTime":{},"EndTime":{},"Period":60,
      "ExtendedStatistics":["p0","p50","p100"]}})",
                                                                  Seconds(0), Seconds(1)))
                               .body;
  simdjson::dom::parser parser;
  const auto extended = parser.parse(body)["Datapoints"].at(0)["ExtendedStatistics"];
  EXPECT_EQ(double(extended["p0"]), 1);
  EXPECT_NEAR(double(extended["p50"]), 50, 3);
  EXPECT_EQ(double(extended["p100"]), 100);
  EXPECT_THAT(body, HasSubstr(R"("Unit":"Milliseconds")"));
}

TEST_F(ServiceTest, StatisticsRefuseWhatIsWrong) {
  const auto refused = [&](std::string_view body, std::string_view type, std::string_view words) {
    const HttpAnswer answer = Ask("GetMetricStatistics", body);
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(type));
    EXPECT_THAT(answer.body, HasSubstr(words));
  };
  refused("{}", "MissingRequiredParameterException", "The parameter Namespace is required.");
  refused(R"({"Namespace":"x"})", "MissingRequiredParameterException", "The parameter MetricName is required.");
  const auto with = [](std::string_view rest) {
    return fmt::format(R"({{"Namespace":"x","MetricName":"y",{}}})", rest);
  };
  refused(with(R"("EndTime":1,"Period":60)"), "MissingRequiredParameterException",
          "The parameter StartTime is required.");
  refused(with(R"("StartTime":1,"Period":60)"), "MissingRequiredParameterException",
          "The parameter EndTime is required.");
  refused(with(R"("StartTime":1,"EndTime":2)"), "MissingRequiredParameterException",
          "The parameter Period is required.");
  refused(with(R"("StartTime":2,"EndTime":2,"Period":60,"Statistics":["Sum"])"), "InvalidParameterValueException",
          "The parameter StartTime must be less than the parameter EndTime.");
  refused(with(R"("StartTime":1,"EndTime":2,"Period":61,"Statistics":["Sum"])"), "InvalidParameterValueException",
          "The parameter Period must be");
  refused(with(R"("StartTime":1,"EndTime":2,"Period":60)"), "InvalidParameterCombinationException",
          "At least one of the parameters Statistics and ExtendedStatistics must be specified.");
  refused(with(R"("StartTime":1,"EndTime":2,"Period":60,"Statistics":["sum"])"), "InvalidParameterValueException",
          "The parameter Statistics.member.1.<list element> must be a value in the set");
  refused(with(R"("StartTime":1,"EndTime":2,"Period":60,"ExtendedStatistics":["p101"])"),
          "InvalidParameterValueException", "The value p101 for parameter ExtendedStatistics.member.1");
  refused(with(R"("StartTime":1,"EndTime":2,"Period":60,"ExtendedStatistics":["tm99"])"),
          "InvalidParameterValueException", "is not supported");
  refused(with(R"("StartTime":0,"EndTime":86460,"Period":60,"Statistics":["Sum"])"),
          "InvalidParameterCombinationException",
          "You have requested up to 1441 datapoints, which exceeds the limit of 1440. You may reduce the datapoints "
          "requested by increasing Period, or decreasing the time range.");
  refused(with(R"("StartTime":"yesterday","EndTime":2,"Period":60,"Statistics":["Sum"])"), "ValidationException",
          "timestamp must follow ISO8601");
  refused(with(R"("StartTime":1,"EndTime":2,"Period":"x","Statistics":["Sum"])"), "SerializationException", "");
}

// ---- GetMetricData

TEST_F(ServiceTest, DataComesNewestFirstUnlessAsked) {
  ReadForMinutes(4);
  EXPECT_THAT(Data(Metric("m1")), HasSubstr(R"("Values":[2.0,2.0,1.0,1.0],"StatusCode":"Complete")"));
  EXPECT_THAT(Data(Metric("m1"), R"(,"ScanBy":"TimestampAscending")"), HasSubstr(R"("Values":[1.0,1.0,2.0,2.0])"));
}

TEST_F(ServiceTest, DataHasLabelsAndLeavesOutWhatIsNotWanted) {
  ReadForMinutes(2);
  const std::string body = Data(Metric("m1", R"(,"ReturnData":false)") + "," + Metric("m2", R"(,"Label":"two")") + "," +
                                R"({"Id":"e1","Expression":"m1*10"})");
  EXPECT_THAT(body, HasSubstr(R"({"Id":"m2","Label":"two",)"));
  EXPECT_THAT(body, HasSubstr(R"({"Id":"e1","Label":"e1",)"));
  EXPECT_THAT(body, HasSubstr(R"("Values":[20.0,10.0])"));
  EXPECT_EQ(Count(body, "\"Id\""), 2U);
}

TEST_F(ServiceTest, ExpressionsUseExpressions) {
  ReadForMinutes(2);
  const std::string queries = R"x({"Id":"e2","Expression":"e1+1"},
      {"Id":"e1","Expression":"FILL(m1,0)","ReturnData":false},)x";
  EXPECT_THAT(Data(queries + Metric("m1", R"(,"ReturnData":false)", "Sum", 1800)), HasSubstr(R"("Values":[1.0,4.0])"));
}

TEST_F(ServiceTest, DataComesInPages) {
  ReadForMinutes(10);
  const std::string queries = Metric("m1") + "," + Metric("m2");
  std::string rest = R"(,"MaxDatapoints":7)";
  std::size_t values = 0;
  std::size_t pages = 0;
  for (;; ++pages) {
    const std::string body = Data(queries, rest);
    values += Count(body, ".0,") + Count(body, ".0]");
    const std::string token = TokenOf(body);
    EXPECT_EQ(Count(body, "PartialData"), pages == 2 ? 0U : 1U);
    if (token.empty()) break;
    rest = fmt::format(R"(,"MaxDatapoints":7,"NextToken":"{}")", token);
    ASSERT_LT(pages, 10U);
  }
  EXPECT_EQ(pages, 2U);
  EXPECT_EQ(values, 20U);
}

TEST_F(ServiceTest, DataRefusesWhatIsWrong) {
  const auto refused = [&](const std::string& queries, std::string_view words, std::string_view rest = "") {
    const std::string body = Data(queries, rest);
    EXPECT_THAT(body, HasSubstr("__type"));
    EXPECT_THAT(body, HasSubstr(words));
  };
  refused("", "The parameter MetricDataQueries is required.");
  refused(Metric("M1"), "The value for parameter MetricDataQueries.member.1.Id is not matching the expected pattern");
  refused(Metric("m1") + "," + Metric("m1"), "The values for parameter id in MetricDataQueries are not unique.");
  refused(Metric("m1", "", "Summe"),
          "The value for parameter MetricDataQueries.member.1.MetricStat.Stat is not a valid statistic.");
  refused(R"({"Id":"m1"})", "The parameter MetricDataQueries.member.1.MetricStat is required.");
  refused(Metric("m1", R"(,"Expression":"1")"), "are mutually exclusive and you have specified both.");
  refused(R"({"Id":"e1","Expression":"m9+1"})", "Error in expression 'e1': ID 'm9' not found");
  refused(R"({"Id":"e1","Expression":"e2"},{"Id":"e2","Expression":"e1"})", "depends on itself");
  refused(R"({"Id":"e1","Expression":"1+1"})", "must return a time series");
  refused(Metric("m1"), "InvalidNextToken", R"(,"NextToken":"x")");
  refused(Metric("m1"), "InvalidNextToken", R"(,"NextToken":"OTk6MA==")");
  refused(Metric("m1"), "MaxDatapoints", R"(,"MaxDatapoints":100801)");
  refused(Metric("m1"), "ScanBy", R"(,"ScanBy":"Upwards")");
}

// Each of a chain of expressions waits for the next one, deep within itself.
TEST_F(ServiceTest, ExpressionsThatWaitForEachOtherAreBounded) {
  std::string ones;
  for (int i = 0; i < 900; ++i) ones += "+1";
  std::string queries = Metric("e200");
  for (int i = 0; i < 200; ++i) {
    queries += fmt::format(R"(,{{"Id":"e{}","Expression":"e{}{}"}})", i, i + 1, ones);
  }
  EXPECT_THAT(Data(queries), HasSubstr("nested too deeply"));
}

// Arrays of arrays have as many series as all of them together, be they empty.
TEST_F(ServiceTest, ArraysThatMultiplyAreBounded) {
  const auto repeat = [](std::string_view id) {
    std::string array(id);
    for (int i = 0; i < 500; ++i) array.append(",").append(id);
    return array;
  };
  const std::string expression = R"(,{{"Id":"{}","Expression":"[{}]","ReturnData":false}})";
  std::string queries = Metric("m");
  queries += fmt::format(fmt::runtime(expression), "a", repeat("m"));
  queries += fmt::format(fmt::runtime(expression), "b", repeat("a"));
  queries += fmt::format(fmt::runtime(expression), "c", repeat("b"));
  EXPECT_THAT(Data(queries), HasSubstr("take too long to compute"));
  const std::string many =
      Metric("m") + fmt::format(R"(,{{"Id":"a","Expression":"[{}]"}})", repeat("m")) +
      fmt::format(R"(,{{"Id":"b","Expression":"[{}]"}})", "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a");
  EXPECT_THAT(Data(many), HasSubstr("too many time series"));
}

TEST_F(ServiceTest, NamesAndListsAreBounded) {
  EXPECT_THAT(Data(Metric(std::string(256, 'a'))), HasSubstr("Id is not matching the expected pattern"));
  EXPECT_THAT(Data(Metric("m1", fmt::format(R"(,"Label":"{}")", std::string(2049, 'a')))), HasSubstr("Label must be"));
  EXPECT_THAT(Statistics(0, 60, R"("Period":60,"Statistics":["Sum","Sum","Sum","Sum","Sum","Sum"])"),
              HasSubstr("The collection Statistics must not have a size greater than 5."));
  EXPECT_THAT(Statistics(0, 60, R"("Period":-9223372036854775808,"Statistics":["Sum"])"),
              HasSubstr("Period must be an integer"));
}

// ---- ListMetrics

TEST_F(ServiceTest, MetricsAreListedByNamespaceNameAndDimensions) {
  ReadForMinutes(1);
  log_.traffic().Count(table_, {.operation = "GetItem", .nanoseconds = 1});
  log_.traffic().CountUserError();
  const auto list = [&](std::string_view body) { return Count(Ask("ListMetrics", body).body, "MetricName"); };
  EXPECT_EQ(list("{}"), 3U);
  EXPECT_EQ(list(R"({"Namespace":"AWS/DynamoDB"})"), 3U);
  EXPECT_EQ(list(R"({"Namespace":"AWS/EC2"})"), 0U);
  EXPECT_EQ(list(R"({"MetricName":"UserErrors"})"), 1U);
  EXPECT_EQ(list(R"({"Dimensions":[{"Name":"TableName"}]})"), 2U);
  EXPECT_EQ(list(R"({"Dimensions":[{"Name":"TableName","Value":"orders"},{"Name":"Operation"}]})"), 1U);
  EXPECT_EQ(list(R"({"Dimensions":[{"Name":"TableName","Value":"other"}]})"), 0U);
  EXPECT_THAT(Ask("ListMetrics", R"({"MetricName":"SuccessfulRequestLatency"})").body,
              HasSubstr(R"({"Namespace":"AWS/DynamoDB","MetricName":"SuccessfulRequestLatency","Dimensions":[)"
                        R"({"Name":"TableName","Value":"orders"},{"Name":"Operation","Value":"GetItem"}]})"));
}

TEST_F(ServiceTest, RecentlyActiveLeavesOutWhatIsOlderThanThreeHours) {
  ReadForMinutes(1);
  clock_.Advance(4 * 60 * kMinute);
  log_.Collect();
  log_.traffic().CountUserError();
  EXPECT_EQ(Count(Ask("ListMetrics", "{}").body, "MetricName"), 2U);
  EXPECT_EQ(Count(Ask("ListMetrics", R"({"RecentlyActive":"PT3H"})").body, "MetricName"), 1U);
  EXPECT_EQ(Ask("ListMetrics", R"({"RecentlyActive":"PT4H"})").status, 400);
}

TEST_F(ServiceTest, ListsComeInPagesOfFiveHundred) {
  for (codec::SpaceId i = 0; i < 1201; ++i) {
    table_.space = i + 1;
    table_.name = fmt::format("table{:04}", i);
    log_.traffic().CountRead(table_, 1);
  }
  std::string body = Ask("ListMetrics", "{}").body;
  std::vector<std::size_t> pages = {Count(body, "MetricName")};
  for (std::string token = TokenOf(body); !token.empty(); token = TokenOf(body)) {
    body = Ask("ListMetrics", fmt::format(R"({{"NextToken":"{}"}})", token)).body;
    pages.push_back(Count(body, "MetricName"));
    ASSERT_LT(pages.size(), 10U);
  }
  EXPECT_EQ(pages, (std::vector<std::size_t>{500, 500, 201}));
  EXPECT_THAT(body, HasSubstr("table1200"));
  EXPECT_EQ(Ask("ListMetrics", R"({"NextToken":"x"})").status, 400);
}

// ---- Contributor insights

class InsightsTest : public ServiceTest {
 protected:
  InsightsTest() {
    table_.key.partition = {{"pk", Type::kString}};
    table_.contributor_insights.emplace().enabled_ms = kStartMs;
    table_ = **catalog_->Add(table_);
  }
  void Read(std::string_view partition, double units) {
    std::string part;
    codec::AppendKeyPart(part, Value(partition).view());
    keys_.Count(table_, nullptr, engine::KeyEvent::kAccessed, {part, {}}, units, clock_.NowMs());
  }
  std::string Report(std::string_view rest, std::int64_t from_minute = 0) {
    const std::string rule = engine::RuleName(engine::KeyRule::kPartitionAccessed, table_, nullptr);
    return Ask("GetInsightRuleReport", fmt::format(R"({{"RuleName":"{}","StartTime":{},"EndTime":{},{}}})", rule,
                                                   Seconds(from_minute), Seconds(60), rest))
        .body;
  }
};

TEST_F(InsightsTest, ContributorsHaveADatapointForEachPeriodTheyAppearIn) {
  Read("steady", 4);
  clock_.Advance(kMinute);
  Read("steady", 4);
  Read("burst", 7);
  clock_.Advance(kMinute);
  Read("steady", 4);
  EXPECT_THAT(Report(R"("Period":120)"),
              HasSubstr(R"("Contributors":[{"Keys":["steady"],"ApproximateAggregateValue":12.0,"Datapoints":[)"
                        R"({"Timestamp":1.79000004E9,"ApproximateValue":8.0},)"
                        R"({"Timestamp":1.79000016E9,"ApproximateValue":4.0}]},)"
                        R"({"Keys":["burst"],"ApproximateAggregateValue":7.0,"Datapoints":[)"
                        R"({"Timestamp":1.79000004E9,"ApproximateValue":7.0}]}])"));
  EXPECT_THAT(Report(R"("Period":120,"OrderBy":"Maximum","MaxContributorCount":1)"),
              HasSubstr(R"("Contributors":[{"Keys":["burst"],"ApproximateAggregateValue":7.0,)"));
  EXPECT_THAT(Report(R"("Period":60,"Metrics":["Maximum","MaxContributorValue","Sum"])", 1),
              HasSubstr(R"("MetricDatapoints":[)"
                        R"({"Timestamp":1.7900001E9,"MaxContributorValue":7.0,"Sum":11.0,"Maximum":7.0},)"
                        R"({"Timestamp":1.79000016E9,"MaxContributorValue":4.0,"Sum":4.0,"Maximum":4.0}])"));
}

TEST_F(InsightsTest, ARuleKnowsNothingOfTheTimeBeforeIt) {
  Read("old", 1);
  clock_.Advance(5 * kMinute);
  const auto changed = catalog_->Change("orders", [&](catalog::Table& table) -> Result<void> {
    table.contributor_insights->enabled_ms = clock_.NowMs();
    return {};
  });
  table_ = **changed;
  Read("new", 1);
  EXPECT_THAT(Report(R"("Period":60)"), HasSubstr(R"("AggregateValue":1.0,"ApproximateUniqueCount":1)"));
  EXPECT_THAT(Report(R"("Period":60)"), HasSubstr(R"("Keys":["new"])"));
}

// ---- All of it

TEST_F(ServiceTest, UnknownOperationsAreRefusedInTheWordsOfTheProtocol) {
  const HttpAnswer json = Ask("PutMetricAlarm", "{}");
  EXPECT_EQ(json.status, 400);
  EXPECT_EQ(json.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  const HttpAnswer xml = service_.Answer({.path = "/",
                                          .media_type = "application/x-www-form-urlencoded",
                                          .body = "Action=PutMetricAlarm&Version=2010-08-01"});
  EXPECT_EQ(xml.status, 400);
  EXPECT_THAT(xml.body, HasSubstr("<Code>InvalidAction</Code><Message>Could not find operation PutMetricAlarm for "
                                  "version 2010-08-01</Message>"));
  const HttpAnswer cbor =
      service_.Answer({.path = "/service/GraniteServiceVersion20100801/operation/PutMetricAlarm", .body = "\xa0"});
  EXPECT_EQ(cbor.status, 404);
  EXPECT_THAT(cbor.body, HasSubstr("UnknownOperationException"));
}

TEST_F(ServiceTest, BodiesAreBounded) {
  EXPECT_EQ(Ask("ListMetrics", std::string(kBodyBytesMax + 1, ' ')).status, 413);
}

TEST_F(ServiceTest, CredentialsAreRefusedInTheFormOfTheProtocol) {
  const HttpAnswer answer = Service::Refuse(
      {.path = "/", .media_type = "application/x-www-form-urlencoded", .body = "Version=2010-08-01"},
      {ErrorCode::kMissingAuthenticationTokenException, "Request is missing Authentication Token", std::nullopt, {}});
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.body, HasSubstr("<Code>MissingAuthenticationToken</Code>"));
}

}  // namespace
}  // namespace taula::cloudwatch
